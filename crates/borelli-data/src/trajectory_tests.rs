//! Tests of trajectories: what a row and a column must be, what stands between samples.
//! Not here: files; the tests of `format` write and read them.

use super::*;
use crate::explain::Explain;

fn pendulum() -> Trajectory {
    Trajectory::new(vec![Column::new("coord.knee.value", "rad"), Column::new("joint.knee.reaction.force.x", "N")]).expect("columns")
}

fn plate() -> Trajectory {
    let columns = vec![Column::optional("ground.cop.x", "m"), Column::new("ground.cop.valid", "1")];
    Trajectory::new(columns).expect("columns")
}

#[test]
fn time_runs_forward_only() {
    let mut table = pendulum();
    table.push_row(&[-0.5, 1.0, 2.0]).expect("a row");
    table.push_row(&[0.0, 1.0, 2.0]).expect("a row");
    for time in [0.0, -0.0, -1.0] {
        assert_eq!(table.push_row(&[time, 1.0, 2.0]), Err(TableFault::TimeNotIncreasing { time, previous: 0.0 }));
    }
    assert_eq!(table.push_row(&[f64::NAN, 1.0, 2.0]).unwrap_err().code(), "value-not-finite");
    assert_eq!(table.push_row(&[f64::INFINITY, 1.0, 2.0]).unwrap_err().code(), "value-not-finite");
    assert_eq!(table.time(), [-0.5, 0.0], "a refused row leaves nothing behind");
    assert_eq!(table.column("coord.knee.value").expect("a column").len(), 2);
}

#[test]
fn a_row_has_a_finite_number_for_every_column() {
    let mut table = pendulum();
    assert_eq!(table.push_row(&[]), Err(TableFault::WrongRowLength { found: 0, expected: 3 }));
    assert_eq!(table.push_row(&[0.0, 1.0]), Err(TableFault::WrongRowLength { found: 2, expected: 3 }));
    assert_eq!(table.push_row(&[0.0; 4]), Err(TableFault::WrongRowLength { found: 4, expected: 3 }));
    let fault = table.push_row(&[0.25, 1.0, f64::NEG_INFINITY]).unwrap_err();
    assert_eq!(fault.message(), "column `joint.knee.reaction.force.x` is -inf at 0.25 s");
    assert!(table.is_empty());
}

#[test]
fn a_centre_of_pressure_may_be_missing_only_where_it_is_declared_so() {
    let mut table = plate();
    table.push_row(&[0.0, f64::NAN, 0.0]).expect("no contact");
    table.push_row(&[0.1, 0.3, 1.0]).expect("contact");
    assert_eq!(table.push_row(&[0.2, f64::NAN, 1.0]).unwrap_err().code(), "missing-but-valid");
    assert_eq!(table.push_row(&[0.2, 0.3, 0.5]).unwrap_err().code(), "bad-flag");
    assert_eq!(table.push_row(&[0.2, f64::INFINITY, 0.0]).unwrap_err().code(), "value-not-finite");
    assert_eq!(table.push_row(&[0.2, 0.3, f64::NAN]).unwrap_err().code(), "bad-flag");
    assert_eq!(table.len(), 2);
}

#[test]
fn columns_have_names_units_and_flags() {
    let code = |columns| Trajectory::new(columns).expect_err("a fault").code();
    for name in ["", "time", "knee", "coord..value", ".a.b", "coord.1st.value", "coord.knee value", "coord.knee.", "coord.Knie\u{e9}.x"] {
        assert_eq!(code(vec![Column::new(name, "m")]), "bad-column-name", "{name}");
    }
    assert_eq!(code(vec![Column::new("a.b", "m"), Column::new("a.b", "m")]), "duplicate-column");
    assert_eq!(code(vec![Column::new("a.b", "deg")]), "unit-not-si");
    assert_eq!(code(vec![Column::new("a.b", "furlong")]), "bad-column-unit");
    assert_eq!(code(vec![Column::new("a.b", "N\tm")]), "bad-column-unit");
    assert_eq!(code(vec![Column::optional("ground.cop.x", "m")]), "no-valid-column");
    assert_eq!(code(vec![Column::optional("ground.cop.x", "m"), Column::new("ground.valid", "1")]), "no-valid-column");
    assert_eq!(code(vec![Column::optional("a.valid", "1")]), "no-valid-column", "a flag is no flag of itself");
    let table = Trajectory::new(vec![Column::new("a.b", "")]).expect("a pure number");
    assert_eq!(table.columns()[0].unit.as_deref(), Some("1"));
}

