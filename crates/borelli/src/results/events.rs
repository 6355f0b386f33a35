//! Events as a table: time, name, direction, what was done.
//! Not here: finding them.
//! In: events in order of time. Out: comma-separated text with a header, and back.

use borelli_study::run::Occurrence;
use std::io::{self, Write};

/// Writes the table; times are the shortest text that reads back to the same bits.
pub fn write_events(events: &[Occurrence], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "time [s],event,direction,action")?;
    for event in events {
        let direction = if event.rising { "rising" } else { "falling" };
        writeln!(out, "{:?},{},{direction},{}", event.t, cell(&event.name), cell(&event.action))?;
    }
    Ok(())
}

/// A text as one cell: quoted where it holds what separates cells.
pub(super) fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

/// The cells of a comma-separated text, row by row; nothing where a quote does not end.
pub(super) fn rows(text: &str) -> Option<Vec<Vec<String>>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut letters = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = letters.next() {
        match c {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c => cell.push(c),
        }
    }
    (!quoted && row.is_empty() && cell.is_empty()).then_some(rows)
}

/// Reads the table again; nothing where it is none.
pub fn read_events(text: &str) -> Option<Vec<Occurrence>> {
    let rows = rows(text)?;
    let (head, events) = rows.split_first()?;
    let one = |row: &Vec<String>| {
        let [t, name, direction, action] = &row[..] else { return None };
        let rising = ["falling", "rising"].iter().position(|word| word == direction)? == 1;
        Some(Occurrence { t: t.parse().ok()?, name: name.clone(), rising, action: action.clone() })
    };
    if head.join(",") != "time [s],event,direction,action" {
        return None;
    }
    events.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_back_whatever_they_are_called() {
        let event = |t: f64, name: &str, rising| Occurrence { t, name: name.into(), rising, action: "release loop.pin".into() };
        let list = vec![event(0.1 + 0.2, "toe off", true), event(1.0, "a, \"b\"\nc", false)];
        let mut text = Vec::new();
        write_events(&list, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(read_events(&text), Some(list));
        assert_eq!(read_events("time [s],event,direction,action\n"), Some(Vec::new()));
        for wrong in [
            "",
            "time,event\n",
            "time [s],event,direction,action\n1.0,a,rising\n",
            "time [s],event,direction,action\n1.0,a,up,b\n",
            &text[..text.len() - 3],
        ] {
            assert_eq!(read_events(wrong), None, "{wrong}");
        }
    }
}
