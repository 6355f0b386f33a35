//! Tests of judging: numbers in the unit of the file, all kinds of measures, and every reason for which there is no number.

use super::*;
use crate::read::{Files, StudyFile};
use borelli_data::Column;

/// Samples of x = t² (m) and a = 30°·t (rad) at 0, 0.5, 1.
fn table(scale: f64) -> Trajectory {
    let mut table = Trajectory::new(vec![Column::new("coord.x.value", "m"), Column::new("coord.a.value", "rad")]).expect("columns");
    for t in [0.0, 0.5, 1.0] {
        table.push_row(&[t, scale * t * t, (30.0 * scale * t).to_radians()]).expect("a row");
    }
    table
}

fn scalars(evaluations: f64) -> Vec<Scalar> {
    vec![
        Scalar { name: "run.evaluations".into(), value: evaluations, unit: "1".into() },
        Scalar { name: "shoot.initial.speeds.a".into(), value: -1.0, unit: "rad/s".into() },
    ]
}

const HEAD: &str = "borelli = 1\ntitle = \"T\"\nmodel = \"pendulum\"\n[time]\nend = 1\n";

fn study(sweep: &str, expects: &[&str]) -> StudyFile {
    let lists: Vec<String> = expects.iter().map(|e| format!("[[expect]]\nquantity = \"q\"\nbasis = \"closed-form\"\n{e}\n")).collect();
    let text = format!("{HEAD}{sweep}{}", lists.concat());
    StudyFile::parse("t.toml", &text, Files::on_disk()).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// Judges expectations of a study with one case.
fn judged(expects: &[&str]) -> Vec<Judgement> {
    let (study, table, scalars) = (study("", expects), table(1.0), scalars(120.0));
    let result = CaseResult { name: "", trajectory: &table, scalars: &scalars, failure: None };
    judge("t", &study.expects, &study.cases, &[result], &Elsewhere::NOTHING)
}

fn one(expect: &str) -> Judgement {
    judged(&[expect]).remove(0)
}

#[test]
fn a_value_is_judged_and_shown_in_the_unit_it_is_written_in() {
    let good = one(
        "column = \"coord.a.value\"\nmeasure = \"value\"\nat = \"500 ms\"\nvalue = \"15.004 deg\"\ntolerance = \"0.005 deg\"\nsource = \"s\"\nnote = \"n\"",
    );
    assert_eq!((good.unit.as_str(), good.expected, good.tolerance, good.ok), ("deg", 15.004, 0.005, Some(true)));
    assert!((good.computed.unwrap() - 15.0).abs() < 1e-13);
    assert_eq!((good.study.as_str(), good.basis, good.source.as_str(), good.note.as_str()), ("t", "closed-form", "s", "n"));
    let bad = one("column = \"coord.a.value\"\nmeasure = \"value\"\nat = \"500 ms\"\nvalue = \"15.006 deg\"\ntolerance = \"0.005 deg\"");
    assert_eq!(bad.ok, Some(false));
    let bare = one("column = \"coord.x.value\"\nmeasure = \"max\"\nvalue = 1\ntolerance = 0");
    assert_eq!((bare.unit.as_str(), bare.computed, bare.ok), ("m", Some(1.0), Some(true)));
    // 1 mm in a value written in cm
    let mixed = one("column = \"coord.x.value\"\nmeasure = \"max\"\nvalue = \"100.05 cm\"\ntolerance = \"1 mm\"");
    assert!((mixed.tolerance - 0.1).abs() < 1e-15 && mixed.computed == Some(100.0) && mixed.ok == Some(true), "{mixed:?}");
}

#[test]
fn a_number_that_is_known_to_be_missed_is_shown_and_fails_when_it_is_met() {
    let expect =
        |value: &str| format!("column = \"coord.x.value\"\nmeasure = \"max\"\nvalue = \"{value}\"\ntolerance = \"1 mm\"\nreached = false");
    let missed = one(&expect("1.1 m"));
    assert_eq!((missed.ok, missed.computed, missed.only_shown()), (None, Some(1.0), true));
    let met = one(&expect("1 m"));
    assert!(met.ok == Some(false) && met.note.contains("take out `reached = false`"), "{met:?}");
}

#[test]
fn the_tolerance_of_a_bound_lies_beyond_it() {
    // The largest value of x is 1 m.
    let met = |bound: &str, value: &str| {
        one(&format!("column = \"coord.x.value\"\nmeasure = \"max\"\nvalue = {value}\ntolerance = 0.1\nbound = \"{bound}\"")).ok
    };
    for (value, at_least, at_most) in [("0.5", true, false), ("0.95", true, true), ("1.05", true, true), ("1.5", false, true)] {
        assert_eq!((met("at-least", value), met("at-most", value)), (Some(at_least), Some(at_most)), "{value}");
    }
}

#[test]
fn a_bound_is_met_from_its_side_only() {
    let with = |bound: &str, value: &str| one(&format!("column = \"run.evaluations\"\nvalue = {value}\nbound = \"{bound}\"")).ok;
    assert_eq!([with("at-most", "120"), with("at-most", "119"), with("at-most", "1e9")], [Some(true), Some(false), Some(true)]);
    assert_eq!([with("at-least", "120"), with("at-least", "121"), with("at-least", "-1")], [Some(true), Some(false), Some(true)]);
    assert!(one("column = \"run.evaluations\"\nvalue = 1\nbound = \"at-least\"").note.contains("a lower bound"));
}

#[test]
fn formulas_and_numbers_of_the_run_can_be_measured() {
    let formula = one("formula = \"2*coord.x.value - 1\"\nmeasure = \"last\"\nvalue = \"1 m\"\ntolerance = \"1e-12 m\"");
    assert_eq!((formula.computed, formula.ok), (Some(1.0), Some(true)));
    let speed = one("column = \"shoot.initial.speeds.a\"\nvalue = \"-57.29578 deg/s\"\ntolerance = \"1e-5 deg/s\"");
    assert_eq!(speed.ok, Some(true), "{speed:?}");
    let time = one("column = \"time\"\nmeasure = \"last\"\nvalue = \"1000 ms\"\ntolerance = \"0 ms\"");
    assert_eq!((time.unit.as_str(), time.ok), ("ms", Some(true)));
    let crossing = one("column = \"coord.a.value\"\nmeasure = \"crossing\"\nlevel = \"15 deg\"\nvalue = \"0.5 s\"\ntolerance = \"1e-9 s\"");
    assert_eq!(crossing.ok, Some(true), "{crossing:?}");
}

#[test]
fn what_cannot_be_computed_is_not_met_and_says_why() {
    for (expect, why) in [
        ("column = \"coord.y.value\"\nmeasure = \"last\"\nvalue = 1\ntolerance = 1", "did you mean `coord.x.value`?"),
        ("column = \"run.evaluation\"\nvalue = 1\ntolerance = 1", "did you mean `run.evaluations`?"),
        ("column = \"coord.x.value\"\nvalue = 1\ntolerance = 1", "is a column; say with `measure`"),
        (
            "column = \"coord.x.value\"\nmeasure = \"last\"\nvalue = \"1 s\"\ntolerance = \"1 s\"",
            "computed value is in m, the expected one in s",
        ),
        ("column = \"coord.x.value\"\nmeasure = \"value\"\nat = 7\nvalue = 1\ntolerance = 1", "outside the samples"),
        ("column = \"coord.x.value\"\nmeasure = \"crossing\"\nlevel = \"2 s\"\nvalue = 1\ntolerance = 1", "`level`: expected m, found s"),
        ("formula = \"coord.x.value + coord.a.value\"\nmeasure = \"last\"\nvalue = 1\ntolerance = 1", "m and rad"),
        ("formula = \"ln(coord.x.value - coord.x.value)\"\nmeasure = \"last\"\nvalue = 1\ntolerance = 1", ""),
    ] {
        let judgement = one(expect);
        assert!(judgement.ok == Some(false) && judgement.computed.is_none() && judgement.note.contains(why), "{expect}\n{judgement:?}");
    }
}

#[test]
fn a_failed_run_meets_nothing_but_what_is_said_of_the_run_itself() {
    let study = study(
        "",
        &[
            "column = \"coord.x.value\"\nmeasure = \"last\"\nvalue = 1\ntolerance = 1",
            "column = \"run.evaluations\"\nvalue = 120\ntolerance = 0",
        ],
    );
    let (table, scalars) = (table(1.0), scalars(120.0));
    let result = CaseResult { name: "", trajectory: &table, scalars: &scalars, failure: Some("the step became too small") };
    let judgements = judge("t", &study.expects, &study.cases, &[result], &Elsewhere::NOTHING);
    assert_eq!(judgements.iter().map(|j| j.ok).collect::<Vec<_>>(), [Some(false), Some(true)]);
    assert!(judgements[0].note.contains("the run failed: the step became too small"));
    let none = judge("t", &study.expects, &study.cases, &[], &Elsewhere::NOTHING);
    assert!(none.iter().all(|j| j.ok == Some(false) && j.note.contains("there is no result")));
}

#[test]
fn cases_are_judged_one_by_one_and_compared_with_each_other() {
    let study = study(
        "[integrator]\nmethod = \"rk4\"\n[sweep]\ncase = [\"a\", \"b\", \"c\"]\n\"integrator.step\" = [\"0.4 s\", \"0.2 s\", 0.1]\n",
        &[
            "column = \"coord.x.value\"\nmeasure = \"last\"\ncases = \"all\"\nvalue = 1\ntolerance = 0.5",
            "column = \"run.evaluations\"\nmeasure = \"ratio\"\ncase = \"b\"\nagainst = { case = \"a\" }\nvalue = 2\ntolerance = 0",
            "column = \"coord.x.value\"\nmeasure = \"order\"\nof = \"last\"\nover = \"integrator.step\"\nagainst = { value = \"1 m\" }\nvalue = 2\ntolerance = 1e-9",
            "column = \"coord.x.value\"\nmeasure = \"distance\"\nnorm = \"max\"\ncase = \"a\"\nagainst = { case = \"b\" }\nvalue = \"12 cm\"\ntolerance = \"1e-9 cm\"",
            "column = \"coord.x.value\"\nmeasure = \"order\"\nof = \"distance\"\nover = \"integrator.step\"\nagainst = { file = \"x.csv\" }\nvalue = 2\ntolerance = 1e-9",
            "column = \"coord.x.value\"\nmeasure = \"ratio\"\nof = \"last\"\ncase = \"a\"\nagainst = { study = \"other\", column = \"coord.a.value\" }\nvalue = \"2 m/rad\"\nbound = \"at-least\"",
        ],
    );
    // x(1) = 1 + h² with steps 0.4, 0.2, 0.1
    let tables: Vec<Trajectory> = [0.4, 0.2, 0.1].iter().map(|h| table(1.0 + h * h)).collect();
    let lists: Vec<Vec<Scalar>> = [100.0, 200.0, 400.0].iter().map(|n| scalars(*n)).collect();
    let names = ["a", "b", "c"];
    let result = |k: usize| CaseResult { name: names[k], trajectory: &tables[k], scalars: &lists[k], failure: None };
    let results: Vec<CaseResult> = (0..3).map(result).collect();
    let exact = table(1.0);
    let elsewhere = Elsewhere {
        table: &|name| (name == "x.csv").then(|| exact.clone()),
        study: &|study, case| (study == "other" && case.is_empty()).then(|| result(0)),
    };
    let judgements = judge("t", &study.expects, &study.cases, &results, &elsewhere);
    let shown: Vec<(&str, Option<bool>)> = judgements.iter().map(|j| (j.quantity.as_str(), j.ok)).collect();
    let good = Some(true);
    let expected =
        [("q (a)", good), ("q (b)", good), ("q (c)", good), ("q", good), ("q", good), ("q", good), ("q", good), ("q", Some(false))];
    assert_eq!(shown, expected, "{judgements:#?}");
    assert_eq!((judgements[3].unit.as_str(), judgements[7].unit.as_str()), ("1", "m/rad"));
    let without = judge("t", &study.expects, &study.cases, &results, &Elsewhere::NOTHING);
    assert_eq!([without[6].ok, without[7].ok], [None, None], "no verdict without data");
    assert!(without[6].note.contains("the reference `x.csv` is not there") && without[7].note.contains("the study `other` has no result"));
}

#[test]
fn several_columns_are_compared_with_those_of_a_file_in_their_order() {
    let study = study(
        "",
        &[
            "columns = [\"coord.x.value\", \"coord.x.value\"]\nmeasure = \"distance\"\nnorm = \"rms\"\nagainst = { file = \"r.csv\", file_columns = [\"u\", \"v\"] }\nvalue = \"5 mm\"\ntolerance = \"1e-9 mm\"",
        ],
    );
    let own = table(1.0);
    let mut reference = Trajectory::foreign(vec![Column::new("v", "m"), Column::new("u", "m")]).expect("columns");
    // u is 1 mm off, v is 7 mm off: rms √((1 + 49)/2) = 5 mm
    for t in [0.0, 0.5, 1.0] {
        reference.push_row(&[t, t * t + 0.007, t * t - 0.001]).expect("a row");
    }
    let scalars = scalars(1.0);
    let result = CaseResult { name: "", trajectory: &own, scalars: &scalars, failure: None };
    let elsewhere = Elsewhere { table: &|_| Some(reference.clone()), study: &|_, _| None };
    let judgement = judge("t", &study.expects, &study.cases, &[result], &elsewhere).remove(0);
    assert_eq!(judgement.ok, Some(true), "{judgement:?}");
}

#[test]
fn a_file_with_rounded_times_is_compared_at_its_rate() {
    let subject = "column = \"coord.x.value\"\nmeasure = \"distance\"\nnorm = \"max\"\nvalue = \"0 mm\"\ntolerance = \"0.01 mm\"\n";
    let with = |rate: &str| format!("{subject}against = {{ file = \"r.csv\"{rate} }}");
    let study = study("", &[&with(", file_rate = \"30 Hz\""), &with(""), &with(", file_rate = \"20 Hz\"")]);
    let own = table(1.0);
    let mut reference = Trajectory::foreign(vec![Column::new("coord.x.value", "m")]).expect("columns");
    for k in 0..=30 {
        let t = f64::from(k) / 30.0;
        reference.push_row(&[(100.0 * t).round() / 100.0, t * t]).expect("a row");
    }
    let scalars = scalars(1.0);
    let result = CaseResult { name: "", trajectory: &own, scalars: &scalars, failure: None };
    let elsewhere = Elsewhere { table: &|_| Some(reference.clone()), study: &|_, _| None };
    let judged: Vec<Option<bool>> = judge("t", &study.expects, &study.cases, &[result], &elsewhere).iter().map(|j| j.ok).collect();
    assert_eq!(judged, [Some(true), Some(false), Some(false)]);
}

#[test]
fn what_cannot_be_judged_is_found_before_anything_runs() {
    let (empty, numbers) = (Trajectory::new(table(1.0).columns().to_vec()).expect("columns"), scalars(0.0));
    let result = CaseResult { name: "", trajectory: &empty, scalars: &numbers, failure: None };
    let tail = "value = 1\ntolerance = 1";
    for (fields, code, hint) in [
        ("column = \"coord.x.vaule\"\nmeasure = \"last\"", "no-such-column", "did you mean `coord.x.value`?"),
        ("column = \"run.evaluation\"", "no-such-number", "did you mean `run.evaluations`?"),
        ("column = \"coord.x.value\"", "measure-missing", "`measure`"),
        ("formula = \"coord.x.value + coord.a.value\"\nmeasure = \"last\"", "unequal-dimensions", ""),
        ("formula = \"2*coord.y.value\"\nmeasure = \"last\"", "bad-formula", ""),
        ("column = \"coord.x.value\"\nmeasure = \"crossing\"\nlevel = \"1 rad\"", "wrong-unit", ""),
        ("column = \"coord.x.value\"\nmeasure = \"ratio\"\nof = \"last\"\nagainst = { column = \"coord.z.value\" }", "no-such-column", ""),
    ] {
        let study = study("", &[&format!("{fields}\n{tail}"), "column = \"coord.x.value\"\nmeasure = \"last\"\nvalue = 1\ntolerance = 1"]);
        let findings = check(&study.expects, &[result]);
        let found: Vec<_> = findings.iter().collect();
        assert_eq!(found.iter().map(|finding| finding.code).collect::<Vec<_>>(), [code], "{fields}");
        assert!(found[0].at == Some(study.expects[0].at) && found[0].hint.clone().unwrap_or_default().contains(hint), "{found:?}");
    }
    let speed = study("", &["column = \"shoot.initial.speeds.a\"\nvalue = \"-1 m\"\ntolerance = \"1 m\""]);
    assert_eq!(check(&speed.expects, &[result]).iter().next().map(|finding| finding.code), Some("wrong-unit"));
}

#[test]
fn a_failure_is_expected_where_completed_must_be_zero() {
    let expected = |fields: &str| expects_failure(&study("", &[fields]).expects, "");
    assert!(expected("column = \"run.completed\"\nvalue = 0\ntolerance = 0"));
    assert!(expected("column = \"run.completed\"\nvalue = 0.5\nbound = \"at-most\""));
    assert!(!expected("column = \"run.completed\"\nvalue = 1\ntolerance = 0"));
    assert!(!expected("column = \"run.completed\"\nvalue = 0\ntolerance = 1"));
    assert!(!expected("column = \"run.evaluations\"\nvalue = 0\ntolerance = 0"));
    let swept = study(
        "[sweep]\ncase = [\"a\", \"b\"]\n\"integrator.rtol\" = [1e-3, 1e-6]\n",
        &["case = \"a\"\ncolumn = \"run.completed\"\nvalue = 0\ntolerance = 0"],
    );
    assert!(expects_failure(&swept.expects, "a") && !expects_failure(&swept.expects, "b"));
}
