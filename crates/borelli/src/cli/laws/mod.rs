//! `borelli laws`: contact and friction laws, muscles and ligaments, their pages, curves and continuity.
//! Not here: the laws and what is found by scanning them (`borelli_contact`), pages of the book (`book`), tables (`tables`), JSON (`facts`).
//! Out: a list, a page, two tables, a picture, or the pages of the book.

mod book;
mod facts;
mod muscle;
mod picture;
mod tables;

use super::text::wrapped;
use super::{Entry, Exit, Output};
use borelli_contact::catalogue::{About, FAMILIES, Family, find, laws};
use borelli_contact::continuity::{friction_rows, normal_rows};
use borelli_contact::law::{Fault, Kind};
use borelli_model::suggest;
use clap::{ArgMatches, Args, FromArgMatches};
use serde_json::json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

pub static ENTRY: Entry = Entry {
    name: "laws",
    about: "List laws of contact, friction, muscles and ligaments, show one with its curves, or what is continuous",
    args: Laws::augment_args,
    run,
};

#[derive(Args)]
struct Laws {
    /// A law, by its name; all of them if left out
    #[arg(value_name = "LAW")]
    name: Option<String>,
    /// Draw the curves of the law into this file
    #[arg(long, value_name = "FILE", requires = "name")]
    svg: Option<PathBuf>,
    /// What is continuous and what is not, found by scanning every law
    #[arg(long, conflicts_with = "name")]
    continuity: bool,
    /// Write the pages of the book about laws below this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["name", "continuity", "json"])]
    book: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Laws::from_arg_matches(matches).map_err(io::Error::other)?;
    let answer = match (&args.name, &args.book) {
        (_, Some(folder)) => write_book(folder, output)?,
        (None, None) if args.continuity => continuity(args.json, output)?,
        (None, None) => list(args.json, output).map(Ok)?,
        (Some(name), None) => match find(if name == SUMMED { SUM_OF } else { name }) {
            Some((family, kind)) => show(family, kind, &args, output)?,
            None if muscle::find(name).is_some() => Ok(show_muscle(name, &args, output)?),
            None => {
                output.complain(&unknown(name));
                return Ok(Exit::BadInput);
            }
        },
    };
    Ok(answer.unwrap_or_else(|fault: Fault| {
        output.complain(&format!("error: {fault}\n"));
        Exit::Failed
    }))
}

/// The law of patches that has no page: another, summed over points.
const SUMMED: &str = "foundation";
const SUM_OF: &str = "volumetric";
const ABOUT_SUMMED: &str = "`foundation` is `volumetric` summed over points of the plane, with friction at the slip of each. It is slow, and the reference for `volumetric` with \
                            `spin`. It has the parameters below, and `pitch` (m, default 2 mm), the distance of the points.";

fn unknown(name: &str) -> String {
    let names = || laws().map(|(_, kind)| kind.name).chain([SUMMED]).chain(muscle::laws().map(|(_, kind)| kind.name));
    let hint = match suggest(name, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("one of {}", names().collect::<Vec<_>>().join(", ")),
    };
    format!("error[unknown-law]: there is no law `{name}`\n  hint: {hint}\n")
}

fn list(json: bool, output: &mut Output) -> io::Result<Exit> {
    if json {
        let of_contact = laws().map(|(family, kind)| facts::law(family, kind));
        output.json(&of_contact.chain(muscle::laws().map(|(section, kind)| muscle::facts(section, kind))).collect())?;
        return Ok(Exit::Good);
    }
    for family in &FAMILIES {
        output.text(&format!("{}: {}\n", family.name, family.doc))?;
        output.text(&tables::list(family.kinds, |kind| kind.name.to_string()).text())?;
        output.text("\n")?;
    }
    for (section, _, doc) in muscle::SECTIONS {
        output.text(&format!("{section}: {doc}\n{}\n", muscle::list(section, |kind| kind.name.to_string()).text()))?;
    }
    output.text(&format!("`{SUMMED}` is `{SUM_OF}` summed over points, and shares its page.\n"))?;
    output.text("`borelli laws LAW` shows one with its curves, `borelli laws --continuity` what is continuous.\n")?;
    Ok(Exit::Good)
}

