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

    pub fn is_null(&self) -> bool {
        matches!(self, Json::Null)
    }

    /// A list of numbers, or a packed one: bytes in base 64, six bits a digit, lowest byte of a number first.
    pub fn numbers(&self) -> Vec<f64> {
        let Json::Table(table) = self else { return self.list().iter().map(Json::number).collect() };
        let [(kind, digits)] = &table[..] else { panic!("not packed") };
        let bits = |digit: u8| match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => panic!("no digit: {digit}"),
        };
        let (mut bytes, mut held, mut count) = (Vec::new(), 0_u32, 0);
        for digit in digits.text().bytes().filter(|digit| *digit != b'=') {
            (held, count) = (held << 6 | u32::from(bits(digit)), count + 6);
            if count >= 8 {
                count -= 8;
                bytes.push((held >> count) as u8);
                held &= (1 << count) - 1;
            }
        }
        match kind.as_str() {
            "f64" => bytes.chunks(8).map(|own| f64::from_le_bytes(own.try_into().expect("eight bytes"))).collect(),
            "u32" => bytes.chunks(4).map(|own| f64::from(u32::from_le_bytes(own.try_into().expect("four bytes")))).collect(),
            "u16" => bytes.chunks(2).map(|own| f64::from(u16::from_le_bytes(own.try_into().expect("two bytes")))).collect(),
            _ => panic!("packed as {kind}"),
        }
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
