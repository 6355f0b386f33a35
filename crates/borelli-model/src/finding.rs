//! Findings: faults and warnings with code, place, message and hint, and how they are shown.
//! Not here: the faults themselves; every crate has its own list and implements [`Explain`].
//! In: faults. Out: a list sorted by place, or text for people.

use crate::source::{Sources, Span};
use borelli_data::{Explain, Severity};
use std::fmt::Write;

/// One fault or warning at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Stable name of the fault.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// Where, if it has a place.
    pub at: Option<Span>,
    /// The element as `section.name` (`joint.knee`), or empty.
    pub element: String,
    /// The field, or empty.
    pub field: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

/// Findings kept in full; further ones are only counted, so that a spoiled file stays readable and cheap.
const KEPT: usize = 200;

/// All findings of one reading or compiling.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    errors: usize,
    warnings: usize,
}

impl Findings {
    /// Nothing found yet.
    pub fn new() -> Findings {
        Findings::default()
    }

    /// Adds a fault. `at` is a span or nothing; `element` is an `&Element` or a path such as `joint.knee`, or empty.
    pub fn push(&mut self, at: impl Into<Option<Span>>, element: impl Into<String>, field: &str, fault: &impl Explain) {
        self.add(Finding {
            code: fault.code(),
            severity: fault.severity(),
            at: at.into(),
            element: element.into(),
            field: field.to_string(),
            message: fault.message(),
            hint: fault.hint(),
        });
    }

    /// Adds a finding as it is. An error displaces a warning when the list is full.
    pub fn add(&mut self, finding: Finding) {
        let error = finding.severity == Severity::Error;
        if error {
            self.errors += 1;
        } else {
            self.warnings += 1;
        }
        if self.list.len() < KEPT {
            self.list.push(finding);
        } else if error && let Some(k) = self.list.iter().rposition(|f| f.severity == Severity::Warning) {
            self.list[k] = finding;
        }
    }

    /// Gives a place to findings that have none, by their element and field.
    pub fn locate(&mut self, place: impl Fn(&Finding) -> Option<Span>) {
        for finding in self.list.iter_mut().filter(|f| f.at.is_none()) {
            finding.at = place(finding);
        }
    }

    /// Takes over all findings of another list.
    pub fn merge(&mut self, other: Findings) {
        let unseen = (other.errors, other.warnings);
        let seen = other.list.iter().filter(|f| f.severity == Severity::Error).count();
        let kept = other.list.len() - seen;
        for finding in other.list {
            self.add(finding);
        }
        self.errors += unseen.0 - seen;
        self.warnings += unseen.1 - kept;
    }

    /// True when there is an error among them.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// True when nothing was found.
    pub fn is_empty(&self) -> bool {
        self.errors + self.warnings == 0
    }

    /// Number of errors and of warnings, also of those beyond what is kept.
    pub fn counts(&self) -> (usize, usize) {
        (self.errors, self.warnings)
    }

    /// The findings, by file and place; those without a place first.
    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        let mut sorted: Vec<&Finding> = self.list.iter().collect();
        sorted.sort_by_key(|f| f.at);
        sorted.into_iter()
    }

    /// Text for people: place, code, element, field, message, the line with a mark under the spot, and the hint.
    ///
    /// ```text
    /// leg.toml:41:10: error[unknown-body]: joint `knee`: field `parent`: no body is called `thihg`
    ///   41 | parent = "thihg"
    ///      |          ^^^^^^^
    ///   hint: did you mean `thigh`? bodies here: pelvis, thigh, shank
    /// ```
    pub fn render(&self, sources: &Sources) -> String {
        let mut out = String::new();
        for finding in self.iter() {
            render_one(finding, sources, &mut out);
        }
        let more = self.errors + self.warnings - self.list.len();
        if more > 0 {
            let _ = writeln!(out, "and {more} more of the kind");
        }
        out
    }
}

