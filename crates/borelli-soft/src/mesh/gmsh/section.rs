//! Sections of a mesh file and the numbers in their lines.
//! Not here: what the numbers mean.
//! In: text. Out: sections by name, lines one by one, fields one by one, or a fault with the line.

use super::Fault;

/// A section: all lines between `$Name` and `$EndName`.
pub(super) struct Section<'a> {
    pub name: &'a str,
    /// Line of its head.
    pub line: usize,
    body: &'a str,
}

/// The sections of a text, each at most once, and the number of its last line.
pub(super) fn sections(text: &str) -> Result<(Vec<Section<'_>>, usize), Fault> {
    let mut list: Vec<Section> = Vec::new();
    let mut open: Option<(&str, usize, usize)> = None; // name, line and start of the body
    let mut place = 0;
    let mut count = 0;
    for raw in text.split_inclusive('\n') {
        count += 1;
        let start = place;
        place += raw.len();
        let line = raw.trim();
        match open {
            Some((name, head, body)) => {
                if line.strip_prefix("$End") == Some(name) {
                    list.push(Section { name, line: head, body: &text[body..start] });
                    open = None;
                } else if line.starts_with('$') && name != "Comments" {
                    return Err(truncated(count, name, quoted(line), format!("$End{name}")));
                }
            }
            None => match line.strip_prefix('$') {
                Some(name) => {
                    if list.iter().any(|section| section.name == name)
                        && matches!(name, "Nodes" | "Elements" | "Entities" | "PhysicalNames")
                    {
                        return Err(Fault::RepeatedSection { line: count, section: shortened(name) });
                    }
                    open = Some((name, count, place));
                }
                None if line.is_empty() => {}
                None if list.is_empty() => return Err(Fault::NotMesh { line: count, found: shortened(line) }),
                None => return Err(Fault::Surplus { line: count, section: list[list.len() - 1].name.into(), found: shortened(line) }),
            },
        }
    }
    match open {
        Some((name, ..)) if name == "MeshFormat" || !list.is_empty() => {
            Err(truncated(count, name, "the end of the file".into(), format!("$End{}", shortened(name))))
        }
        Some((name, line, _)) => Err(Fault::NotMesh { line, found: format!("${}", shortened(name)) }),
        None => Ok((list, count.max(1))),
    }
}

fn truncated(line: usize, section: &str, found: String, expected: String) -> Fault {
    Fault::Truncated { line, section: shortened(section), found, expected }
}

fn quoted(text: &str) -> String {
    format!("`{}`", shortened(text))
}

/// The start of a text, for messages.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

impl<'a> Section<'a> {
    pub fn lines(&self) -> Lines<'a> {
        Lines { section: self.name, line: self.line, rest: self.body.lines() }
    }

    /// How many records of at least so many characters the section can hold; counts in a file may be wrong, memory is not asked for by them alone.
    pub fn room(&self, characters: usize) -> usize {
        self.body.len() / characters
    }
}

/// The lines of a section, blank ones left out.
pub(super) struct Lines<'a> {
    section: &'a str,
    line: usize,
    rest: std::str::Lines<'a>,
}

impl<'a> Lines<'a> {
    fn advance(&mut self) -> Option<&'a str> {
        loop {
            let text = self.rest.next()?.trim();
            self.line += 1;
            if !text.is_empty() {
                return Some(text);
            }
        }
    }

    /// The next line, which must hold `what`.
    pub fn next(&mut self, what: &str) -> Result<Fields<'a>, Fault> {
        match self.advance() {
            Some(text) => Ok(Fields { section: self.section, line: self.line, text, rest: text.split_whitespace() }),
            None => Err(truncated(self.line + 1, self.section, "the end of the section".into(), what.into())),
        }
    }

    /// No more lines may follow.
    pub fn finish(mut self) -> Result<(), Fault> {
        match self.advance() {
            Some(text) => Err(Fault::Surplus { line: self.line, section: shortened(self.section), found: shortened(text) }),
            None => Ok(()),
        }
    }
}

/// The fields of a line.
pub(super) struct Fields<'a> {
    section: &'a str,
    pub line: usize,
    /// The whole line.
    pub text: &'a str,
    rest: std::str::SplitWhitespace<'a>,
}

impl<'a> Fields<'a> {
    pub fn word(&mut self, field: &'static str) -> Result<&'a str, Fault> {
        self.rest.next().ok_or_else(|| truncated(self.line, self.section, "the end of the line".into(), field.into()))
    }

    fn number<T: std::str::FromStr>(&mut self, field: &'static str, expected: &'static str, good: impl Fn(&T) -> bool) -> Result<T, Fault> {
        let word = self.word(field)?;
        word.parse().ok().filter(good).ok_or_else(|| Fault::BadNumber { line: self.line, field, found: shortened(word), expected })
    }

    /// A whole number, not negative.
    pub fn count(&mut self, field: &'static str) -> Result<u64, Fault> {
        self.number(field, "a whole number, not negative", |_| true)
    }

    /// A whole number whose sign does not count: groups are negative where an entity is seen from behind.
    pub fn group(&mut self) -> Result<u64, Fault> {
        self.number("number of a physical group", "a whole number", |_: &i64| true).map(i64::unsigned_abs)
    }

    pub fn real(&mut self, field: &'static str) -> Result<f64, Fault> {
        self.number(field, "a finite number", |x: &f64| x.is_finite())
    }

    /// Leaves fields out.
    pub fn skip(&mut self, fields: u64, what: &'static str) -> Result<(), Fault> {
        for _ in 0..fields {
            self.word(what)?;
        }
        Ok(())
    }

    /// No more fields may follow.
    pub fn finish(mut self) -> Result<(), Fault> {
        match self.rest.next() {
            Some(word) => Err(Fault::Surplus { line: self.line, section: shortened(self.section), found: shortened(word) }),
            None => Ok(()),
        }
    }
}
