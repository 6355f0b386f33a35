//! Sections of a gait session as JSON and back, curves of their drawings packed.
//! Not here: computing them (`gait`), drawing them (`plot`).

use super::{pair, pairs_json, texts};
use crate::plot::{FloorLine, ForceVectors, GridCell, GridCurve, LEFT, Mark, NEITHER, RIGHT};
use crate::report::gait::{GaitPage, PlainTable, Remark, SidedNumber, Weight};
use crate::report::read::{Wrong, each, field, number, text, truth};
use crate::report::{f64s_of, f64s_value};
use serde_json::{Value, json};

/// Colours by what they stand for.
const COLOURS: [(&str, &str); 3] = [("left", LEFT), ("right", RIGHT), ("neither", NEITHER)];

const WEIGHTS: [Weight; 3] = [Weight::Severe, Weight::Warning, Weight::Note];

fn colour_json(colour: &str) -> Value {
    json!(COLOURS.iter().find(|(_, known)| *known == colour).map_or("neither", |(word, _)| *word))
}

fn colour(value: &Value, key: &str) -> Result<&'static str, Wrong> {
    let word = text(value, key)?;
    COLOURS.iter().find(|(known, _)| *known == word).map(|(_, colour)| *colour).ok_or_else(|| format!("`{word}` is no side"))
}

fn packed(value: &Value, key: &str) -> Result<Vec<f64>, Wrong> {
    f64s_of(field(value, key)?).ok_or_else(|| format!("`{key}` is not a packed list of numbers"))
}

fn points(value: &Value, key: &str) -> Result<Vec<[f64; 2]>, Wrong> {
    let list = packed(value, key)?;
    let (points, rest) = list.as_chunks::<2>();
    if rest.is_empty() { Ok(points.to_vec()) } else { Err(format!("`{key}` are not pairs of numbers")) }
}

fn table_json(table: &PlainTable) -> Value {
    json!({ "caption": table.caption, "heads": table.heads, "rows": table.rows })
}

fn table(value: &Value) -> Result<PlainTable, Wrong> {
    let row = |row: &Value| -> Result<Vec<String>, Wrong> {
        let cells = row.as_array().ok_or_else(|| "a row is not a list".to_string())?;
        cells.iter().map(crate::report::read::plain_text).collect()
    };
    Ok(PlainTable { caption: text(value, "caption")?, heads: texts(value, "heads")?, rows: each(value, "rows", row)? })
}

fn cell_json(cell: &Option<GridCell>) -> Value {
    let Some(cell) = cell else { return Value::Null };
    let end = |curve: &GridCurve, k: usize| f64s_value(&curve.band.iter().map(|ends| ends[k]).collect::<Vec<_>>());
    let curve = |curve: &GridCurve| json!({ "side": colour_json(curve.colour), "x": f64s_value(&curve.x), "y": f64s_value(&curve.y), "mean": curve.mean, "low": end(curve, 0), "high": end(curve, 1) });
    let mark = |mark: &Mark| json!({ "side": colour_json(mark.colour), "x": mark.x, "dashed": mark.dashed });
    json!({
        "title": cell.title,
        "unit": cell.unit,
        "up": cell.up,
        "down": cell.down,
        "curves": cell.curves.iter().map(curve).collect::<Vec<_>>(),
        "marks": cell.marks.iter().map(mark).collect::<Vec<_>>(),
    })
}

