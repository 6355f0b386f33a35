//! Tables of uncertain results: bands, rankings, samples.
//! Not here: finding them; the page.
//! In: the record of the analysis. Out: comma-separated texts with a header; a block of the summary; and back to what a page shows.

use super::events::cell;
use super::fault::FolderFault;
use super::folder::RunFolder;
use super::summary::number;
use crate::report::read::{Wrong, each, number as number_of, optional_number, plain_text, text};
use crate::report::uncertainty::{PageBand, PageRank, UncertainInput, UncertainResult, UncertaintyPage};
use borelli_study::uncertainty::UncertaintyRecord;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Columns of the ranking behind result and input.
const RANKS: [&str; 7] = ["first", "first_error", "total", "total_error", "effect", "effect_spread", "linear_share"];
/// What stands behind the name of a column, part by part.
const PARTS: [&str; 7] = ["nominal", "mean", "sd", "low", "median", "high", "linear_sd"];

/// Writes all tables of uncertain results into the place of their run.
pub(super) fn write_uncertainty(folder: &mut RunFolder, place: &str, record: &UncertaintyRecord) -> Result<(), FolderFault> {
    folder.write(&format!("{place}bands.csv"), |out| bands(record, out))?;
    if !record.results.is_empty() {
        folder.write(&format!("{place}indices.csv"), |out| indices(record, out))?;
    }
    if !record.samples.is_empty() {
        folder.write(&format!("{place}samples.csv"), |out| samples(record, out))?;
    }
    Ok(())
}

/// A number; nothing where there is none.
fn shown(value: Option<f64>) -> String {
    value.filter(|value| !value.is_nan()).map_or(String::new(), |value| format!("{value:?}"))
}

