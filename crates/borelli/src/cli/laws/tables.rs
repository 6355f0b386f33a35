//! Tables of laws: the list, the parameters of one, what the scans found.
//! Not here: scanning (`borelli_contact::continuity`), how a table is laid out (`text`).

use crate::cli::text::Table;
use borelli::report::significant;
use borelli_contact::catalogue::About;
use borelli_contact::continuity::{FrictionRow, NormalRow};
use borelli_contact::law::{Declaration, Kind};

/// A name with its unit in parentheses; a pure number alone.
fn with_unit(p: &Declaration) -> String {
    if p.unit == "1" { p.name.to_string() } else { format!("{} ({})", p.name, p.unit) }
}

/// Laws of one family.
pub fn list(kinds: &[Kind], name: impl Fn(&Kind) -> String) -> Table {
    let row = |kind: &Kind| {
        let parameters: Vec<String> = kind.parameters.iter().map(with_unit).collect();
        let memory = if kind.remembers { "first touch" } else { "-" };
        vec![name(kind), parameters.join(", "), memory.into(), kind.doc.into()]
    };
    Table { heads: vec!["law", "parameters (units)", "memory", "what it is"], rows: kinds.iter().map(row).collect() }
}

/// Parameters of one law.
pub fn parameters(kind: &Kind, about: &About) -> Table {
    let row = |(p, typical): (&Declaration, &Option<f64>)| {
        let number = |x: Option<f64>| x.map_or("-".into(), |x| significant(x, 6));
        let symbol = about.symbol(p.name).unwrap_or("-").to_string();
        vec![symbol, p.name.into(), p.unit.into(), p.range.to_string(), number(p.need.default()), number(*typical), p.doc.into()]
    };
    Table {
        heads: vec!["symbol", "parameter", "unit", "range", "default", "drawn with", "meaning"],
        rows: kind.parameters.iter().zip(kind.typical).map(row).collect(),
    }
}

/// What the scans of friction laws found.
pub fn friction<'r>(rows: impl IntoIterator<Item = &'r FrictionRow>, name: impl Fn(&str) -> String) -> Table {
    let row = |row: &FrictionRow| {
        let peak = |number: fn(&borelli_contact::continuity::Peak) -> String| row.peak.as_ref().map_or("-".into(), number);
        let mut cells = vec![name(row.law)];
        cells.extend([row.force, row.slope, row.touch, row.opposes].map(|verdict| verdict.to_string()));
        cells.extend([peak(|p| format!("{:.4}", p.size)), peak(|p| format!("{:.5}", p.speed)), row.parameters.to_string()]);
        cells
    };
    Table {
        heads: vec!["law", "C0 in v", "C1 in v", "C0 in F_n at touch-down", "opposes slip", "peak/(μ_s F_n)", "at v (m/s)", "parameters"],
        rows: rows.into_iter().map(row).collect(),
    }
}

/// What the scans of normal laws found.
pub fn normal<'r>(rows: impl IntoIterator<Item = &'r NormalRow>, name: impl Fn(&str) -> String) -> Table {
    let word = |yes: bool| if yes { "yes" } else { "no" }.to_string();
    let row = |row: &NormalRow| {
        vec![
            name(row.law),
            row.touch_down.to_string(),
            row.separation.to_string(),
            word(row.clips),
            word(row.clips_in_impact),
            format!("{:.4}", row.restitution),
            row.parameters.to_string(),
        ]
    };
    Table {
        heads: vec![
            "law",
            "C0 at touch-down",
            "C0 at separation",
            "can clip",
            "clips in a free impact",
            "restitution at 0.5 m/s",
            "parameters",
        ],
        rows: rows.into_iter().map(row).collect(),
    }
}
