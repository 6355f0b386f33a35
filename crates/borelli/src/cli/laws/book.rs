//! Pages of the book about laws: an overview with the scanned tables, and one page with a picture per law.
//! Not here: what they say; it comes from the laws' own files.
//! Out: Markdown and SVG text by file name.

use super::{muscle, picture, tables};
use borelli_contact::catalogue::{About, FAMILIES, Family, Panel, laws};
use borelli_contact::continuity::{FrictionRow, NormalRow, friction_rows, normal_rows};
use borelli_contact::law::{Fault, Kind};
use borelli_dynamics::force::common;
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

/// Lines of the summary above the pages of laws.
const OVERVIEW: &str = "- [Contact laws](laws.md)";
const MUSCLES: &str = "- [Laws of muscles and ligaments](muscle-laws.md)";

const OPENING: &str = "# Contact laws

A law gives a force where two surfaces touch. This page and those of the single laws are written by `borelli laws --book docs/src` from the files of the laws; a test
compares. `borelli laws NAME` shows the same in a terminal.
";

const OPENING_OF_MUSCLES: &str = "# Laws of muscles and ligaments

What pulls along a path. How fibre, tendon and activation of a muscle come together is told in [Muscles and ligaments](muscles.md); here are the curves of each law, with
their equations, numbers and sources. This page and those of the single laws are written by `borelli laws --book docs/src` from the files of the laws; a test compares.
`borelli laws NAME` shows the same in a terminal. Lengths and forces of muscles are over those of the muscle: n = l/l₀ fibre length, λ = l_T/l_s tendon length,
ν = l̇/(v_m l₀) speed, forces over F₀.
";

/// Symbols of the fields that all muscles have.
const SYMBOLS_OF_MUSCLES: &str =
    " | F₀ `force` N | l₀ `fibre_length` m | l_s `tendon_length` m | α₀ `pennation` rad | v_m `speed` 1/s | β `damping` |
 | u `excitation` | τ_a `rise` s | τ_d `fall` s | b `smoothing` | ε_T `tendon_strain` |";

const SCANNED: &str = "## Continuity

Found by scanning, not by reading the equations: an interval over which the force changes by more than 1e-4 of its range is halved until the change goes away, which is continuity, or stays, which is
a jump. C0 is the force itself, C1 its slope, taken from differences of the force. Every law has the numbers of its page. At a jump an integrator with error control cuts its steps; a kink costs it
accuracy; both break derivatives.
";

const FRICTION: &str = "
Friction over slip v at F_n = 100 N, and over F_n through the first touch while slipping. `no if viscosity > 0`: the drag does not grow with the normal force, so it is there at once. The peak is without
viscosity, with μ_d = 0.8 μ_s; `-` for laws that rise to their limit and stay there. Whether a law opposes slip is looked at down to a load of 0.01 N.

";

const NORMAL: &str = "
Normal force over depth, through touch-down at 0.5 m/s and through separation at 0.3 m/s. A law clips when it would pull on a fast retreat and zero is given instead. The impact is one of 1 kg with no other
force; `volumetric` is a sphere of radius 30 mm.

";

const REFERENCES: &str = "
## Theses that the pages cite

- Brown 2017: P. Brown, Contact Modelling for Forward Dynamics of Human Motion, University of Waterloo.
- Marques 2015: J. V. C. A. Marques, Development of a Leg and Foot Model with Ground Contact for Analysis and Simulation of Human Gait, Instituto Superior Técnico, Lisbon.
- Saraiva 2022: M. L. B. Saraiva, Development and Implementation of a Biomechanical Multibody Model for Human Motion Analysis, Universidade do Minho.
";

/// What the scans of all laws found.
struct Scanned {
    friction: Vec<FrictionRow>,
    normal: Vec<NormalRow>,
}

/// All pages: path below the sources of the book, and text.
pub fn pages() -> Result<Vec<(String, String)>, Fault> {
    let scanned = Scanned { friction: friction_rows()?, normal: normal_rows()? };
    let mut pages = vec![("laws.md".to_string(), overview(&scanned))];
    for (family, kind) in laws() {
        let portrait = (family.portrait)(kind)?;
        pages.push((format!("laws/{}.md", kind.name), page(family, kind, &portrait, &scanned)));
        pages.push((format!("laws/{}.svg", kind.name), picture::svg(kind.name, &portrait)));
    }
    pages.push(("muscle-laws.md".to_string(), overview_of_muscles()));
    for (section, kind) in muscle::laws() {
        let portrait = muscle::portrait(section, kind);
        pages.push((format!("laws/{}.md", kind.name), page_of_muscle(section, kind, &portrait)));
        pages.push((format!("laws/{}.svg", kind.name), picture::svg(kind.name, &portrait)));
    }
    Ok(pages)
}

