//! Measured maps of a pressure mat: a file with one line for each cell, as a run leaves it as `pressure.NAME.csv`.
//! Not here: which sample of a motion a frame belongs to (`maps`).
//! In: the text of a file. Out: frames and cells, or the line at fault.
//!
//! A frame is a time that lines name; cells that it does not name are not pressed. A frame in which nothing is pressed has one line with a pressure of
//! zero. A pressure of `nan` marks a cell that was not measured.

/// A cell of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Frame, from zero.
    pub frame: usize,
    /// Numbers along X and Z of the mat, from zero.
    pub x: usize,
    /// See `x`.
    pub z: usize,
    /// Mean pressure, Pa; not a number where it was not measured.
    pub pressure: f64,
}

/// Measured maps of one mat in one trial.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredMap {
    /// Name by which terms know it.
    pub name: String,
    /// Times of the frames, s, increasing.
    pub time: Vec<f64>,
    /// Cells, frame after frame.
    pub cells: Vec<Cell>,
}

/// Columns of the file, as its first line names them.
const HEAD: &str = "time [s],cell x,cell z,pressure [Pa]";

/// Reads a file.
///
/// # Errors
/// The line at fault, with what is wrong there and what to do.
pub(crate) fn parse(name: &str, text: &str) -> Result<MeasuredMap, (String, String)> {
    let advice = format!("give a file as a run leaves it beside its maps: `{HEAD}`, then a line for each cell under pressure");
    let mut map = MeasuredMap { name: name.into(), time: Vec::new(), cells: Vec::new() };
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let head = lines.next().map(|(_, line)| line.trim_start_matches('\u{feff}').split(',').map(str::trim).collect::<Vec<_>>().join(","));
    if head.as_deref() != Some(HEAD) {
        return Err((format!("line 1: found `{}`, expected `{HEAD}`", head.unwrap_or_default()), advice));
    }
    for (k, line) in lines {
        let fault = |reason: String| (format!("line {}: {reason}", k + 1), advice.clone());
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [t, x, z, p] = fields[..] else { return Err(fault(format!("it has {} fields, not four", fields.len()))) };
        let whole = |text: &str| text.parse::<usize>().map_err(|_| fault(format!("`{text}` is no number of a cell")));
        let (x, z) = (whole(x)?, whole(z)?);
        let time = t.parse::<f64>().ok().filter(|t| t.is_finite()).ok_or_else(|| fault(format!("`{t}` is no time")))?;
        let pressure = p.parse::<f64>().ok().filter(|p| !p.is_infinite());
        let pressure = pressure.ok_or_else(|| fault(format!("`{p}` is no pressure")))?;
        match map.time.last() {
            Some(last) if time < *last => return Err(fault(format!("its time {time} s comes before that of the line above"))),
            Some(last) if time == *last => {}
            _ => map.time.push(time),
        }
        let frame = map.time.len() - 1;
        let twice = map.cells.iter().rev().take_while(|cell| cell.frame == frame).any(|cell| (cell.x, cell.z) == (x, z));
        if twice {
            return Err(fault(format!("the cell {x}, {z} stands twice at {time} s")));
        }
        map.cells.push(Cell { frame, x, z, pressure });
    }
    if map.time.is_empty() { Err(("it has no frame".into(), advice)) } else { Ok(map) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_the_times_that_lines_name() {
        let map = parse("m", "time [s],cell x,cell z,pressure [Pa]\n0,0,0,0.0\n0.5,3,1,250.5\n0.5,3,2,nan\n").expect("a map");
        assert_eq!(map.time, [0.0, 0.5]);
        assert_eq!(map.cells[1], Cell { frame: 1, x: 3, z: 1, pressure: 250.5 });
        assert!(map.cells[2].pressure.is_nan() && map.cells.len() == 3);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let told = |rest: &str| parse("m", &format!("{HEAD}\n{rest}")).expect_err(rest).0;
        assert!(parse("m", "time,x\n").expect_err("a head").0.starts_with("line 1: found `time,x`"));
        assert_eq!(told(""), "it has no frame");
        assert_eq!(told("0,1,1,5\n0,1,1,6"), "line 3: the cell 1, 1 stands twice at 0 s");
        assert_eq!(told("1,1,1,5\n0,1,1,6"), "line 3: its time 0 s comes before that of the line above");
        assert_eq!(told("0,-1,1,5"), "line 2: `-1` is no number of a cell");
        assert_eq!(told("0,1,1,inf"), "line 2: `inf` is no pressure");
        assert_eq!(told("nan,1,1,0"), "line 2: `nan` is no time");
        assert_eq!(told("0,1,1"), "line 2: it has 3 fields, not four");
    }
}
