//! A small reader of JSON that keeps every bit of a number (the one of the workspace rounds twice).

use std::ops::Index;

/// A value.
pub enum Json {
    Null,
    Truth(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Table(Vec<(String, Json)>),
}

impl Json {
    /// Reads the whole text.
    pub fn parse(text: &str) -> Json {
        let (value, rest) = value(text.trim_start());
        assert!(rest.trim().is_empty(), "after the value: {rest:.40}");
        value
    }

    pub fn list(&self) -> &[Json] {
        if let Json::List(list) = self { list } else { panic!("no list") }
    }

    pub fn text(&self) -> &str {
        if let Json::Text(text) = self { text } else { panic!("no text") }
    }

    pub fn truth(&self) -> bool {
        if let Json::Truth(truth) = self { *truth } else { panic!("neither true nor false") }
    }

    pub fn number(&self) -> f64 {
        match self {
            Json::Number(x) => *x,
            Json::Null => f64::NAN,
            Json::Truth(_) | Json::Text(_) | Json::List(_) | Json::Table(_) => panic!("no number"),
        }
    }

    pub fn numbers(&self) -> Vec<f64> {
        self.list().iter().map(Json::number).collect()
    }
}

impl Index<&str> for Json {
    type Output = Json;
    fn index(&self, key: &str) -> &Json {
        let Json::Table(table) = self else { panic!("no table for {key}") };
        &table.iter().find(|(k, _)| k == key).unwrap_or_else(|| panic!("no {key}")).1
    }
}

impl Index<usize> for Json {
    type Output = Json;
    fn index(&self, k: usize) -> &Json {
        &self.list()[k]
    }
}

fn value(text: &str) -> (Json, &str) {
    for (word, value) in [("null", Json::Null), ("true", Json::Truth(true)), ("false", Json::Truth(false))] {
        if let Some(rest) = text.strip_prefix(word) {
            return (value, rest);
        }
    }
    match text.as_bytes()[0] {
        b'"' => {
            let (text, rest) = string(text);
            (Json::Text(text), rest)
        }
        b'[' => {
            let mut list = Vec::new();
            let rest = items(&text[1..], ']', |text| {
                let (item, rest) = value(text);
                list.push(item);
                rest
            });
            (Json::List(list), rest)
        }
        b'{' => {
            let mut table = Vec::new();
            let rest = items(&text[1..], '}', |text| {
                let (key, rest) = string(text);
                let (item, rest) = value(rest.trim_start().strip_prefix(':').expect("a colon").trim_start());
                table.push((key, item));
                rest
            });
            (Json::Table(table), rest)
        }
        _ => {
            let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(text.len());
            (Json::Number(text[..end].parse().unwrap_or_else(|_| panic!("no number: {:.40}", text))), &text[end..])
        }
    }
}

/// Items with commas between them up to the end sign; returns what follows it.
fn items<'t>(text: &'t str, end: char, mut item: impl FnMut(&'t str) -> &'t str) -> &'t str {
    let mut rest = text.trim_start();
    if let Some(rest) = rest.strip_prefix(end) {
        return rest;
    }
    loop {
        rest = item(rest).trim_start();
        match rest.strip_prefix(',') {
            Some(next) => rest = next.trim_start(),
            None => return rest.strip_prefix(end).unwrap_or_else(|| panic!("no {end}: {rest:.40}")),
        }
    }
}

/// A string: its end is the first quote that no backslash escapes; `serde_json` undoes the escapes.
fn string(text: &str) -> (String, &str) {
    let mut escaped = false;
    for (k, c) in text.char_indices().skip(1) {
        if c == '"' && !escaped {
            return (serde_json::from_str(&text[..=k]).expect("a string"), &text[k + 1..]);
        }
        escaped = c == '\\' && !escaped;
    }
    panic!("a string without end")
}
