//! Events as a table: time, name, direction, what was done.
//! Not here: finding them.
//! In: events in order of time. Out: comma-separated text with a header.

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
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}
