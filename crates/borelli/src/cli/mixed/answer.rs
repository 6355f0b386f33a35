//! What `borelli mixed` found, as a table and as JSON.
//! Not here: finding it.
//! In: values of all variables. Out: text.

use borelli_dynamics::formulation::segment_chain::{Fit, Quantity};
use serde_json::json;
use std::fmt::Write;

/// One line of the table.
pub struct Line {
    pub name: String,
    pub symbol: String,
    pub value: f64,
    pub quantity: Quantity,
    pub unknown: bool,
}

/// Everything that is shown.
pub struct Answer {
    pub model: String,
    pub segments: usize,
    /// Equations of the user's own.
    pub rows: usize,
    pub unknowns: usize,
    /// Whether the model has loops or guides that take no part.
    pub loops_left_out: bool,
    /// Nothing with least squares.
    pub condition: Option<f64>,
    /// How well Newton's and Euler's equations are met, relative to their largest term.
    pub residual: f64,
    pub fit: Option<Fit>,
    pub lines: Vec<Line>,
}

impl Answer {
    pub fn as_table(&self) -> String {
        let width = self.lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0);
        let equations = 3 * self.segments;
        let rows = if self.rows > 0 { format!(" and {} of yours", self.rows) } else { String::new() };
        let mut text = format!("{}: {} segments, {equations} equations{rows}, {} unknowns\n", self.model, self.segments, self.unknowns);
        if self.loops_left_out {
            text.push_str("loops and guides of the model are left out\n");
        }
        if let Some(condition) = self.condition {
            let _ = write!(text, "condition {condition:.1e}; ");
        }
        let _ = writeln!(text, "equations met to {:.1e} of their largest term", self.residual);
        if let Some(Fit { left_over, free }) = self.fit {
            let _ = writeln!(text, "least squares leave {left_over:.3e} (root mean square of the equations, SI)");
            if free > 0 {
                let one = if free == 1 { "unknown is" } else { "unknowns are" };
                let _ = writeln!(
                    text,
                    "infinitely many answers do so: {free} {one} not determined; of all answers the smallest is shown (least squares of SI numbers)"
                );
            }
        }
        for line in &self.lines {
            let state = if line.unknown { "unknown" } else { "known" };
            let _ = writeln!(text, "{:<width$}  {:<8}  {state:<7}  {:>16.6} {}", line.name, line.symbol, line.value, line.quantity.unit());
        }
        text
    }

    pub fn as_json(&self) -> serde_json::Value {
        let lines = self.lines.iter().map(|line| {
            json!({ "name": line.name, "symbol": line.symbol, "value": line.value, "unit": line.quantity.unit(), "unknown": line.unknown })
        });
        json!({
            "model": self.model,
            "segments": self.segments,
            "loops_left_out": self.loops_left_out,
            "condition": self.condition,
            "residual": self.residual,
            "left_over": self.fit.as_ref().map(|fit| fit.left_over),
            "free": self.fit.as_ref().map(|fit| fit.free),
            "variables": lines.collect::<Vec<_>>(),
        })
    }
}
