//! Judgements for people and for machines: a table, a count, JSON.
//! Not here: judging.
//! In: judgements. Out: text or JSON.

use borelli::results::number;
use borelli_study::expect::{Bound, Judgement};
use serde_json::{Value, json};
use std::fmt::Write;

/// As JSON, with the keys that other programs rely on.
pub fn as_json(judgement: &Judgement) -> Value {
    json!({
        "study": judgement.study,
        "quantity": judgement.quantity,
        "unit": judgement.unit,
        "basis": judgement.basis,
        "expected": number(judgement.expected),
        "computed": judgement.computed.map_or(Value::Null, number),
        "tolerance": number(judgement.tolerance),
        "ok": judgement.ok,
        "source": judgement.source,
        "note": judgement.note,
    })
}

/// A study of which nothing could be judged, with the keys of a judgement.
pub fn unjudged(study: &str, note: &str) -> Value {
    json!({
        "study": study,
        "quantity": "all",
        "unit": "",
        "basis": "",
        "expected": Value::Null,
        "computed": Value::Null,
        "tolerance": Value::Null,
        "ok": Value::Null,
        "source": "",
        "note": note,
    })
}

/// One word for people.
fn word(judgement: &Judgement) -> &'static str {
    match judgement.ok {
        Some(true) => "ok",
        Some(false) => "FAILED",
        None if judgement.only_shown() => "not reached",
        None => "no data",
    }
}

/// A number with the digits that the tolerance makes worth reading.
fn digits(x: f64, tolerance: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let power = |x: f64| x.abs().log10().floor() as i32;
    let (size, last) = (power(x), if tolerance > 0.0 { power(tolerance) - 1 } else { power(x) - 9 });
    let kept = (size - last).clamp(2, 15);
    let text = if (-4..7).contains(&size) { format!("{x:.*}", (kept - size).max(0) as usize) } else { format!("{x:.*e}", kept as usize) };
    // a count or a bound: no zeros that say nothing
    if tolerance == 0.0 && short(x).len() < text.len() { short(x) } else { text }
}

/// A number as it was given, in the shorter of the two ways.
fn short(x: f64) -> String {
    let (plain, power) = (x.to_string(), format!("{x:e}"));
    if plain.len() <= power.len() + 2 { plain } else { power }
}

/// The table: quantity, expected, computed, allowed, unit, verdict; notes of what is not well below their row.
pub fn table(judgements: &[Judgement]) -> String {
    let rows: Vec<[String; 6]> = judgements
        .iter()
        .map(|j| {
            let computed = j.computed.map_or("-".to_string(), |x| match j.bound {
                Bound::Within => digits(x, j.tolerance),
                Bound::AtLeast | Bound::AtMost => digits(x, x.abs() * 1e-2),
            });
            let expected = format!("{}{}", j.bound.sign(), short(j.expected));
            let tolerance = if j.bound != Bound::Within && j.tolerance == 0.0 { String::new() } else { short(j.tolerance) };
            [j.quantity.clone(), expected, computed, tolerance, j.unit.clone(), word(j).into()]
        })
        .collect();
    let heads = ["quantity", "expected", "computed", "allowed", "unit", "verdict"];
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).chain([heads[k].len()]).max().unwrap_or(0);
    let [w0, w1, w2, w3, w4, _] = [0, 1, 2, 3, 4, 5].map(width);
    let mut text = String::new();
    let mut line = |row: [&str; 6]| {
        let [quantity, expected, computed, allowed, unit, verdict] = row;
        let _ = writeln!(text, "  {quantity:<w0$}  {expected:>w1$}  {computed:>w2$}  {allowed:>w3$}  {unit:<w4$}  {verdict}");
    };
    line(heads);
    for (row, judgement) in rows.iter().zip(judgements) {
        line([0, 1, 2, 3, 4, 5].map(|k| row[k].as_str()));
        if judgement.ok != Some(true) && !judgement.note.is_empty() {
            line([&format!("  {}", judgement.note), "", "", "", "", ""]);
        }
    }
    // no blanks at the ends of lines
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// How many passed, failed, could not be judged, and are only shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub passed: usize,
    pub failed: usize,
    pub unjudged: usize,
    /// Numbers of others that the model is known to miss.
    pub shown: usize,
}

