//! `borelli compare`: models through every formulation; how far apart they are, and who declined.
//! Not here: comparing itself (`borelli-study`).
//! Out: a table, or JSON; exit code 1 when two formulations differ by more than is allowed.

use super::{Entry, Exit, Output, input};
use borelli::gallery;
use borelli::job::study_models;
use borelli_study::compare::{ALLOWED, Comparison, Difference, Pair, Quantity, Refusal, Settings, compare, names};
use clap::{ArgMatches, Args, FromArgMatches};
use serde_json::{Value, json};
use std::fmt::Write;
use std::io;
use std::path::Path;

pub static ENTRY: Entry = Entry {
    name: "compare",
    about: "Compute models in every formulation, and show how far apart they are",
    args: Compare::augment_args,
    run,
};

#[derive(Args)]
struct Compare {
    /// Model files, or names of models of the gallery
    #[arg(required_unless_present = "all", value_name = "MODEL")]
    models: Vec<String>,
    /// The whole gallery, and the models that studies of the program bring with them
    #[arg(long, conflicts_with = "models")]
    all: bool,
    /// Take the model files of this folder as the gallery
    #[arg(long = "models", id = "folder", value_name = "DIR")]
    folder: Option<String>,
    /// Random states per model
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    states: u32,
    /// Seed of the random states
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Compare::from_arg_matches(matches).map_err(io::Error::other)?;
    let words = match words(&args) {
        Ok(words) => words,
        Err(error) => {
            output.complain(&format!("error[cannot-read-file]: cannot read `{}`: {error}\n", args.folder.unwrap_or_default()));
            return Ok(Exit::BadInput);
        }
    };
    if words.is_empty() {
        let folder = args.folder.as_deref().unwrap_or(".");
        output.complain(&format!("error[nothing-to-compare]: no model file in `{folder}`\n  hint: model files end in .toml\n"));
        return Ok(Exit::BadInput);
    }
    let labels = labels(&words);
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).max(5);
    if !args.json {
        output.text(&header(width))?;
    }
    let (mut exit, mut list, mut agreed, mut alone, mut failed) = (Exit::Good, Vec::new(), 0, 0, 0);
    let (mut fewest, mut most, mut refusals) = (usize::MAX, 0, Vec::new());
    for (word, label) in words.iter().zip(labels) {
        let system = match input::load(word, &[]) {
            Ok((_, system)) => system,
            Err(rejected) => {
                output.complain(&rejected.to_string());
                exit = exit.max(Exit::BadInput);
                continue;
            }
        };
        let comparison = compare(&system, Settings { states: args.states as usize, seed: args.seed });
        (fewest, most) = (fewest.min(comparison.states), most.max(comparison.states));
        if !comparison.agrees() {
            failed += 1;
            exit = exit.max(Exit::Failed);
        } else if comparison.pairs.is_empty() {
            alone += 1;
        } else {
            agreed += 1;
        }
        if args.json {
            list.push(as_json(word, &comparison));
        } else {
            output.text(&table(&label, width, &comparison))?;
            output.flush()?;
            refusals.extend(comparison.declined.into_iter().map(|refusal| (label.clone(), refusal)));
        }
    }
    if args.json {
        output.json(&Value::Array(list))?;
    } else {
        let lonely = if alone > 0 { format!("; {alone} have one formulation only") } else { String::new() };
        let bad = if failed > 0 { format!("; {failed} FAILED") } else { String::new() };
        let models = words.len();
        let states = if fewest < most { format!("{fewest} to {most}") } else { format!("{most}") };
        output.text(&declined(width, &refusals))?;
        output.text(&format!(
            "{agreed} of {models} models agree to {ALLOWED:e} of the largest entry at {states} random states each{lonely}{bad}\n"
        ))?;
    }
    Ok(exit)
}

/// What to compare: names of the gallery and of models beside studies, files of a folder, or what is named.
fn words(args: &Compare) -> io::Result<Vec<String>> {
    let Some(folder) = &args.folder else {
        let all = || gallery::names().map(str::to_string).chain(study_models()).collect();
        return Ok(if args.all { all() } else { args.models.clone() });
    };
    let file = |name: &str| Path::new(folder).join(format!("{name}.toml")).to_string_lossy().into_owned();
    if !args.all {
        return Ok(args.models.iter().map(|word| if Path::new(word).exists() { word.clone() } else { file(word) }).collect());
    }
    let mut words = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "toml") {
            words.push(path.to_string_lossy().into_owned());
        }
    }
    words.sort();
    Ok(words)
}