/// Writes the pages below a folder, removes pages of laws that are no more, and lists all in its `SUMMARY.md`.
pub fn write(folder: &Path, pages: &[(String, String)]) -> io::Result<()> {
    let own = folder.join("laws");
    fs::create_dir_all(&own)?;
    for entry in fs::read_dir(&own)? {
        let entry = entry?;
        let name = format!("laws/{}", entry.file_name().to_string_lossy());
        let ours = name.ends_with(".md") || name.ends_with(".svg");
        if ours && pages.iter().all(|(path, _)| *path != name) {
            fs::remove_file(entry.path())?;
        }
    }
    for (path, text) in pages {
        fs::write(folder.join(path), text)?;
    }
    let summary = folder.join("SUMMARY.md");
    match fs::read_to_string(&summary) {
        Ok(text) => fs::write(&summary, listed(&text)),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => fs::write(&summary, listed("# Summary\n\n")),
        Err(fault) => Err(fault),
    }
}

/// The summary with the laws of today under their overviews, which stand at the end if they are new.
fn listed(summary: &str) -> String {
    let of_contact = chapter(summary, OVERVIEW, laws().map(|(_, kind)| kind.name));
    chapter(&of_contact, MUSCLES, muscle::laws().map(|(_, kind)| kind.name))
}

/// The summary with these pages under the line of a chapter.
fn chapter<'n>(summary: &str, overview: &str, names: impl Iterator<Item = &'n str>) -> String {
    let mut block = format!("{overview}\n");
    for name in names {
        let _ = writeln!(block, "  - [`{name}`](laws/{name}.md)");
    }
    let mut text = String::new();
    let (mut inside, mut found) = (false, false);
    for line in summary.lines() {
        inside = if line == overview { true } else { inside && line.starts_with("  ") };
        if line == overview {
            text.push_str(&block);
            found = true;
        }
        if !inside {
            text.push_str(line);
            text.push('\n');
        }
    }
    if !found {
        text.push_str(&block);
    }
    text
}

fn link(name: &str) -> String {
    format!("[`{name}`](laws/{name}.md)")
}

fn overview(scanned: &Scanned) -> String {
    let mut text = OPENING.to_string();
    for family in &FAMILIES {
        let _ = write!(text, "\n## {}\n\n{}.\n\n", capital(family.name), capital(family.doc));
        text.push_str(&tables::list(family.kinds, |kind| link(kind.name)).markdown());
    }
    text.push_str(&format!("\n{SCANNED}{FRICTION}"));
    text.push_str(&tables::friction(&scanned.friction, link).markdown());
    text.push_str(NORMAL);
    text.push_str(&tables::normal(&scanned.normal, link).markdown());
    text.push_str(REFERENCES);
    text
}

fn overview_of_muscles() -> String {
    let mut text = OPENING_OF_MUSCLES.to_string();
    for (section, title, doc) in muscle::SECTIONS {
        let _ = write!(text, "\n## {}\n\n{}.\n\n", capital(title), capital(doc));
        text.push_str(&muscle::list(section, |kind| link(kind.name)).markdown());
    }
    let _ = write!(text, "\n## Fields of every muscle\n\n");
    text.push_str(&muscle::fields(common("muscle"), &About::of(SYMBOLS_OF_MUSCLES)).markdown());
    text
}

/// What the comment of a law says before its numbers, under its name.
fn opening(name: &str, doc: &str, place: &str, about: &About) -> String {
    let mut text = format!("# `{name}`\n\n{doc}. A law of [{place}).\n\n");
    let _ = writeln!(text, "{}\n\n```text\n{}\n```\n", about.what, about.equations.join("\n"));
    for note in &about.notes {
        let _ = writeln!(text, "{}\n", linked(note));
    }
    text
}

/// The picture of a law.
fn drawn(name: &str, portrait: &[Panel]) -> String {
    let captions: Vec<&str> = portrait.iter().map(|panel| panel.caption.as_str()).collect();
    format!("![Curves of {name}: {}]({name}.svg)\n\n", captions.join("; ").replace('`', ""))
}