fn cell(value: &Value) -> Result<Option<GridCell>, Wrong> {
    if value.is_null() {
        return Ok(None);
    }
    let curve = |value: &Value| -> Result<GridCurve, Wrong> {
        let (x, y) = (packed(value, "x")?, packed(value, "y")?);
        let (low, high) = (packed(value, "low")?, packed(value, "high")?);
        if x.len() != y.len() || low.len() != high.len() || !(low.is_empty() || low.len() == y.len()) {
            return Err("a curve has not as many numbers along as upward".into());
        }
        Ok(GridCurve {
            colour: colour(value, "side")?,
            x,
            y,
            mean: truth(value, "mean")?,
            band: low.into_iter().zip(high).map(|(low, high)| [low, high]).collect(),
        })
    };
    let mark = |value: &Value| -> Result<Mark, Wrong> {
        Ok(Mark { x: number(value, "x")?, colour: colour(value, "side")?, dashed: truth(value, "dashed")? })
    };
    Ok(Some(GridCell {
        title: text(value, "title")?,
        unit: text(value, "unit")?,
        up: text(value, "up")?,
        down: text(value, "down")?,
        curves: each(value, "curves", curve)?,
        marks: each(value, "marks", mark)?,
    }))
}

/// A number of both sides, packed: mean, and standard deviation where there is one.
fn sided_json(own: &SidedNumber) -> Value {
    let side = |side: &Option<(f64, Option<f64>, usize)>| match side {
        Some((mean, sd, count)) => {
            let values: Vec<f64> = [*mean].into_iter().chain(*sd).collect();
            json!({ "values": f64s_value(&values), "count": count })
        }
        None => Value::Null,
    };
    let symmetry: Vec<f64> = own.symmetry.into_iter().collect();
    json!({ "quantity": own.quantity, "unit": own.unit, "left": side(&own.sides[0]), "right": side(&own.sides[1]), "symmetry": f64s_value(&symmetry) })
}

type SideValue = Option<(f64, Option<f64>, usize)>;

fn sided(value: &Value) -> Result<SidedNumber, Wrong> {
    let side = |key: &str| -> Result<SideValue, Wrong> {
        let own = field(value, key)?;
        if own.is_null() {
            return Ok(None);
        }
        let (values, count) = (packed(own, "values")?, field(own, "count")?.as_u64());
        match (&values[..], count) {
            ([mean], Some(count)) => Ok(Some((*mean, None, count as usize))),
            ([mean, sd], Some(count)) => Ok(Some((*mean, Some(*sd), count as usize))),
            _ => Err(format!("`{key}` is no mean with its deviation")),
        }
    };
    Ok(SidedNumber {
        quantity: text(value, "quantity")?,
        unit: text(value, "unit")?,
        sides: [side("left")?, side("right")?],
        symmetry: packed(value, "symmetry")?.first().copied(),
    })
}

/// The sections of a session.
pub(super) fn to_json(page: &GaitPage) -> Value {
    let cells = |list: &[Option<GridCell>]| list.iter().map(cell_json).collect::<Vec<_>>();
    let vectors = |own: &ForceVectors| json!({ "title": own.title, "side": colour_json(own.colour), "at": f64s_value(&own.at), "force": f64s_value(own.force.as_flattened()) });
    let floor = |line: &FloorLine| json!({ "name": line.name, "side": colour_json(line.colour), "points": f64s_value(line.points.as_flattened()), "closed": line.closed });
    let remark = |remark: &Remark| json!({ "weight": remark.weight.word(), "trial": remark.trial, "text": remark.text });
    json!({
        "facts": pairs_json(&page.facts),
        "trials": table_json(&page.trials),
        "numbers": page.numbers.iter().map(sided_json).collect::<Vec<_>>(),
        "kinematics": cells(&page.kinematics),
        "kinetics": cells(&page.kinetics),
        "ground": cells(&page.ground),
        "vectors": page.vectors.iter().map(vectors).collect::<Vec<_>>(),
        "floor": page.floor.iter().map(floor).collect::<Vec<_>>(),
        "remarks": page.remarks.iter().map(remark).collect::<Vec<_>>(),
        "quality": page.quality.iter().map(table_json).collect::<Vec<_>>(),
        "bands": page.bands,
        "methods": page.methods,
        "signs": table_json(&page.signs),
    })
}