#[test]
fn between_samples_a_straight_line_is_met_exactly() {
    let mut table = pendulum();
    // quarters are exact in binary, so the line f = 3 - 2 t has no rounding
    for t in [0.0, 0.5, 2.0, 4.0] {
        table.push_row(&[t, 3.0 - 2.0 * t, t]).expect("a row");
    }
    for k in 0..=16 {
        let t = 0.25 * f64::from(k);
        assert!((table.value_at(0, t).expect("inside") - (3.0 - 2.0 * t)).abs() <= 4.0 * f64::EPSILON, "at {t}");
    }
    let mut row = [0.0; 3];
    table.fill_row_at(3.0, &mut row).expect("inside");
    assert_eq!(row, [3.0, -3.0, 3.0]);
    for t in [-1e-9, 4.000001, f64::NAN] {
        assert_eq!(table.value_at(0, t).unwrap_err().code(), "outside-table");
    }
    assert_eq!(pendulum().value_at(0, 0.0).unwrap_err().code(), "outside-table");
}

#[test]
fn at_a_sample_the_value_keeps_its_bits_and_huge_spans_do_not_overflow() {
    let mut table = pendulum();
    let samples = [[-f64::MAX, -0.0, f64::MAX], [0.1, 5e-324, -f64::MAX], [f64::MAX, 0.3, 1.0]];
    for row in &samples {
        table.push_row(row).expect("a row");
    }
    for row in &samples {
        let mut found = [0.0; 3];
        table.fill_row_at(row[0], &mut found).expect("a sample");
        assert_eq!(found.map(f64::to_bits), row.map(f64::to_bits));
    }
    let middle = table.value_at(1, -0.5 * f64::MAX).expect("inside");
    assert!(middle.abs() < 1e300, "half way between largest and smallest is near zero: {middle:e}");
}

#[test]
fn beside_a_missing_value_nothing_is_invented() {
    let mut table = plate();
    for row in [[0.0, f64::NAN, 0.0], [1.0, 0.25, 1.0], [2.0, 0.75, 1.0]] {
        table.push_row(&row).expect("a row");
    }
    let mut row = [0.0; 3];
    table.fill_row_at(0.9, &mut row).expect("inside");
    assert!(row[1].is_nan());
    assert_eq!(row[2], 0.0, "a flag is not half true");
    table.fill_row_at(1.5, &mut row).expect("inside");
    assert_eq!(row, [1.5, 0.5, 1.0]);
}

#[test]
fn metadata_keep_their_order_and_refuse_what_a_file_would_change() {
    let mut table = pendulum();
    for (key, value) in [("program", "borelli 0.1.0"), ("model", "leg.toml"), ("settings.rtol", "1e-6"), ("empty", "")] {
        table.set_meta(key, value).expect("an entry");
    }
    table.set_meta("model", "arm.toml").expect("an entry");
    assert_eq!(table.metadata().iter().map(|(k, _)| k.as_str()).collect::<Vec<_>>(), ["program", "model", "settings.rtol", "empty"]);
    assert_eq!(table.meta("model"), Some("arm.toml"));
    assert_eq!(table.meta("none"), None);
    for key in ["", "two words", "1st", "a=b", "nRows", "UNITS", "endheader"] {
        assert_eq!(table.set_meta(key, "x").unwrap_err().code(), "bad-key", "{key}");
    }
    for value in ["two\nlines", " blank", "tab\t", "a\rb"] {
        assert_eq!(table.set_meta("key", value).unwrap_err().code(), "bad-header-text", "{value:?}");
    }
    for name in ["", " ", "a=b", "endheader", "version 3", "two\nlines"] {
        assert_eq!(table.set_name(name).unwrap_err().code(), "bad-header-text", "{name:?}");
    }
    table.set_name("ballistic gait").expect("a name");
    assert_eq!(table.name(), "ballistic gait");
}