/// What the comment of a law says at its end.
fn closing(about: &About) -> String {
    let mut text = String::new();
    for (head, part) in [("Source", &about.source), ("Departures", &about.departures), ("Limits", &about.limits), ("Tests", &about.tests)] {
        if !part.is_empty() {
            let _ = writeln!(text, "**{head}:** {}\n", linked(part));
        }
    }
    text
}

fn page_of_muscle(section: &str, kind: &borelli_model::Kind, portrait: &[Panel]) -> String {
    let about = muscle::told(section, kind);
    let title = muscle::SECTIONS.iter().find(|(own, ..)| *own == section).map_or(section, |(_, title, _)| title);
    let mut text = opening(kind.name, kind.doc, &format!("{title}](../muscle-laws.md#{title}"), &about);
    if !kind.fields.is_empty() {
        let _ = writeln!(text, "{}", muscle::fields(kind.fields, &about).markdown());
    }
    match section {
        "muscle" => text.push_str("Other fields are those of [every muscle](../muscle-laws.md#fields-of-every-muscle).\n\n"),
        _ if common(section).is_empty() => {}
        _ => drop(writeln!(text, "{}", muscle::fields(common(section), &about).markdown())),
    }
    text.push_str(&drawn(kind.name, portrait));
    text.push_str(&closing(&about));
    format!("{}\n", text.trim_end())
}

fn page(family: &Family, kind: &Kind, portrait: &[Panel], scanned: &Scanned) -> String {
    let about = About::of(kind.about);
    let name = kind.name;
    let mut text = opening(name, kind.doc, &format!("{0}](../laws.md#{0}", family.name), &about);
    text.push_str(&tables::parameters(kind, &about).markdown());
    let asked: Vec<String> = family.asked.iter().map(|[symbol, what, unit]| format!("{symbol} {what} ({unit})")).collect();
    let _ = writeln!(text, "\nAsked with {}.\n", asked.join(", "));
    for (greater, lesser) in kind.orders {
        let _ = writeln!(text, "`{greater}` may not be below `{lesser}`.\n");
    }
    if kind.remembers {
        text.push_str("Remembers the speed of the first touch of a contact, which must be kept until the contact opens.\n\n");
    }
    text.push_str(&drawn(name, portrait));
    let quoted = |name: &str| format!("`{name}`");
    let friction = tables::friction(scanned.friction.iter().filter(|row| row.law == name), quoted);
    let normal = tables::normal(scanned.normal.iter().filter(|row| row.law == name), quoted);
    for table in [friction, normal].iter().filter(|table| !table.rows.is_empty()) {
        let _ = writeln!(text, "{}", table.markdown());
    }
    text.push_str(&closing(&about));
    format!("{}\n", text.trim_end())
}

/// With a capital first letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Names of structs of laws, as comments have them, become links to their pages.
fn linked(text: &str) -> String {
    laws().fold(text.to_string(), |text, (_, kind)| {
        let of_struct: String = kind.name.split('-').map(capital).collect();
        text.replace(&format!("`{of_struct}`"), &format!("[`{0}`]({0}.md)", kind.name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_lists_every_law_once_and_keeps_the_rest() {
        let first = listed("# Summary\n\n- [A](a.md)\n");
        assert!(first.starts_with("# Summary\n\n- [A](a.md)\n- [Contact laws](laws.md)\n  - [`coulomb`](laws/coulomb.md)\n"), "{first}");
        assert!(first.contains("\n- [Laws of muscles and ligaments](muscle-laws.md)\n  - [`thelen`](laws/thelen.md)\n"), "{first}");
        let old = "- [A](a.md)\n- [Laws of muscles and ligaments](muscle-laws.md)\n- [Contact laws](laws.md)\n  - [`gone`](laws/gone.md)\n\
                   - [B](b.md)\n  - [C](c.md)\n";
        let text = listed(old);
        assert!(text.starts_with("- [A](a.md)\n- [Laws of muscles") && text.ends_with("- [B](b.md)\n  - [C](c.md)\n"), "{text}");
        assert!(!text.contains("gone") && text.matches("laws/").count() == laws().count() + muscle::laws().count());
        assert_eq!(listed(&text), text);
    }

    #[test]
    fn structs_become_links() {
        assert_eq!(linked("as `ThreeParameter` does, not `Three`"), "as [`three-parameter`](three-parameter.md) does, not `Three`");
        assert_eq!((capital("at rest"), capital("")), ("At rest".to_string(), String::new()));
    }
}