/// What models are called: a file by its name without folder and ending, with as much of its folder as tells it from the others; a name as it is.
fn labels(words: &[String]) -> Vec<String> {
    // `model` is what the file beside a study is called, whatever it holds.
    let label = |word: &String, folders: usize| {
        if !Path::new(word).exists() {
            return word.clone();
        }
        let stem = Path::new(word).with_extension("");
        let parts: Vec<_> = stem.iter().collect();
        let kept: std::path::PathBuf = parts[parts.len().saturating_sub(folders + 1)..].iter().collect();
        kept.to_string_lossy().into_owned()
    };
    let plain: Vec<String> = words.iter().map(|word| label(word, 0)).collect();
    let is_clear = |k: usize| plain[k] != "model" && plain.iter().filter(|other| **other == plain[k]).count() == 1;
    let longest = words.iter().map(|word| Path::new(word).components().count()).max().unwrap_or(1);
    let tell_apart = |k: usize| {
        let mut names = (1..longest.max(2)).map(|folders| (label(&words[k], folders), folders));
        let alone = |(name, folders): &(String, usize)| words.iter().filter(|word| label(word, *folders) == *name).count() == 1;
        names.find(alone).map_or_else(|| words[k].clone(), |(name, _)| name)
    };
    (0..words.len()).map(|k| if is_clear(k) { plain[k].clone() } else { tell_apart(k) }).collect()
}

/// Room for any two formulations.
fn pair_width() -> usize {
    let mut lengths: Vec<usize> = names().map(str::len).collect();
    lengths.sort_unstable();
    lengths.iter().rev().take(2).sum::<usize>() + " / ".len()
}

fn header(width: usize) -> String {
    let pairs = pair_width();
    let mut text = format!("{:<width$}  {:<pairs$}", "model", "formulations");
    for quantity in Quantity::ALL {
        let _ = write!(text, "  {:>13}", quantity.name());
    }
    text.push_str("  verdict\n");
    text
}

fn verdict(pair: &Pair) -> &'static str {
    match pair.agrees() {
        true => "agree",
        false if pair.differences.iter().all(Option::is_none) => "not compared",
        false if pair.differences[Quantity::Accelerations as usize].is_none() => "singular",
        false => "DISAGREE",
    }
}

/// Where two formulations are apart: what is wrong, and what lies too close to a singular position to be judged.
fn places(pair: &Pair) -> Vec<String> {
    let at = |d: &Difference| {
        let rows = if d.weakest < 1.0 { format!(", where other rows leave {:.0e} of the weakest", d.weakest) } else { String::new() };
        format!("at state {}{rows}", d.state)
    };
    let wrong =
        Quantity::ALL.iter().zip(&pair.differences).filter_map(|(quantity, difference)| Some((quantity.name(), difference.as_ref()?)));
    let mut places: Vec<String> =
        wrong.filter(|(_, d)| !(d.largest <= ALLOWED)).map(|(name, d)| format!("{name} are furthest apart {}", at(d))).collect();
    if let Some(d) = pair.singular.as_ref().filter(|d| !(d.largest <= ALLOWED)) {
        places.push(format!("singular, not judged: accelerations {:.1e} apart {}", d.largest, at(d)));
    }
    places
}

fn table(label: &str, width: usize, comparison: &Comparison) -> String {
    let mut text = String::new();
    if comparison.states == 0 {
        let why = comparison.obstacle.as_deref().and_then(|text| text.lines().next()).unwrap_or_default();
        let _ = writeln!(
            text,
            "{label:<width$}  FAILED: none of {} random states satisfies loops, guides and tables: {why}",
            comparison.redrawn
        );
        return text;
    }
    let (mut first, pairs) = (label, pair_width());
    for pair in &comparison.pairs {
        let _ = write!(text, "{first:<width$}  {:<pairs$}", pair.names.join(" / "));
        for (quantity, difference) in Quantity::ALL.iter().zip(&pair.differences) {
            // A star: totals on bodies, because single reactions are not determined.
            let star = if *quantity == Quantity::Reactions && comparison.dependent > 0 { "*" } else { "" };
            let _ = match difference {
                Some(d) => write!(text, "  {:>13}", format!("{star}{:.1e}", d.largest)),
                None => write!(text, "  {:>13}", "-"),
            };
        }
        let _ = writeln!(text, "  {}", verdict(pair));
        for place in places(pair) {
            let _ = writeln!(text, "{:width$}    {place}", "");
        }
        first = "";
    }
    if comparison.pairs.is_empty() {
        let _ = writeln!(text, "{label:<width$}  only {}: nothing to compare with", comparison.formulations.join(", "));
    }
    let blank = " ".repeat(width);
    if comparison.redrawn > 0 {
        let _ = writeln!(text, "{blank}  {} states; {} draws could not be assembled", comparison.states, comparison.redrawn);
    }
    if let Some(touching) = comparison.touching {
        let _ = writeln!(text, "{blank}  surfaces push each other at {touching} of {} states", comparison.states);
    }
    if comparison.dependent > 0 {
        let _ = writeln!(text, "{blank}  * dependent loops or guides at {} states: total wrench on each body", comparison.dependent);
    }
    if comparison.singular > 0 {
        let (singular, states) = (comparison.singular, comparison.states);
        let _ = writeln!(
            text,
            "{blank}  close to a singular position at {singular} of {states} states: only energies and momenta are judged there"
        );
    }
    if let Some(common) = &comparison.common {
        let (alike, states) = (comparison.alike, comparison.states);
        let failure = common.to_string().replace('\n', " ");
        let _ = writeln!(text, "{blank}  FAILED: all formulations alike at {alike} of {states} states: {failure}");
    }
    for breakdown in &comparison.failed {
        let failure = breakdown.failure.to_string().replace('\n', " ");
        let _ = writeln!(text, "{blank}  FAILED: {} at state {}: {failure}", breakdown.formulation, breakdown.state);
    }
    text
}