/// The sections again.
pub(super) fn from_json(value: &Value) -> Result<GaitPage, Wrong> {
    let vectors = |value: &Value| -> Result<ForceVectors, Wrong> {
        let (at, force) = (packed(value, "at")?, points(value, "force")?);
        Ok(ForceVectors { title: text(value, "title")?, colour: colour(value, "side")?, at, force })
    };
    let floor = |value: &Value| -> Result<FloorLine, Wrong> {
        Ok(FloorLine {
            name: text(value, "name")?,
            colour: colour(value, "side")?,
            points: points(value, "points")?,
            closed: truth(value, "closed")?,
        })
    };
    let remark = |value: &Value| -> Result<Remark, Wrong> {
        let word = text(value, "weight")?;
        let weight = WEIGHTS.into_iter().find(|weight| weight.word() == word).ok_or_else(|| format!("no remark is `{word}`"))?;
        Ok(Remark { weight, trial: text(value, "trial")?, text: text(value, "text")? })
    };
    Ok(GaitPage {
        facts: each(value, "facts", pair)?,
        trials: table(field(value, "trials")?)?,
        numbers: each(value, "numbers", sided)?,
        kinematics: each(value, "kinematics", cell)?,
        kinetics: each(value, "kinetics", cell)?,
        ground: each(value, "ground", cell)?,
        vectors: each(value, "vectors", vectors)?,
        floor: each(value, "floor", floor)?,
        remarks: each(value, "remarks", remark)?,
        quality: each(value, "quality", table)?,
        bands: text(value, "bands")?,
        methods: text(value, "methods")?,
        signs: table(field(value, "signs")?)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_session_comes_back_with_all_bits() {
        let table =
            |caption: &str| PlainTable { caption: caption.into(), heads: vec!["a".into()], rows: vec![vec!["<b>".into()], Vec::new()] };
        let curve =
            GridCurve { colour: RIGHT, x: vec![0.0, 50.0], y: vec![1.0 / 3.0, -0.0], mean: true, band: vec![[0.1, 0.2], [-0.3, 0.5]] };
        let mark = Mark { x: 62.3, colour: LEFT, dashed: true };
        let cell = GridCell {
            title: "Hip".into(),
            unit: "deg".into(),
            up: "Flex".into(),
            down: "Ext".into(),
            curves: vec![curve],
            marks: vec![mark],
        };
        let number = |sides| SidedNumber { quantity: "stride".into(), unit: "s".into(), sides, symmetry: Some(f64::INFINITY) };
        let page = GaitPage {
            facts: vec![("mass".into(), "72 kg".into())],
            trials: table("trials"),
            numbers: vec![number([Some((1.2, Some(0.1), 3)), Some((1.3, None, 1))]), number([None, None])],
            kinematics: vec![Some(cell.clone()), None],
            kinetics: vec![None],
            ground: vec![Some(cell)],
            vectors: vec![ForceVectors { title: "walk".into(), colour: LEFT, at: vec![0.1], force: vec![[1.0, 700.0]] }],
            floor: vec![FloorLine { name: "plate 1".into(), colour: NEITHER, points: vec![[0.0, 1.0], [0.5, 2.0]], closed: true }],
            remarks: WEIGHTS.map(|weight| Remark { weight, trial: "t".into(), text: "x".into() }).to_vec(),
            quality: vec![table("quality")],
            bands: "b".into(),
            methods: "m".into(),
            signs: table("signs"),
        };
        let text = to_json(&page).to_string();
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let back = from_json(&value).expect("a page");
        assert_eq!((&back, to_json(&back).to_string()), (&page, text));
        for key in value.as_object().expect("an object").keys() {
            let mut damaged = value.clone();
            damaged[key] = json!(1);
            assert!(from_json(&damaged).is_err(), "{key}");
        }
        let mut gap = page.clone();
        gap.floor[0].points[0][1] = f64::NAN;
        let back = from_json(&to_json(&gap)).expect("a page");
        assert!(back.floor[0].points[0][1].is_nan(), "gaps stay gaps");
    }
}