fn render_one(finding: &Finding, sources: &Sources, out: &mut String) {
    // writing into a String cannot fail
    let place = finding.at.map(|at| sources.locate(at));
    if let Some(place) = &place {
        let _ = write!(out, "{}:{}:{}: ", place.path, place.line, place.column);
    }
    let word = if finding.severity == Severity::Error { "error" } else { "warning" };
    let _ = write!(out, "{word}[{}]: ", finding.code);
    match finding.element.split_once('.') {
        Some((section, name)) => drop(write!(out, "{section} `{name}`: ")),
        None if finding.element.is_empty() => {}
        None => drop(write!(out, "`{}`: ", finding.element)),
    }
    if !finding.field.is_empty() {
        let _ = write!(out, "field `{}`: ", finding.field);
    }
    let _ = writeln!(out, "{}", finding.message);
    if let (Some(place), Some(at)) = (&place, finding.at) {
        let (line, lead, marks) = window(place.text_of_line, place.column - 1, sources.slice(at));
        let number = place.line.to_string();
        let _ = writeln!(out, "  {number} | {line}");
        let _ = writeln!(out, "  {:1$} | {lead}{marks}", "", number.len());
    }
    if let Some(hint) = &finding.hint {
        let _ = writeln!(out, "  hint: {hint}");
    }
}

/// A line cut to a readable width around the marked spot: text, blanks before the marks, marks.
fn window(line: &str, column: usize, marked: &str) -> (String, String, String) {
    const WIDTH: usize = 120;
    let skipped = if column > WIDTH - 40 { column - 40 } else { 0 };
    let clean = |c: char| if c.is_control() && c != '\t' { ' ' } else { c };
    let mut shown: String = line.chars().skip(skipped).take(WIDTH).map(clean).collect();
    let lead: String = shown.chars().take(column - skipped).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let width = marked.lines().next().unwrap_or("").chars().take(WIDTH).count().min(WIDTH - (column - skipped).min(WIDTH));
    let mut lead = lead;
    if skipped > 0 {
        shown.insert_str(0, "... ");
        lead.insert_str(0, "    ");
    }
    if line.chars().nth(skipped + WIDTH).is_some() {
        shown.push_str(" ...");
    }
    (shown, lead, "^".repeat(width.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Lost;
    impl Explain for Lost {
        fn code(&self) -> &'static str {
            "unknown-body"
        }
        fn message(&self) -> String {
            "no body is called `thihg`".into()
        }
        fn hint(&self) -> Option<String> {
            Some("did you mean `thigh`?".into())
        }
    }

    #[test]
    fn a_finding_is_shown_with_its_line_and_a_mark() {
        let mut sources = Sources::default();
        let file = sources.add("leg.toml", "# leg\nparent = \"thihg\"\n");
        let mut findings = Findings::new();
        findings.push(Span { file, start: 15, end: 22 }, "joint.knee", "parent", &Lost);
        let text = findings.render(&sources);
        let expected = "leg.toml:2:10: error[unknown-body]: joint `knee`: field `parent`: no body is called `thihg`\n  2 | parent = \"thihg\"\n    |          ^^^^^^^\n  hint: did you mean `thigh`?\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_very_long_line_is_cut_around_the_mark() {
        let line = format!("x = [{}\"bad\"]", "1, ".repeat(100_000));
        let mut sources = Sources::default();
        let file = sources.add("a.toml", &line);
        let start = line.find('"').unwrap() as u32;
        let mut findings = Findings::new();
        findings.push(Span { file, start, end: start + 5 }, "", "", &Lost);
        let text = findings.render(&sources);
        assert!(text.len() < 600, "{}", text.len());
        assert!(text.contains("^^^^^"));
    }

    #[test]
    fn a_finding_without_a_place_gets_that_of_its_element() {
        let at = |start| Span { file: 0, start, end: start + 1 };
        let mut findings = Findings::new();
        findings.push(at(9), "joint.knee", "", &Lost);
        findings.push(None, "joint.knee", "", &Lost);
        findings.push(None, "", "", &Lost);
        findings.locate(|finding| (finding.element == "joint.knee").then(|| at(4)));
        let places: Vec<Option<Span>> = findings.iter().map(|f| f.at).collect();
        assert_eq!(places, [None, Some(at(4)), Some(at(9))]);
    }

    #[test]
    fn findings_beyond_the_limit_are_counted_and_come_in_file_order() {
        let mut findings = Findings::new();
        for k in (0..300).rev() {
            findings.push(Span { file: 0, start: k, end: k }, "", "", &Lost);
        }
        let mut all = Findings::new();
        all.merge(findings);
        assert_eq!(all.counts(), (300, 0));
        assert!(all.iter().is_sorted_by_key(|f| f.at));
        assert!(all.render(&Sources::default()).contains("and 100 more"));
    }
}