fn continuity(json: bool, output: &mut Output) -> io::Result<Result<Exit, Fault>> {
    let (friction, normal) = match (friction_rows(), normal_rows()) {
        (Ok(friction), Ok(normal)) => (friction, normal),
        (Err(fault), _) | (_, Err(fault)) => return Ok(Err(fault)),
    };
    if json {
        output.json(&facts::continuity(&friction, &normal))?;
        return Ok(Ok(Exit::Good));
    }
    output.text(
        "friction, scanned over slip v at F_n = 100 N and over F_n through the first touch while slipping; peak without viscosity\n",
    )?;
    output.text(&tables::friction(&friction, str::to_string).text())?;
    output.text("\nnormal force, scanned over depth through touch-down at 0.5 m/s and separation at 0.3 m/s; impacts of 1 kg\n")?;
    output.text(&tables::normal(&normal, str::to_string).text())?;
    Ok(Ok(Exit::Good))
}

/// The page of a law of muscles, activation or ligaments.
fn show_muscle(name: &str, args: &Laws, output: &mut Output) -> io::Result<Exit> {
    let Some((section, kind)) = muscle::find(name) else { return Ok(Exit::BadInput) };
    let portrait = muscle::portrait(section, kind);
    if let Some(path) = &args.svg
        && let Err(fault) = fs::write(path, picture::svg(kind.name, &portrait))
    {
        output.complain(&format!("error: cannot write `{}`: {fault}\n", path.display()));
        return Ok(Exit::Failed);
    }
    if args.json {
        let mut value = muscle::facts(section, kind);
        value["panels"] = facts::curves(&portrait);
        output.json(&value)?;
    } else {
        output.text(&muscle::page(section, kind))?;
    }
    Ok(Exit::Good)
}

fn show(family: &Family, kind: &Kind, args: &Laws, output: &mut Output) -> io::Result<Result<Exit, Fault>> {
    let portrait = match (family.portrait)(kind) {
        Ok(portrait) => portrait,
        Err(fault) => return Ok(Err(fault)),
    };
    if let Some(path) = &args.svg
        && let Err(fault) = fs::write(path, picture::svg(kind.name, &portrait))
    {
        output.complain(&format!("error: cannot write `{}`: {fault}\n", path.display()));
        return Ok(Ok(Exit::Failed));
    }
    if args.json {
        let mut value = facts::law(family, kind);
        value["panels"] = facts::curves(&portrait);
        if args.name.as_deref() == Some(SUMMED) {
            value["asked_for"] = json!(SUMMED);
            value["note"] = json!(ABOUT_SUMMED);
        }
        output.json(&value)?;
        return Ok(Ok(Exit::Good));
    }
    if args.name.as_deref() == Some(SUMMED) {
        output.text(&format!("{}\n", wrapped(ABOUT_SUMMED)))?;
    }
    output.text(&page(family, kind))?;
    for panel in &portrait {
        output.text(&format!("\n{}", picture::sketch(panel)))?;
    }
    if let Some(path) = &args.svg {
        output.text(&format!("\n{}\n", path.display()))?;
    }
    Ok(Ok(Exit::Good))
}

/// What a law is, for a terminal.
fn page(family: &Family, kind: &Kind) -> String {
    let about = About::of(kind.about);
    let mut text = format!("{} ({}): {}\n\n{}\n", kind.name, family.name, kind.doc, wrapped(&about.what));
    for line in &about.equations {
        let _ = writeln!(text, "    {line}");
    }
    for note in &about.notes {
        let _ = write!(text, "\n{}", wrapped(note));
    }
    let asked: Vec<String> = family.asked.iter().map(|[symbol, what, unit]| format!("{symbol} {what} ({unit})")).collect();
    let _ = write!(text, "\n{}\n{}", tables::parameters(kind, &about).text(), wrapped(&format!("Asked with {}.", asked.join(", "))));
    for (greater, lesser) in kind.orders {
        let _ = writeln!(text, "`{greater}` may not be below `{lesser}`.");
    }
    if kind.remembers {
        text.push_str("Remembers the speed of the first touch of a contact, which must be kept until the contact opens.\n");
    }
    for (head, part) in [("Source", &about.source), ("Departures", &about.departures), ("Limits", &about.limits)] {
        if !part.is_empty() {
            text.push_str(&wrapped(&format!("{head}: {part}")));
        }
    }
    text
}

fn write_book(folder: &Path, output: &mut Output) -> io::Result<Result<Exit, Fault>> {
    let pages = match book::pages() {
        Ok(pages) => pages,
        Err(fault) => return Ok(Err(fault)),
    };
    if let Err(fault) = book::write(folder, &pages) {
        output.complain(&format!("error: cannot write below `{}`: {fault}\n", folder.display()));
        return Ok(Ok(Exit::Failed));
    }
    output.text(&format!("{} pages and pictures of laws below {}\n", pages.len(), folder.display()))?;
    Ok(Ok(Exit::Good))
}