/// The closing list of models that a formulation does not take, with its reason.
fn declined(width: usize, refusals: &[(String, Refusal)]) -> String {
    if refusals.is_empty() {
        return "declined: none\n".into();
    }
    let mut text = String::from("declined:\n");
    let names = refusals.iter().map(|(_, refusal)| refusal.formulation.len()).max().unwrap_or(0);
    for (model, Refusal { formulation, reason }) in refusals {
        let _ = writeln!(text, "{model:<width$}  {formulation:<names$}  {reason}");
    }
    text
}

fn as_value(difference: &Option<Difference>) -> Value {
    // JSON has no infinity.
    difference.as_ref().map_or(
        Value::Null,
        |d| json!({ "largest": d.largest.min(f64::MAX), "state": d.state, "weakest_row": d.weakest, "ok": d.largest <= ALLOWED }),
    )
}

fn as_json(word: &str, comparison: &Comparison) -> Value {
    let pair = |pair: &Pair| {
        let mut value = json!({ "formulations": pair.names });
        for (quantity, difference) in Quantity::ALL.iter().zip(&pair.differences) {
            let key = quantity.name().replace(' ', "_");
            value[key] = as_value(difference);
        }
        value["close_to_singular"] = as_value(&pair.singular);
        value["ok"] = json!(pair.agrees());
        value
    };
    json!({
        "model": word,
        "name": comparison.model,
        "states": comparison.states,
        "redrawn": comparison.redrawn,
        "close_to_singular": comparison.singular,
        "touching": comparison.touching,
        "obstacle": comparison.obstacle,
        "reactions_compared": if comparison.dependent > 0 { "total wrench on each body" } else { "single joints" },
        "allowed": ALLOWED,
        "formulations": comparison.formulations,
        "pairs": comparison.pairs.iter().map(pair).collect::<Vec<_>>(),
        "declined": comparison.declined.iter().map(|r| json!({ "formulation": r.formulation, "reason": r.reason })).collect::<Vec<_>>(),
        "failed": comparison.failed.iter().map(|b| json!({ "formulation": b.formulation, "state": b.state, "reason": b.failure.to_string() })).collect::<Vec<_>>(),
        "failed_alike": { "states": comparison.alike, "reason": comparison.common.as_ref().map(|failure| failure.to_string()) },
        "ok": comparison.agrees(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_dynamics::formulation::Failure;

    #[test]
    fn any_two_formulations_leave_the_columns_in_line() {
        let at = |line: &str| line.find("accelerations").map(|start| start + "accelerations".len());
        let all: Vec<&str> = names().collect();
        for (k, one) in all.iter().enumerate() {
            for other in &all[k + 1..] {
                let pair = Pair::new(one, other);
                let comparison = Comparison {
                    model: "m".into(),
                    states: 1,
                    redrawn: 0,
                    obstacle: None,
                    dependent: 0,
                    singular: 0,
                    touching: None,
                    formulations: vec![one, other],
                    pairs: vec![pair],
                    declined: Vec::new(),
                    failed: Vec::new(),
                    alike: 0,
                    common: None,
                };
                let line = table("m", 5, &comparison);
                assert_eq!(at(&header(5)), line.find(" - ").map(|dash| dash + 2), "{line}");
            }
        }
    }

    #[test]
    fn what_all_say_alike_is_said_once_and_is_no_disagreement() {
        let pair = Pair::new("one", "other");
        let common = Failure::NotFinite { joint: "knee".into() };
        let comparison = Comparison {
            model: "m".into(),
            states: 3,
            redrawn: 0,
            obstacle: None,
            dependent: 0,
            singular: 0,
            touching: None,
            formulations: vec!["one", "other"],
            pairs: vec![pair],
            declined: Vec::new(),
            failed: Vec::new(),
            alike: 3,
            common: Some(common),
        };
        let text = table("m", 5, &comparison);
        assert!(text.contains("not compared") && !text.contains("DISAGREE"), "{text}");
        assert!(text.contains("FAILED: all formulations alike at 3 of 3 states: the acceleration of joint `knee` is not finite"), "{text}");
        assert_eq!(as_json("m", &comparison)["ok"], json!(false));
    }

    #[test]
    fn who_declined_what_and_why_is_listed_at_the_end() {
        assert_eq!(declined(8, &[]), "declined: none\n");
        let refusal = |formulation, reason: &str| Refusal { formulation, reason: reason.into() };
        let list = [("top".to_string(), refusal("one", "it spins")), ("four-bar".to_string(), refusal("other", "it has a loop"))];
        assert_eq!(declined(8, &list), "declined:\ntop       one    it spins\nfour-bar  other  it has a loop\n");
    }
}
