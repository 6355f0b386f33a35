//! What holds for every law in the list: its comment has all parts, its names are its own, its curves are finite.

use super::*;

#[test]
fn every_law_says_what_it_is_with_equation_symbols_source_and_limits() {
    for (family, kind) in laws() {
        let (name, about) = (kind.name, About::of(kind.about));
        assert!(about.what.ends_with('.') && about.what.len() > 10, "{name}: {}", about.what);
        assert!(!about.equations.is_empty() && about.equations.iter().all(|line| !line.trim().is_empty()), "{name}");
        for (part, text) in [("source", &about.source), ("limits", &about.limits), ("tests", &about.tests)] {
            assert!(text.ends_with('.'), "{name}, {part}: {text:?}");
        }
        for parameter in kind.parameters {
            let symbol = about.symbol(parameter.name).unwrap_or_else(|| panic!("{name}: no symbol for {}", parameter.name));
            assert!(about.equations.iter().chain(&about.notes).any(|line| line.contains(symbol)), "{name}: {symbol} is nowhere");
        }
        assert!(kind.typical.iter().all(Option::is_some), "{name}: a number without typical value");
        assert_eq!(laws().filter(|(_, other)| other.name == name).count(), 1, "{name} stands in two families");
        assert!(find(name).is_some_and(|(found, _)| found.name == family.name));
    }
    assert!(find("colour").is_none());
}

#[test]
fn tests_that_comments_name_exist() {
    fn sources(folder: &std::path::Path, text: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, text);
            } else {
                text.push_str(&std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut text = String::new();
    sources(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut text);
    for (_, kind) in laws() {
        let tests = About::of(kind.about).tests;
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "{}", kind.name);
        for name in names {
            assert!(text.contains(&format!("#[test]\nfn {name}()")), "{}: no test `{name}`", kind.name);
        }
    }
}

#[test]
fn a_comment_is_taken_apart_as_it_is_written() {
    let about = About::of(
        " First\n line.\n\n ```text\n a = b   (1)\n   c\n ```\n\n with b of `Other`.\n\n | a `alpha`, b `beta` 1 | v slip m/s |\n\n \
         More. Source: someone\n 1999. Limits: none. Tests: `it_holds`.\n",
    );
    assert_eq!((about.what.as_str(), about.equations.len(), about.equations[1].as_str()), ("First line.", 2, "  c"));
    assert_eq!(about.notes, ["with b of `Other`.", "More."]);
    assert_eq!((about.symbol("alpha"), about.symbol("beta"), about.symbol("v")), (Some("a"), Some("b"), None));
    let parts = [&about.source, &about.departures, &about.limits, &about.tests];
    assert_eq!(parts, ["someone 1999.", "", "none.", "`it_holds`."]);
}

#[test]
fn curves_are_finite_but_for_their_jumps() {
    for (family, kind) in laws() {
        let panels = (family.portrait)(kind).unwrap();
        assert_eq!(panels.len(), 2, "{}", kind.name);
        for panel in &panels {
            assert!((1..=3).contains(&panel.curves.len()) && !panel.x.unit.is_empty() && !panel.y.unit.is_empty(), "{}", kind.name);
            for curve in &panel.curves {
                assert!(curve.x.len() == curve.y.len() && curve.x.len() > 40, "{} {}", kind.name, curve.x.len());
                let gaps = curve.y.iter().filter(|y| !y.is_finite()).count();
                assert!(gaps <= 1 && curve.x.iter().all(|x| x.is_finite()), "{} {gaps}", kind.name);
                let extent = curve.y.iter().filter(|y| y.is_finite()).fold(0.0_f64, |a, y| a.max(y.abs()));
                assert!(extent > 0.0, "{} {}: nothing to see", kind.name, curve.label);
            }
        }
        // The curves of a friction law break where the table says so.
        let broken = |k: usize| panels[k].curves.iter().any(|curve| curve.y.iter().any(|y| y.is_nan()));
        if family.name == "friction" {
            let rows = crate::continuity::friction_rows().unwrap();
            let row = rows.iter().find(|row| row.law == kind.name).unwrap();
            let jumps = |verdict| verdict != crate::continuity::Verdict::Yes;
            assert_eq!((broken(0), broken(1)), (jumps(row.force), jumps(row.touch)), "{}", kind.name);
        }
    }
}

/// An impact with a linear spring is half a swing: π √(m/k) long, v √(m/k) deep, v √(k m) strong.
#[test]
fn an_impact_on_a_spring_is_half_a_swing() {
    let k: f64 = 4e4;
    let law = impact::Striker::Point(Normal::new("hooke", &[("stiffness", k)]).unwrap());
    let struck = impact::strike(&law, 0.5);
    let end = struck.samples[struck.samples.len() - 1][0];
    assert!((end - std::f64::consts::PI / k.sqrt()).abs() < 1e-9, "{end}");
    let most = |column: usize| struck.samples.iter().fold(0.0_f64, |a, sample| a.max(sample[column]));
    // The nearest sample is within 12.5 µs of the top, where the swing is 3e-6 lower.
    assert!((most(1) * k.sqrt() / 0.5 - 1.0).abs() < 4e-6 && (most(2) / (0.5 * k.sqrt()) - 1.0).abs() < 4e-6);
    assert!((struck.restitution - 1.0).abs() < 1e-9 && !struck.clipped, "{}", struck.restitution);
}
