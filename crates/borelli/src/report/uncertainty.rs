//! What a page shows of uncertain results: plain data.
//! Not here: how it was found (`borelli-study`), its files (`results`), how it is shown (`sections`, `page/plot-draw.js`).
//! In: the record of the analysis. Out: an `UncertaintyPage`.

use borelli_study::uncertainty::{BandColumn, Rank, UncertaintyRecord};

/// Standard deviations on either side that hold 95 % of a normal distribution.
const SIDE: f64 = 1.959_963_984_540_054;

/// An uncertain input, or a noise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UncertainInput {
    /// Name.
    pub name: String,
    /// What depends on it.
    pub paths: String,
    /// Its distribution or size, in words.
    pub words: String,
}

/// What one input does to a result; nothing where that was not asked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PageRank {
    /// Share of the variance by itself, and its standard error.
    pub first: Option<[f64; 2]>,
    /// Share together with all others, and its standard error.
    pub total: Option<[f64; 2]>,
    /// Mean size of what a step does, and its standard deviation.
    pub effect: Option<[f64; 2]>,
    /// Share of the variance by slopes.
    pub linear_share: Option<f64>,
}

impl PageRank {
    /// What inputs are ordered by.
    pub fn weight(&self) -> f64 {
        let share = self.total.or(self.first).map(|own| own[0]).or(self.linear_share);
        share.or(self.effect.map(|own| own[0])).unwrap_or(0.0)
    }
}

/// A number of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UncertainResult {
    /// Name.
    pub name: String,
    /// What it is.
    pub words: String,
    /// SI unit.
    pub unit: String,
    /// With all inputs at their means.
    pub nominal: Option<f64>,
    /// Mean, standard deviation, 2.5, 50 and 97.5 % of samples.
    pub sampled: Option<[f64; 5]>,
    /// Standard deviation by slopes.
    pub linear_sd: Option<f64>,
    /// By input.
    pub ranks: Vec<PageRank>,
}

/// The band of a column over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageBand {
    /// Column.
    pub column: String,
    /// Times, s.
    pub time: Vec<f64>,
    /// Lower end; NaN where there is none.
    pub low: Vec<f64>,
    /// Upper end.
    pub high: Vec<f64>,
}

impl PageBand {
    /// Adds a time: ends by samples, or by a value and its standard deviation.
    pub fn push(&mut self, t: f64, sampled: Option<[f64; 2]>, nominal: f64, linear_sd: f64) {
        let [low, high] = sampled.unwrap_or([nominal - SIDE * linear_sd, nominal + SIDE * linear_sd]);
        self.time.push(t);
        self.low.push(low);
        self.high.push(high);
    }

    /// Whether there is anything to see.
    pub fn is_wide(&self) -> bool {
        self.low.iter().zip(&self.high).any(|(low, high)| high > low)
    }

    /// The same of a column that is a multiple of this one.
    pub fn times(&self, column: &str, factor: f64) -> PageBand {
        let (a, b) = (self.low.iter().map(|x| factor * x).collect(), self.high.iter().map(|x| factor * x).collect());
        let (low, high) = if factor < 0.0 { (b, a) } else { (a, b) };
        PageBand { column: column.into(), time: self.time.clone(), low, high }
    }
}

/// What a page shows of uncertainty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UncertaintyPage {
    /// Methods, one after the other.
    pub methods: Vec<String>,
    /// Seed.
    pub seed: f64,
    /// Runs that were to be made, that were made, and that failed.
    pub runs: [usize; 3],
    /// Inputs, then noises.
    pub inputs: Vec<UncertainInput>,
    /// Evaluations with slopes, looks at columns, and both over those of one run.
    pub linear: Option<[f64; 3]>,
    /// Numbers of a run.
    pub results: Vec<UncertainResult>,
    /// Bands of columns that have one.
    pub bands: Vec<PageBand>,
}

impl UncertaintyPage {
    /// What is shown of a record.
    pub fn of(record: &UncertaintyRecord) -> UncertaintyPage {
        let rank = |own: &Rank| PageRank { first: own.first, total: own.total, effect: own.effect, linear_share: own.linear_share };
        let result = |own: &borelli_study::uncertainty::ResultRecord| UncertainResult {
            name: own.name.clone(),
            words: own.words.clone(),
            unit: own.unit.clone(),
            nominal: Some(own.nominal),
            sampled: own.band.map(|band| [band.mean, band.sd, band.quantiles[0], band.quantiles[1], band.quantiles[2]]),
            linear_sd: own.linear_sd,
            ranks: own.ranks.iter().map(rank).collect(),
        };
        let input = |own: &borelli_study::uncertainty::InputRecord| UncertainInput {
            name: own.name.clone(),
            paths: own.paths.join(" "),
            words: own.words.clone(),
        };
        let mut page = UncertaintyPage {
            methods: record.methods.iter().map(|method| method.to_string()).collect(),
            seed: f64::from(record.seed),
            runs: record.runs,
            inputs: record.inputs.iter().map(input).collect(),
            linear: record.linear.map(|own| [own.evaluations as f64, own.looks as f64, own.ratio]),
            results: record.results.iter().map(result).collect(),
            bands: Vec::new(),
        };
        for own in &record.columns {
            page.add(band(own, &record.times));
        }
        page
    }

    /// Adds a band, if there is anything to see.
    pub fn add(&mut self, band: PageBand) {
        if band.is_wide() {
            self.bands.push(band);
        }
    }

    /// The band of a column.
    pub fn band(&self, column: &str) -> Option<&PageBand> {
        self.bands.iter().find(|own| own.column == column)
    }
}

fn band(own: &BandColumn, times: &[f64]) -> PageBand {
    let mut band = PageBand { column: own.column.name.clone(), ..PageBand::default() };
    for (k, t) in times.iter().enumerate() {
        let sampled = own.bands[k].map(|band| [band.quantiles[0], band.quantiles[2]]);
        band.push(*t, sampled, own.nominal[k], own.linear_sd[k]);
    }
    band
}
