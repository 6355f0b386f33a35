//! Maps of pressure mats as files.
//! Not here: how they were found; pictures (`report`).
//! In: the maps of one mat. Out: all cells of all frames as an NPZ archive, or those under pressure as comma-separated text.

use super::npz::{Array, write_npz};
use borelli_study::pressure::PressureMap;
use std::io::{self, Write};

/// Arrays `time` (s), `x` and `z` (middles of cells, m), `pressure` (Pa, by frame, x, z) and `peak` (Pa, the highest of each cell over all samples).
pub fn write_pressure_npz(map: &PressureMap, out: &mut dyn Write) -> io::Result<()> {
    let ([x, z], [columns, rows]) = ([0, 1].map(|side| map.middles(side)), map.cells);
    let frames = map.time.len();
    write_npz(
        &[
            Array { name: "time", shape: &[frames], values: &map.time },
            Array { name: "x", shape: &[columns], values: &x },
            Array { name: "z", shape: &[rows], values: &z },
            Array { name: "pressure", shape: &[frames, columns, rows], values: &map.pressure },
            Array { name: "peak", shape: &[columns, rows], values: &map.peak },
        ],
        out,
    )
}

/// One line for each cell under pressure: time, its numbers along X and Z from zero, pressure. Numbers read back to the same bits.
pub fn write_pressure_csv(map: &PressureMap, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "time [s],cell x,cell z,pressure [Pa]")?;
    for (frame, t) in map.time.iter().enumerate() {
        for (cell, p) in map.frame(frame).iter().enumerate().filter(|(_, p)| **p > 0.0) {
            writeln!(out, "{t:?},{},{},{p:?}", cell / map.cells[1], cell % map.cells[1])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_text_for_each_cell_under_pressure() {
        let map = PressureMap {
            name: "mat".into(),
            cells: [2, 3],
            pitch: [0.01, 0.02],
            time: vec![0.0, 0.1 + 0.2],
            centre: vec![None, None],
            pressure: vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 1e5 / 3.0],
            peak: vec![0.0, 1.5, 0.0, 0.0, 0.0, 1e5 / 3.0],
        };
        let mut text = Vec::new();
        write_pressure_csv(&map, &mut text).unwrap();
        let lines = "time [s],cell x,cell z,pressure [Pa]\n0.30000000000000004,0,1,1.5\n0.30000000000000004,1,2,33333.333333333336\n";
        assert_eq!(String::from_utf8(text).unwrap(), lines);
        let mut archive = Vec::new();
        write_pressure_npz(&map, &mut archive).unwrap();
        let holds = |part: &str| archive.windows(part.len()).any(|window| window == part.as_bytes());
        for (name, shape) in [("time", "(2,)"), ("x", "(2,)"), ("z", "(3,)"), ("pressure", "(2, 2, 3)"), ("peak", "(2, 3)")] {
            assert!(holds(&format!("{name}.npy")) && holds(&format!("'shape': {shape}")), "{name} {shape}");
        }
    }
}
