//! The health block: what a reader should know before trusting the numbers. One row a check, cases as columns; what needs a look stands first.
//! Not here: judging; the verdict comes with the data.

use super::super::{Report, Section, escape, significant};
use super::{Cell, MOST_COLUMNS, case_name, counted, table, text, unit};
use borelli_study::run::Verdict;

pub(in crate::report) const SECTION: Section = Section { id: "health", title: "Health of the computation", short: "Health", body };

/// A verdict as people read it.
pub(super) fn said(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Bad => "bad",
        Verdict::Look => "look closer",
        Verdict::Good => "good",
        Verdict::None => "–",
    }
}

/// One check in all cases.
pub(in crate::report) struct Row<'a> {
    pub label: &'a str,
    pub unit: &'a str,
    /// What it says of the worst case.
    pub meaning: &'a str,
    /// Verdict and value of each case that made the check.
    cases: Vec<Option<(Verdict, Option<f64>)>>,
}

impl Row<'_> {
    /// Cases of which it says this.
    pub fn of(&self, verdict: Verdict) -> Vec<usize> {
        let said = |k: &usize| self.cases[*k].is_some_and(|(own, _)| own == verdict);
        (0..self.cases.len()).filter(said).collect()
    }

    /// The worst of all cases.
    pub fn worst(&self) -> Verdict {
        self.cases.iter().flatten().map(|(verdict, _)| *verdict).min().unwrap_or(Verdict::None)
    }
}

/// All checks, those that need a look first and counters without verdict last; else in the order of the cases.
pub(in crate::report) fn rows<'a>(report: &'a Report) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    for (k, case) in report.cases.iter().enumerate() {
        for line in &case.health {
            let known = rows.iter().position(|row| row.label == line.label && row.unit == line.unit);
            let at = known.unwrap_or_else(|| {
                let cases = vec![None; report.cases.len()];
                rows.push(Row { label: &line.label, unit: &line.unit, meaning: &line.text, cases });
                rows.len() - 1
            });
            rows[at].cases[k] = Some((line.verdict, line.value));
            // The words of the worst case: what they say of another would not explain the verdict.
            if rows[at].worst_value().0 == Some(k) {
                rows[at].meaning = &line.text;
            }
        }
    }
    rows.sort_by_key(Row::worst);
    rows
}

fn body(report: &Report) -> Option<String> {
    let rows = rows(report);
    if rows.is_empty() && report.cases.iter().all(|case| case.notice.is_none()) {
        return None;
    }
    let ended: Vec<Verdict> = report.cases.iter().map(|case| if case.notice.is_some() { Verdict::Bad } else { Verdict::Good }).collect();
    let names: Vec<String> = report.cases.iter().enumerate().map(|(k, case)| case_name(k, case)).collect();
    let side_by_side = (2..=MOST_COLUMNS).contains(&names.len());
    let mut heads = vec![("", "Verdict"), ("", "Check")];
    match names.len() {
        _ if side_by_side => heads.extend(names.iter().map(|name| ("number", name.as_str()))),
        0 | 1 => heads.push(("number", "Value")),
        _ => heads.push(("number", "Worst value")),
    }
    heads.push(("", "Unit"));
    let many = names.len() > MOST_COLUMNS;
    heads.extend(many.then_some(("", "In case")));
    heads.push(("", "Meaning"));
    let verdict = |verdict: Verdict| -> Cell { (verdict.word(), said(verdict).to_string()) };
    let mut cells: Vec<Vec<Cell>> = Vec::new();
    // How the runs ended is the first check of all; said only where one did not end well.
    if ended.contains(&Verdict::Bad) {
        let mut row = vec![verdict(Verdict::Bad), text("end of the run")];
        let word = |verdict: &Verdict| (verdict.word(), if *verdict == Verdict::Bad { "early" } else { "as planned" }.to_string());
        match side_by_side {
            true => row.extend(ended.iter().map(word)),
            false => row.push(("bad", "early".into())),
        }
        row.push(text(""));
        row.extend(many.then(|| {
            let early = names.iter().zip(&ended).filter(|(_, verdict)| **verdict == Verdict::Bad);
            text(&early.map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "))
        }));
        row.extend([text("Nothing was computed after that time: numbers of the whole run cover only the part before it. What to do: see the notice at the top.")]);
        cells.push(row);
    }
    cells.extend(rows.iter().map(|row| {
        let mut line = vec![verdict(row.worst()), text(row.label)];
        match names.len() {
            _ if side_by_side => line.extend(row.cases.iter().map(|case| match case {
                Some((verdict, value)) => (value_class(*verdict), rough(*value).1),
                None => ("number", "–".to_string()),
            })),
            0 | 1 => line.push(rough(row.cases.iter().flatten().next().and_then(|(_, value)| *value))),
            _ => line.push(rough(row.worst_value().1)),
        }
        line.push(unit(row.unit));
        line.extend(many.then(|| ("", escape(&where_else(row, row.worst_value().0, &names)))));
        line.push(("meaning", text(row.meaning).1));
        line
    }));
    Some(table("Checks made during the computation, with what is allowed; – stands for numbers that have no limit", &heads, &cells))
}

/// The case of the worst value, and the others of which the check warns.
fn where_else(row: &Row, worst: Option<usize>, names: &[String]) -> String {
    let Some(worst) = worst else { return String::new() };
    let others = |verdict: Verdict| {
        let list: Vec<&str> = row.of(verdict).into_iter().filter(|k| *k != worst).map(|k| names[k].as_str()).collect();
        if list.is_empty() { String::new() } else { format!("; {} in {}", said(verdict), list.join(", ")) }
    };
    let warned = [Verdict::Bad, Verdict::Look].map(others).concat();
    format!("{}{warned}", names[worst])
}

/// A value with the digits that a verdict needs; all of them in the tooltip.
fn rough(value: Option<f64>) -> Cell {
    let words = |x: f64| if x.fract() == 0.0 && x.abs() < 1e9 { format!("{x:.0}") } else { significant(x, 3) };
    counted(value, words)
}

/// Style of a value among those of other cases.
fn value_class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Bad => "number bad",
        Verdict::Look => "number look",
        Verdict::Good | Verdict::None => "number",
    }
}

