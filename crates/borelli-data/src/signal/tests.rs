//! What the tests of signals share.

use borelli_testkit::reference;
use std::collections::BTreeMap;

/// Columns of a reference file by name; cells that are no numbers are zero.
pub(super) fn columns(path: &str) -> Option<BTreeMap<String, Vec<f64>>> {
    let text = std::fs::read_to_string(reference(path)?).expect("readable");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let mut columns: BTreeMap<String, Vec<f64>> = names.iter().map(|name| (name.to_string(), Vec::new())).collect();
    for line in lines {
        for (name, cell) in names.iter().zip(line.split(',')) {
            columns.get_mut(*name).expect("of the header").push(cell.parse().unwrap_or(0.0));
        }
    }
    Some(columns)
}
