//! Examples of the book give the numbers that the book says.
//! Not here: formats and types, which `tidy` holds against the schema.

use crate::runs::Place;
use crate::{borelli, root, stderr, stdout};
use borelli::data::{ReadOptions, read_table};
use std::fs;
use std::path::Path;

/// What stands between ` ```kind ` and the closing mark, once on a page.
fn block<'t>(page: &'t str, kind: &str) -> &'t str {
    let (_, rest) = page.split_once(&format!("\n```{kind}\n")).unwrap_or_else(|| panic!("no block of {kind}"));
    rest.split_once("```").expect("an end").0
}

#[test]
fn the_bar_of_natural_coordinates_moves_as_computed_by_hand() {
    let page = fs::read_to_string(root().join("docs/src/natural.md")).expect("the page");
    let place = Place::new("book-natural");
    place.write("bar.toml", block(&page, "toml"));
    let command: Vec<&str> = block(&page, "text").trim().strip_prefix("$ borelli ").expect("a command").split(' ').collect();
    let output = place.borelli(&command);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let table =
        read_table(&place.path("bar-run/trajectory.csv"), &ReadOptions::default()).unwrap_or_else(|fault| panic!("{fault}")).trajectory;
    let mut compared = 0;
    for line in page.lines() {
        let cells: Vec<&str> = line.trim_matches(['|', ' ']).split(" | ").collect();
        let [name, said] = cells[..] else { continue };
        let (Some(name), Ok(value)) = (name.strip_prefix('`').and_then(|name| name.strip_suffix('`')), said.parse::<f64>()) else {
            continue;
        };
        let found = table.column(name).unwrap_or_else(|| panic!("no column {name}"))[0];
        // The page has four digits behind the point.
        assert!((found - value).abs() <= 0.5001e-4, "{name}: {found}, the page says {value}");
        compared += 1;
    }
    assert_eq!(compared, 4);
}

#[test]
fn the_rods_of_segment_chains_move_as_computed_by_hand() {
    let page = fs::read_to_string(root().join("docs/src/segment-chain.md")).expect("the page");
    let place = Place::new("book-chain");
    place.write("rods.toml", block(&page, "toml"));
    let (mut commands, mut compared) = (0, 0);
    for part in page.split("```text\n$ borelli ").skip(1) {
        let (command, rest) = part.split_once("\n```").expect("an end");
        let (before, quoted) = command.split_once('\'').unwrap_or((command, ""));
        let mut words: Vec<&str> = before.split_whitespace().collect();
        words.extend((!quoted.is_empty()).then(|| quoted.trim_end_matches('\'')));
        words.push("--json");
        let output = place.borelli(&words);
        assert_eq!(output.status.code(), Some(0), "{command}: {}{}", stdout(&output), stderr(&output));
        let answer: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        commands += 1;
        // The table under a command ends where the next text begins.
        for line in rest.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|')).skip(2) {
            let cells: Vec<&str> = line.trim_matches(['|', ' ']).split(" | ").collect();
            let (name, said) = (cells[0].trim_matches('`'), cells[1].parse::<f64>().expect("a number"));
            let found = answer["variables"].as_array().expect("a list").iter().find(|variable| variable["name"] == name);
            let value = found.unwrap_or_else(|| panic!("{command}: no `{name}`"))["value"].as_f64().expect("a number");
            assert!((value - said).abs() <= 0.5001e-6, "{command}: {name} is {value}, the page says {said}");
            compared += 1;
        }
    }
    assert_eq!((commands, compared), (6, 15));
}

/// Names of the files of a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|fault| panic!("{}: {fault}", folder.display()));
    let mut names: Vec<String> = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Whether two texts differ in numbers only, and these by two hundredths of a pixel at most: functions of the C library round differently elsewhere.
fn same_drawing(one: &str, other: &str) -> bool {
    fn parts(text: &str) -> Vec<&str> {
        text.split_inclusive(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).collect()
    }
    let near = |(a, b): (&&str, &&str)| {
        // A number, and the letter behind it.
        let split = |part: &str| part.char_indices().next_back().map(|(last, _)| (part[..last].parse::<f64>(), part[last..].to_string()));
        a == b || matches!((split(a), split(b)), (Some((Ok(x), s)), Some((Ok(y), t))) if s == t && (x - y).abs() <= 0.02)
    };
    let (one, other) = (parts(one), parts(other));
    one.len() == other.len() && one.iter().zip(&other).all(near)
}

/// `BORELLI_BLESS=1` writes the pages anew; read the difference before committing it.
#[test]
fn the_pages_of_laws_are_what_the_laws_say() {
    let book = root().join("docs/src");
    if std::env::var_os("BORELLI_BLESS").is_some() {
        let output = borelli(&["laws", "--book", "docs/src"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    let place = Place::new("book-laws");
    place.write("src/SUMMARY.md", &read(&book.join("SUMMARY.md")));
    // A page of a law that is no more goes.
    place.write("src/laws/phlogiston.md", "");
    let output = place.borelli(&["laws", "--book", "src"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let written = place.path("src/laws");
    assert_eq!(names(&book.join("laws")), names(&written), "`BORELLI_BLESS=1` writes them anew");
    let laws = names(&written).into_iter().map(|name| format!("laws/{name}"));
    for name in laws.chain(["laws.md", "muscle-laws.md", "SUMMARY.md"].map(String::from)) {
        let (committed, now) = (read(&book.join(&name)), read(&place.path("src").join(&name)));
        let same = if name.ends_with(".svg") { same_drawing(&committed, &now) } else { committed == now };
        assert!(same, "docs/src/{name} is not what the laws say; `BORELLI_BLESS=1` writes it anew");
    }
    // Coulomb jumps; the table says so.
    let overview = read(&book.join("laws.md"));
    assert!(overview.contains("| [`coulomb`](laws/coulomb.md) | no | no | yes |"), "{overview}");
}

#[test]
fn drawings_are_the_same_up_to_a_fiftieth_of_a_pixel() {
    let drawing = "<path d=\"M10.25 -3.10L4 5\"/>";
    assert!(same_drawing(drawing, drawing) && same_drawing(drawing, &drawing.replace("10.25", "10.26")));
    for other in [drawing.replace("10.25", "10.28"), drawing.replace("-3.10", "3.10"), drawing.replace('L', "M"), drawing.replace(" 5", "")]
    {
        assert!(!same_drawing(drawing, &other), "{other}");
    }
}
