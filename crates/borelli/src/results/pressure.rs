//! Maps of pressure mats as files.
//! Not here: how they were found; pictures (`report`).
//! In: the maps of one mat. Out: all cells of all frames as an NPZ archive, and back, or those under pressure as comma-separated text.

use super::npz::{Array, Read, read_npz, write_npz};
use borelli_study::pressure::PressureMap;
use std::io::{self, Write};

/// Arrays `time` (s), `x` and `z` (middles of cells, m), `pressure` (Pa, by frame, x, z), `peak` (Pa, the highest of each cell over all samples) and
/// `centre` (m, by frame: centre of pressure along x and z from the corner, not a number where there is none).
pub fn write_pressure_npz(map: &PressureMap, out: &mut dyn Write) -> io::Result<()> {
    let ([x, z], [columns, rows]) = ([0, 1].map(|side| map.middles(side)), map.cells);
    let frames = map.time.len();
    let centre: Vec<f64> = map.centre.iter().flat_map(|centre| centre.unwrap_or([f64::NAN; 2])).collect();
    write_npz(
        &[
            Array { name: "time", shape: &[frames], values: &map.time },
            Array { name: "x", shape: &[columns], values: &x },
            Array { name: "z", shape: &[rows], values: &z },
            Array { name: "pressure", shape: &[frames, columns, rows], values: &map.pressure },
            Array { name: "peak", shape: &[columns, rows], values: &map.peak },
            Array { name: "centre", shape: &[frames, 2], values: &centre },
        ],
        out,
    )
}

/// The maps of a mat again.
pub fn read_pressure_npz(name: &str, bytes: &[u8]) -> Result<PressureMap, String> {
    let list = read_npz(bytes)?;
    let find = |name: &str, axes: usize| -> Result<&Read, String> {
        let found = list.iter().find(|array| array.name == name && array.shape.len() == axes);
        found.ok_or_else(|| format!("it has no array `{name}` with {axes} axes"))
    };
    let (time, x, z, pressure, peak, centre) =
        (find("time", 1)?, find("x", 1)?, find("z", 1)?, find("pressure", 3)?, find("peak", 2)?, find("centre", 2)?);
    let (frames, cells) = (time.values.len(), [x.values.len(), z.values.len()]);
    if pressure.shape != [frames, cells[0], cells[1]] || peak.shape != cells || centre.shape != [frames, 2] || cells.contains(&0) {
        return Err("its arrays do not fit together".into());
    }
    let centre = centre.values.as_chunks::<2>().0.iter().map(|own| own.iter().all(|x| x.is_finite()).then_some(*own));
    Ok(PressureMap {
        name: name.to_string(),
        cells,
        // the middle of the first cell is half a cell from the corner, which halving and doubling keep exact
        pitch: [2.0 * x.values[0], 2.0 * z.values[0]],
        centre: centre.collect(),
        time: time.values.clone(),
        pressure: pressure.values.clone(),
        peak: peak.values.clone(),
    })
}

/// One line for each cell under pressure: time, its numbers along X and Z from zero, pressure. A frame without any has one line with a pressure of zero, so that a fit
/// that reads the file knows of it. Numbers read back to the same bits.
pub fn write_pressure_csv(map: &PressureMap, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "time [s],cell x,cell z,pressure [Pa]")?;
    for (frame, t) in map.time.iter().enumerate() {
        if !map.frame(frame).iter().any(|p| *p > 0.0) {
            writeln!(out, "{t:?},0,0,0.0")?;
        }
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
            centre: vec![None, Some([0.1 + 0.2, 1.0 / 3.0])],
            pressure: vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 1e5 / 3.0],
            peak: vec![0.0, 1.5, 0.0, 0.0, 0.0, 1e5 / 3.0],
        };
        let mut text = Vec::new();
        write_pressure_csv(&map, &mut text).unwrap();
        let lines =
            "time [s],cell x,cell z,pressure [Pa]\n0.0,0,0,0.0\n0.30000000000000004,0,1,1.5\n0.30000000000000004,1,2,33333.333333333336\n";
        assert_eq!(String::from_utf8(text).unwrap(), lines);
        let mut archive = Vec::new();
        write_pressure_npz(&map, &mut archive).unwrap();
        let holds = |part: &str| archive.windows(part.len()).any(|window| window == part.as_bytes());
        for (name, shape) in
            [("time", "(2,)"), ("x", "(2,)"), ("z", "(3,)"), ("pressure", "(2, 2, 3)"), ("peak", "(2, 3)"), ("centre", "(2, 2)")]
        {
            assert!(holds(&format!("{name}.npy")) && holds(&format!("'shape': {shape}")), "{name} {shape}");
        }
        assert_eq!(read_pressure_npz("mat", &archive), Ok(map));
        assert!(read_pressure_npz("mat", &archive[..100]).is_err());
    }
}
