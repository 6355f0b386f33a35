//! What is typed after `borelli mixed`: values of variables, equations; and refusals, each with the option to blame and a hint.
//! Not here: names of variables, which the chain knows (`segment_chain`).
//! In: words of the command line. Out: names, weights and texts of values, or a `Refusal`.

use borelli_dynamics::formulation::segment_chain::TaskRow;
use borelli_model::Explain;
use borelli_study::settings::{assignment, si_value};

/// Why the command does nothing.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The same as in study files.
    pub code: &'static str,
    pub message: String,
    pub hint: String,
}

impl Refusal {
    /// A fault, with the option where it is typed.
    pub fn at(option: &str, fault: &impl Explain, otherwise: &str) -> Refusal {
        let place = if option.is_empty() { String::new() } else { format!("`{option}`: ") };
        let hint = fault.hint().unwrap_or_else(|| otherwise.to_string());
        Refusal { code: fault.code(), message: format!("{place}{}", fault.message()), hint }
    }
}

impl Explain for Refusal {
    fn code(&self) -> &'static str {
        self.code
    }

    fn message(&self) -> String {
        self.message.clone()
    }

    fn hint(&self) -> Option<String> {
        Some(self.hint.clone())
    }
}

/// A name with a value, such as `--known M_1=3`.
#[derive(Debug)]
pub struct Assigned {
    /// As it is typed, for messages.
    pub option: String,
    pub name: String,
    value: String,
}

impl Assigned {
    /// The value in SI; a bare number is SI already.
    pub fn si(&self, unit: &str) -> Result<f64, Refusal> {
        si(&self.option, &self.value, unit)
    }
}

/// Values of an option; `form` shows how they are written.
pub fn assigned(flag: &str, texts: &[String], form: &str, example: &str) -> Result<Vec<Assigned>, Refusal> {
    let read = |text: &String| {
        let option = format!("{flag} {text}");
        match assignment(text) {
            Ok((name, value)) if !name.is_empty() && !value.is_empty() => Ok(Assigned { option, name, value }),
            _ => Err(Refusal {
                code: "not-assignment",
                message: format!("`{option}` is not of the form {form}"),
                hint: format!("write for instance {flag} {example}"),
            }),
        }
    };
    texts.iter().map(read).collect()
}

fn si(option: &str, text: &str, unit: &str) -> Result<f64, Refusal> {
    si_value(text, unit, borelli_model::Range::ANY).map_err(|fault| Refusal::at(option, &fault, &format!("it is measured in {unit}")))
}

/// An equation with its right side, such as `--row 'A - 0.5*B = 1 N frees C'`.
#[derive(Debug)]
pub struct Equation {
    /// As it is typed, for messages.
    pub option: String,
    pub row: TaskRow,
    right: String,
}

impl Equation {
    /// Reads `sum = right` or `sum = right frees variable`. A sum has terms and signs in turn, with spaces between them, since names may have hyphens.
    pub fn read(text: &str) -> Result<Equation, Refusal> {
        let option = format!("--row '{text}'");
        let wrong = |what: &str| Refusal {
            code: "bad-row",
            message: format!("`{option}`: {what}"),
            hint: "write 'NAME - 0.5*NAME = VALUE frees VARIABLE'; signs stand between spaces, since names may have hyphens".into(),
        };
        let (equation, frees) = match text.split_once(" frees") {
            Some((equation, frees)) if frees.trim().is_empty() || !frees.starts_with(' ') => {
                return Err(wrong(&format!("no variable stands after `frees` in `{}`", equation.trim())));
            }
            Some((equation, frees)) => (equation, Some(frees.trim().to_string())),
            None => (text, None),
        };
        let (left, right) = equation.split_once('=').ok_or_else(|| wrong("there is no `=`"))?;
        let (left, right) = (left.trim(), right.trim());
        if right.is_empty() || right.contains('=') {
            return Err(wrong(if right.is_empty() { "nothing stands after `=`" } else { "`=` stands there twice" }));
        }
        // A sign may come before the first term, and must before every other.
        let (mut terms, mut sign, mut last) = (Vec::new(), Some(1.0), "=");
        for word in left.split_whitespace() {
            sign = match (word, sign) {
                ("+", None) => Some(1.0),
                ("-", None) => Some(-1.0),
                ("+" | "-", Some(_)) if terms.is_empty() && last == "=" => Some(if word == "-" { -1.0 } else { 1.0 }),
                ("+" | "-", Some(_)) => return Err(wrong(&format!("two signs follow each other: `{last} {word}`"))),
                (_, None) => return Err(wrong(&format!("no sign stands between `{last}` and `{word}`"))),
                (_, Some(sign)) => {
                    let (name, weight) = term(word).ok_or_else(|| wrong(&format!("`{word}` is no term")))?;
                    if !weight.is_finite() {
                        return Err(Refusal {
                            code: "weight-not-finite",
                            message: format!("`{option}`: the weight of `{name}` in `{word}` is not a finite number"),
                            hint: "weights are plain numbers: 0.5*NAME".into(),
                        });
                    }
                    terms.push((name.to_string(), sign * weight));
                    None
                }
            };
            last = word;
        }
        if terms.is_empty() {
            return Err(wrong("no term stands before `=`"));
        }
        if sign.is_some() {
            return Err(wrong(&format!("no term follows the last `{last}`")));
        }
        Ok(Equation { row: TaskRow { name: left.to_string(), terms, frees }, right: right.to_string(), option })
    }

    /// The right side in SI. All terms must be measured alike, in what `unit_of` says, and so must the right side.
    pub fn right<'u>(&self, unit_of: impl Fn(&str) -> &'u str) -> Result<f64, Refusal> {
        let mut terms = self.row.terms.iter().map(|(name, _)| (name, unit_of(name)));
        let Some((first, unit)) = terms.next() else { return Ok(0.0) };
        match terms.find(|(_, other)| *other != unit) {
            None => si(&self.option, &self.right, unit),
            Some((name, other)) => Err(Refusal {
                code: "row-units",
                message: format!("`{}`: `{first}` is in {unit}, `{name}` in {other}", self.option),
                hint: "weights are plain numbers, so that all terms of a row must be measured alike".into(),
            }),
        }
    }
}

/// `NAME`, `-NAME` or `WEIGHT*NAME`.
fn term(word: &str) -> Option<(&str, f64)> {
    let (name, weight) = match word.split_once('*') {
        Some((weight, name)) => (name, weight.parse().ok()?),
        None => match word.strip_prefix('-') {
            Some(name) => (name, -1.0),
            None => (word, 1.0),
        },
    };
    name.starts_with(|c: char| c.is_ascii_alphabetic()).then_some((name, weight))
}