impl Row<'_> {
    /// The case with the worst verdict, and among those the largest value.
    pub(in crate::report) fn worst_value(&self) -> (Option<usize>, Option<f64>) {
        let worst = self.worst();
        let of = self
            .cases
            .iter()
            .enumerate()
            .filter_map(|(k, case)| case.filter(|(verdict, _)| *verdict == worst).map(|(_, value)| (k, value)));
        let size = |value: &Option<f64>| value.map_or(f64::NEG_INFINITY, f64::abs);
        of.max_by(|a, b| size(&a.1).total_cmp(&size(&b.1)).then(b.0.cmp(&a.0))).map_or((None, None), |(k, value)| (Some(k), value))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Case, Courses, Facts, Health, html};
    use super::*;
    use crate::figure::Figure;
    use crate::recorded::{motion, system};

    #[test]
    fn checks_are_rows_and_cases_columns_with_what_needs_a_look_first() {
        let system = system("pendulum");
        let table = motion(&system, 0.5, 3);
        let line = |label: &str, value: f64, verdict: Verdict| Health {
            key: label.into(),
            label: label.into(),
            value: Some(value),
            unit: "J".into(),
            verdict,
            part: None,
            text: "what it means".into(),
        };
        let case = |name: &str, energy: f64, verdict: Verdict| Case {
            name: name.into(),
            about: String::new(),
            figure: Figure::of(&system),
            facts: Facts::default(),
            courses: Courses::default(),
            trajectory: &table,
            pressure: &[],
            soft: &crate::recorded::soft::NONE,
            events: Vec::new(),
            scalars: Vec::new(),
            health: vec![line("steps", 12.0, Verdict::None), line("drift", 1e-9, Verdict::Good), line("energy balance", energy, verdict)],
            method: Vec::new(),
            fit: None,
            uncertainty: None,
            unmeasured: Vec::new(),
            notice: None,
        };
        let mut report = Report {
            title: "two".into(),
            cases: vec![case("fine", 1e-6, Verdict::Good), case("coarse", 0.25, Verdict::Look)],
            ..Report::default()
        };
        let order: Vec<(&str, Verdict)> = rows(&report).iter().map(|row| (row.label, row.worst())).collect();
        assert_eq!(order, [("energy balance", Verdict::Look), ("drift", Verdict::Good), ("steps", Verdict::None)]);
        let page = html(&report);
        assert!(
            page.contains("<th scope=\"col\" class=\"number\">Coarse</th>")
                && page.contains("class=\"chip look\" href=\"#health\">1 warning<")
        );
        assert_eq!(page.matches("what it means").count(), 4, "one row a check, and the warning at the top");
        let warning = "<li class=\"look\"><b>Energy balance</b>, look closer in 1 of 2 cases (“Coarse”): 0.25\u{a0}J. what it means";
        assert!(page.contains(warning), "{page}");
        report.cases[1].health[2].verdict = Verdict::Bad;
        assert!(html(&report).contains("class=\"chip bad\" href=\"#health\">1 check failed<"), "a verdict is not read from words");
        report.cases[1].health[2].verdict = Verdict::Look;
        report.cases[0].notice = Some("This run failed at 0.2 s.".into());
        let page = html(&report);
        assert!(
            page.contains(">end of the run<") && page.contains("class=\"chip bad\" href=\"#notice-0\">1 of 2 runs did not end as planned<")
        );
        let one = report.cases.remove(0);
        report.cases = (0..9).map(|k| Case { name: format!("case {k}"), notice: None, ..one.clone() }).collect();
        report.cases[7].health[2] = line("energy balance", -3.5, Verdict::Look);
        let page = html(&report);
        assert!(
            page.contains(">Worst value<") && page.contains(">\u{2212}3.5</span></td><td class=\"unit\">J</td><td class=\"\">Case 7<"),
            "the worst of many cases"
        );
    }
}