fn bands(record: &UncertaintyRecord, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "time [s],runs")?;
    for own in &record.columns {
        let unit = own.column.unit.as_deref().map_or(String::new(), |unit| format!(" [{unit}]"));
        for part in PARTS {
            write!(out, ",{}", cell(&format!("{}.{part}{unit}", own.column.name)))?;
        }
    }
    writeln!(out)?;
    for (k, t) in record.times.iter().enumerate() {
        write!(out, "{t:?},{}", record.reached[k])?;
        for own in &record.columns {
            let band = own.bands[k];
            let quantile = |place: usize| band.map(|band| band.quantiles[place]);
            let cells = [Some(own.nominal[k]), band.map(|band| band.mean), band.map(|band| band.sd), quantile(0), quantile(1), quantile(2)];
            for value in cells.into_iter().chain([Some(own.linear_sd[k])]) {
                write!(out, ",{}", shown(value))?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn indices(record: &UncertaintyRecord, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "result,input,{}", RANKS.join(","))?;
    for result in &record.results {
        for (input, rank) in record.inputs.iter().zip(&result.ranks) {
            let pairs = [rank.first, rank.total, rank.effect].into_iter().flat_map(|own| [own.map(|own| own[0]), own.map(|own| own[1])]);
            let cells: Vec<String> = pairs.chain([rank.linear_share]).map(shown).collect();
            writeln!(out, "{},{},{}", cell(&result.name), cell(&input.name), cells.join(","))?;
        }
    }
    Ok(())
}

fn samples(record: &UncertaintyRecord, out: &mut dyn Write) -> io::Result<()> {
    let headed = |name: &str, unit: &str| {
        let unit = if unit.is_empty() { "1" } else { unit };
        cell(&format!("{name} [{unit}]"))
    };
    let inputs = record.inputs.iter().take(record.input_count).map(|own| headed(&own.name, &own.unit));
    let results = record.results.iter().map(|own| headed(&own.name, &own.unit));
    let heads: Vec<String> =
        ["method".to_string(), "number".into()].into_iter().chain(inputs).chain(results).chain(["trouble".into()]).collect();
    writeln!(out, "{}", heads.join(","))?;
    for own in &record.samples {
        let numbers: Vec<String> = own.inputs.iter().chain(&own.results).map(|x| format!(",{}", shown(Some(*x)))).collect();
        writeln!(out, "{},{}{},{}", own.method, own.number, numbers.concat(), cell(&own.trouble))?;
    }
    Ok(())
}

/// What the summary says of uncertain results.
pub(super) fn block(record: &UncertaintyRecord) -> Value {
    let optional = |value: Option<f64>| value.map_or(Value::Null, number);
    let [all, made, failed] = record.runs;
    let input = |own: &borelli_study::uncertainty::InputRecord| json!({ "name": own.name, "paths": own.paths.join(" "), "distribution": own.words });
    let result = |own: &borelli_study::uncertainty::ResultRecord| {
        let quantile = |place: usize| optional(own.band.map(|band| band.quantiles[place]));
        json!({
            "name": own.name,
            "what": own.words,
            "unit": own.unit,
            "nominal": number(own.nominal),
            "mean": optional(own.band.map(|band| band.mean)),
            "sd": optional(own.band.map(|band| band.sd)),
            "low": quantile(0),
            "median": quantile(1),
            "high": quantile(2),
            "linear_sd": optional(own.linear_sd),
            "without": own.without,
        })
    };
    let failure = |(method, number, reason): &(&str, usize, String)| json!({ "method": method, "number": number, "reason": reason });
    json!({
        "methods": record.methods,
        "seed": record.seed,
        "runs": all,
        "made": made,
        "failed": failed,
        "failures": record.failures.iter().map(failure).collect::<Vec<_>>(),
        "inputs": record.inputs.iter().map(input).collect::<Vec<_>>(),
        "results": record.results.iter().map(result).collect::<Vec<_>>(),
        "linear": record.linear.map_or(Value::Null, |own| json!({ "evaluations": own.evaluations, "looks": own.looks, "ratio": number(own.ratio) })),
    })
}

/// What a page shows of uncertain results, as far as the summary tells.
pub(super) fn read_block(block: &Value) -> Result<UncertaintyPage, Wrong> {
    let count = |key: &str| number_of(block, key).map(|x| x as usize);
    let input =
        |own: &Value| Ok(UncertainInput { name: text(own, "name")?, paths: text(own, "paths")?, words: text(own, "distribution")? });
    let result = |own: &Value| {
        let [mean, sd, low, median, high] = ["mean", "sd", "low", "median", "high"].map(|key| optional_number(own, key));
        let sampled = match (mean?, sd?, low?, median?, high?) {
            (Some(mean), Some(sd), Some(low), Some(median), Some(high)) => Some([mean, sd, low, median, high]),
            _ => None,
        };
        Ok(UncertainResult {
            name: text(own, "name")?,
            words: text(own, "what")?,
            unit: text(own, "unit")?,
            nominal: optional_number(own, "nominal")?,
            sampled,
            linear_sd: optional_number(own, "linear_sd")?,
            ranks: Vec::new(),
        })
    };
    let linear = block.get("linear").filter(|own| !own.is_null());
    let linear = linear.map(|own| Ok::<_, Wrong>([number_of(own, "evaluations")?, number_of(own, "looks")?, number_of(own, "ratio")?]));
    Ok(UncertaintyPage {
        methods: each(block, "methods", plain_text)?,
        seed: number_of(block, "seed")?,
        runs: [count("runs")?, count("made")?, count("failed")?],
        inputs: each(block, "inputs", input)?,
        linear: linear.transpose()?,
        results: each(block, "results", result)?,
        bands: Vec::new(),
    })
}

/// Takes rows of a table over, its head among them; nothing where they are not those of the table.
type Take = fn(&mut UncertaintyPage, &[Vec<String>]) -> Option<()>;

/// Tables that a page needs, with how each is read.
pub(super) const UNCERTAINTY_TABLES: [(&str, Take); 2] = [("bands", take_bands), ("indices", take_indices)];

/// The number of a cell; NaN where it is empty.
fn parsed(cell: &str) -> Option<f64> {
    if cell.is_empty() { Some(f64::NAN) } else { cell.parse().ok() }
}

fn take_bands(page: &mut UncertaintyPage, rows: &[Vec<String>]) -> Option<()> {
    let (head, rows) = rows.split_first()?;
    let width = PARTS.len();
    if head.len() < 2 || (head.len() - 2) % width != 0 || rows.iter().any(|row| row.len() != head.len()) {
        return None;
    }
    for (k, heads) in head[2..].chunks_exact(width).enumerate() {
        let name = heads[0].split(" [").next()?.strip_suffix(".nominal")?;
        let mut band = PageBand { column: name.into(), ..PageBand::default() };
        for row in rows {
            let cells = row[2 + k * width..][..width].iter().map(|cell| parsed(cell)).collect::<Option<Vec<f64>>>()?;
            let sampled = Some([cells[3], cells[5]]).filter(|ends| ends.iter().all(|end| !end.is_nan()));
            band.push(parsed(&row[0])?, sampled, cells[0], cells[6]);
        }
        page.add(band);
    }
    Some(())
}

fn take_indices(page: &mut UncertaintyPage, rows: &[Vec<String>]) -> Option<()> {
    for row in &rows[1..] {
        let [result, _, cells @ ..] = &row[..] else { return None };
        let cells = cells.iter().map(|cell| parsed(cell)).collect::<Option<Vec<f64>>>()?;
        let [first, first_error, total, total_error, effect, spread, share] = cells[..] else { return None };
        let pair = |a: f64, b: f64| Some([a, b]).filter(|_| !a.is_nan());
        let own = page.results.iter_mut().find(|own| own.name == *result)?;
        own.ranks.push(PageRank {
            first: pair(first, first_error),
            total: pair(total, total_error),
            effect: pair(effect, spread),
            linear_share: Some(share).filter(|share| !share.is_nan()),
        });
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::events::rows;
    use super::*;
    use borelli_data::Column;
    use borelli_study::uncertainty::{Band, BandColumn, InputRecord, LinearRecord, Rank, ResultRecord, SampleRecord};

    fn record() -> UncertaintyRecord {
        let band = |x: f64| Some(Band { mean: x, sd: 0.1 + 0.2, quantiles: [x - 0.5, x, x + 0.7] });
        let input = |name: &str, unit: &str| InputRecord {
            name: name.into(),
            paths: vec!["a.b".into(), "c".into()],
            words: "normal".into(),
            unit: unit.into(),
        };
        let column = |name: &str, bands: Vec<Option<Band>>, linear: f64| BandColumn {
            column: Column::new(name, "N m"),
            bands,
            nominal: vec![1.0, f64::NAN],
            linear_sd: vec![linear, f64::NAN],
        };
        let rank = Rank { first: Some([0.1 + 0.2, 0.01]), total: None, effect: Some([3.0, 0.5]), linear_share: Some(0.25) };
        UncertaintyRecord {
            methods: vec!["linear", "sobol"],
            seed: 7,
            inputs: vec![input("mass, of all", "kg"), input("noise", "")],
            input_count: 1,
            runs: [10, 9, 2],
            failures: vec![("sobol", 3, "a \"lost\" run".into())],
            times: vec![0.0, 1.0 / 3.0],
            reached: vec![7, 6],
            columns: vec![
                column("coord.knee.effort", vec![band(1.0), None], 0.5),
                column("coord.hip.effort", vec![None, None], 0.5),
                column("coord.hip.value", vec![None, None], 0.0),
            ],
            results: vec![ResultRecord {
                name: "peak".into(),
                words: "max of `coord.knee.effort`".into(),
                unit: "N m".into(),
                nominal: 2.0 / 3.0,
                band: band(0.5),
                linear_sd: None,
                without: 1,
                ranks: vec![rank, Rank::default()],
            }],
            samples: vec![SampleRecord {
                method: "sobol",
                number: 1,
                inputs: vec![2.5],
                results: vec![f64::NAN],
                trouble: "lost, again".into(),
            }],
            linear: Some(LinearRecord { evaluations: 30, looks: 40, ratio: 0.7 }),
        }
    }

    #[test]
    fn what_a_page_shows_of_uncertainty_comes_back_from_its_files() {
        let record = record();
        let mut page = read_block(&serde_json::from_str(&block(&record).to_string()).expect("JSON")).expect("a block");
        let text = |write: fn(&UncertaintyRecord, &mut dyn Write) -> io::Result<()>| {
            let mut text = Vec::new();
            write(&record, &mut text).expect("a text");
            String::from_utf8(text).expect("text")
        };
        for ((name, read), write) in UNCERTAINTY_TABLES.into_iter().zip([bands, indices]) {
            read(&mut page, &rows(&text(write)).expect("rows")).unwrap_or_else(|| panic!("{name}"));
            let mut damaged = page.clone();
            let wrong = [vec!["result".to_string()], vec!["x".to_string()]];
            assert_eq!(read(&mut damaged, &wrong), None, "{name}");
        }
        let expected = UncertaintyPage::of(&record);
        // What is not known is NaN, which equals nothing.
        let known = |page: &UncertaintyPage| format!("{page:?}");
        assert_eq!(known(&page), known(&expected));
        assert_eq!(page.bands.len(), 2);
        let own = page.band("coord.hip.effort").expect("it");
        assert!((own.low[0] - (1.0 - 0.979_981_992_270_027)).abs() < 1e-12 && own.low[1].is_nan(), "{own:?}");
        let table = text(samples);
        assert_eq!(
            table.lines().collect::<Vec<_>>(),
            ["method,number,\"mass, of all [kg]\",peak [N m],trouble", "sobol,1,2.5,,\"lost, again\""]
        );
    }
}