impl Count {
    pub fn of<'a>(judgements: impl IntoIterator<Item = &'a Judgement>) -> Count {
        let mut count = Count::default();
        for judgement in judgements {
            match judgement.ok {
                Some(true) => count.passed += 1,
                Some(false) => count.failed += 1,
                None if judgement.only_shown() => count.shown += 1,
                None => count.unjudged += 1,
            }
        }
        count
    }

    /// The last line for people.
    pub fn line(self) -> String {
        let failed = if self.failed > 0 { format!("{} FAILED", self.failed) } else { "0 failed".into() };
        let absent = if self.unjudged > 0 { ": reference data absent" } else { "" };
        let shown = if self.shown > 0 { format!("; {} not reached and only shown", self.shown) } else { String::new() };
        format!("{} passed, {failed}, {} could not be judged{absent}{shown}\n", self.passed, self.unjudged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judgement(ok: Option<bool>) -> Judgement {
        Judgement {
            study: "01-a".into(),
            quantity: "period".into(),
            unit: "s".into(),
            basis: "closed-form",
            expected: 2.006,
            computed: ok.map(|_| 2.006_066_680_710_647),
            tolerance: 1e-4,
            bound: Bound::Within,
            ok,
            source: "textbook".into(),
            note: "small swing".into(),
        }
    }

    #[test]
    fn json_has_exactly_the_agreed_keys_in_their_order() {
        let value = as_json(&judgement(None));
        let keys: Vec<&String> = value.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["study", "quantity", "unit", "basis", "expected", "computed", "tolerance", "ok", "source", "note"]);
        assert!(value["ok"].is_null() && value["computed"].is_null());
    }

    #[test]
    fn a_table_shows_the_digits_that_matter_and_why_something_failed() {
        let text = table(&[judgement(Some(true)), judgement(Some(false)), judgement(None)]);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>(), ["period", "2.006", "2.00607", "0.0001", "s", "ok"]);
        assert!(lines[2].ends_with("FAILED") && lines[3] == "small swing" && lines[4].ends_with("no data"), "{text}");
    }

    #[test]
    fn numbers_are_cut_to_a_tenth_of_the_tolerance() {
        for (x, tolerance, text) in [
            (1.234_567_89, 1e-3, "1.2346"),
            (-123_456.789, 1.0, "-123456.8"),
            (1.234_567_89e-9, 1e-12, "1.2346e-9"),
            (1.5e12, 1e11, "1.50e12"),
            (0.0, 1e-3, "0"),
            (1.0 / 3.0, 0.0, "0.3333333333"),
            (41.0, 0.0, "41"),
            (1.0, 0.0, "1"),
        ] {
            assert_eq!(digits(x, tolerance), text, "{x} {tolerance}");
        }
    }

    #[test]
    fn the_last_line_counts_what_could_not_be_judged() {
        let list = [judgement(Some(true)), judgement(None), judgement(Some(true)), judgement(Some(false))];
        let count = Count::of(&list);
        assert_eq!(count, Count { passed: 2, failed: 1, unjudged: 1, shown: 0 });
        assert_eq!(count.line(), "2 passed, 1 FAILED, 1 could not be judged: reference data absent\n");
        let shown = Judgement { ok: None, ..judgement(Some(true)) };
        assert!(Count::of([&shown]).line().ends_with("0 could not be judged; 1 not reached and only shown\n"));
        assert!(table(&[shown]).lines().nth(1).is_some_and(|line| line.ends_with("not reached")));
        assert_eq!(Count::default().line(), "0 passed, 0 failed, 0 could not be judged\n");
    }
}
