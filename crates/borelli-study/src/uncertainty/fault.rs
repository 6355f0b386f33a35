//! What can be wrong between uncertain inputs and a model.
//! Not here: what is wrong with the text of `[uncertainty]` (`read`).

use borelli_model::Explain;

/// Why uncertainty cannot be propagated.
#[derive(Clone, Debug)]
pub(crate) enum UncertaintyFault {
    /// A distribution that is none.
    Distribution { input: String, reason: String, advice: &'static str },
    /// Parameters of one input that are not of one kind.
    Unlike { input: String, first: String, other: String },
    /// Parameters of one input that have different values.
    Unequal { input: String },
    /// Correlations that cannot hold together.
    NotPositive,
    /// Noise on what the study does not have.
    NoTable { noise: String, upon: &'static str },
    /// Noise on columns of which there are none.
    NothingNoisy { noise: String, upon: &'static str, known: Vec<String> },
    /// A size of noise that cannot be.
    NoiseSize { noise: String, found: String, expected: &'static str },
    /// A result that has no number.
    NoNumber { result: String, reason: String, advice: Option<String> },
    /// No inputs.
    Nothing,
    /// More numbers than fit into memory.
    TooMuch { runs: usize, samples: f64, columns: usize, most: usize },
    /// More runs than make sense.
    TooManyRuns { runs: f64, most: f64 },
    /// A model or a plan that has no slopes.
    NotLinear { reason: String },
}

use UncertaintyFault::*;

impl Explain for UncertaintyFault {
    fn code(&self) -> &'static str {
        match self {
            Distribution { .. } => "bad-distribution",
            Unlike { .. } => "unlike-parameters",
            Unequal { .. } => "unequal-parameters",
            NotPositive => "correlation-not-positive",
            NoTable { .. } => "no-table-for-noise",
            NothingNoisy { .. } => "nothing-noisy",
            NoiseSize { .. } => "noise-size",
            NoNumber { .. } => "result-without-number",
            Nothing => "nothing-uncertain",
            TooMuch { .. } => "too-many-samples",
            TooManyRuns { .. } => "too-many-runs",
            NotLinear { .. } => "not-linear",
        }
    }

    fn message(&self) -> String {
        match self {
            Distribution { input, reason, .. } => format!("input `{input}`: {reason}"),
            Unlike { input, first, other } => format!("input `{input}`: `{first}` and `{other}` have different units"),
            Unequal { input } => {
                format!("input `{input}`: its parameters have different values in the model, so that none of them is its mean")
            }
            NotPositive => "the correlations cannot hold together: their matrix is not positive definite".into(),
            NoTable { noise, upon } => format!("noise `{noise}` is put on {upon}, which this study does not have"),
            NothingNoisy { noise, upon, .. } => format!("noise `{noise}` is put on no {upon}: none has such a name and a fitting unit"),
            NoiseSize { noise, found, expected } => {
                format!("noise `{noise}`: the standard deviation is `{found}`, which is not {expected}")
            }
            NoNumber { result, reason, .. } => format!("result `{result}`: {reason}"),
            Nothing => "nothing is uncertain".into(),
            TooMuch { runs, samples, columns, .. } => {
                format!("{runs} runs of {samples:.0} samples of {columns} columns do not fit into memory")
            }
            TooManyRuns { runs, .. } => format!("{runs:.3e} runs are asked for"),
            NotLinear { reason } => format!("method `linear` has no slopes here: {reason}"),
        }
    }

    fn hint(&self) -> Option<String> {
        let fixed = |text: &str| Some(text.to_string());
        match self {
            Distribution { advice, .. } => fixed(advice),
            Unlike { .. } => fixed("tie parameters of one unit only, or write apply = \"factor\""),
            Unequal { .. } => fixed("give `mean`, or write apply = \"factor\" or \"offset\""),
            NotPositive => fixed("give smaller correlations: what goes with two others makes these go together, too"),
            NoTable { .. } => fixed("give the study a [motion] file, [markers] or [loads], or take the noise out"),
            NothingNoisy { known, .. } => Some(format!("there are: {}", known.join(", "))),
            NoiseSize { .. } => fixed("write such as sd = \"2 mm\""),
            NoNumber { advice, .. } => advice.clone(),
            Nothing => fixed("give the study an [uncertainty] table"),
            TooMuch { most, .. } => Some(format!(
                "record fewer columns, columns = [\"coord.*.effort\"], or a longer [time] sample; {most} runs would fit as it is"
            )),
            TooManyRuns { most, .. } => Some(format!("ask for {most:.0e} at most: fewer `samples`, or fewer inputs to rank")),
            NotLinear { .. } => fixed("sample: method = \"latin-hypercube\""),
        }
    }
}
