//! Butterworth low-pass filters, run forward only or forward and backward, as second-order sections.
//! Not here: gaps (`segment`), the choice of a cut-off (`residual`), filters of other programs (`foreign`).
//! In: even samples. Out: as many samples.

use super::fault::{SignalFault, check_finite};
use std::f64::consts::PI;

/// Highest order per pass.
const MOST: usize = 20;

/// What is done so that all passes together lose 3 dB at the cut-off.
///
/// One pass of order n loses 3 dB at its edge, p passes lose 3 p dB there. With `C = (2^(1/p) - 1)^(1/2n)` the edge is moved up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Correction {
    /// Analog edge `tan(pi fc/fs)/C`: exactly 3 dB at fc (Winter).
    #[default]
    Exact,
    /// Analog edge `tan(pi fc/(C fs))`: the cut-off itself is divided; 3 dB near fc.
    Frequency,
    /// Analog edge `tan(pi fc/fs)`: 3 p dB at fc.
    None,
}

/// A Butterworth low-pass filter.
///
///     |H(f)|² = 1/(1 + (tan(pi f/fs)/e)^(2n))        per pass, e the analog edge
///
/// | n `order` – | p `passes` 1 or 2 | e `edge` – | fs `rate` Hz |
///
/// Built from the poles of the analog prototype by the bilinear transform, two poles to a section, so that high orders and low cut-offs keep their digits.
/// Source: D. A. Winter, Biomechanics and Motor Control of Human Movement, section 3.4; G. Robertson and J. Dowling 2003, J. Electromyogr.
/// Kinesiol. 13:569-573, for the correction. Tests: `a_sine_at_the_cutoff_keeps_its_phase_and_the_root_of_one_half`,
/// `sections_multiply_to_the_published_coefficients`, `filtered_samples_are_those_of_the_reference`.
#[derive(Clone, Debug, PartialEq)]
pub struct Butterworth {
    order: usize,
    passes: usize,
    rate: f64,
    edge: f64,
    sections: Vec<Section>,
}

/// `(b0 + b1 z⁻¹ + b2 z⁻²)/(1 + a1 z⁻¹ + a2 z⁻²)`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Section {
    b: [f64; 3],
    a: [f64; 2],
}

impl Butterworth {
    /// A filter with a cut-off in Hz for samples at `rate` per second; the order is that of one pass.
    pub fn low_pass(order: usize, cutoff: f64, rate: f64, passes: usize, correction: Correction) -> Result<Butterworth, SignalFault> {
        check_design(order, rate, passes)?;
        if !(cutoff > 0.0 && cutoff.is_finite()) {
            return Err(SignalFault::BadCutoff { cutoff });
        }
        let C = ((1.0 / passes as f64).exp2() - 1.0).powf(0.5 / order as f64);
        let (frequency, stretch) = match correction {
            Correction::Exact => (cutoff, 1.0 / C),
            Correction::Frequency => (cutoff / C, 1.0),
            Correction::None => (cutoff, 1.0),
        };
        if !(frequency < 0.5 * rate) {
            return Err(SignalFault::CutoffTooHigh { cutoff, highest: 0.5 * rate * cutoff / frequency, rate });
        }
        Ok(Butterworth::at_edge(order, (PI * frequency / rate).tan() * stretch, rate, passes))
    }

    /// The filter of least order that loses at most `pass_loss_db` up to `pass` Hz and at least `stop_loss_db` from `stop` Hz on, all passes together.
    ///
    ///     n = ceil( log((10^(As/10p) - 1)/(10^(Ap/10p) - 1)) / (2 log(tan(pi fs'/F)/tan(pi fp/F))) )
    ///
    /// The pass band is met exactly, the stop band with what rounding the order up leaves. Source: A. V. Oppenheim and R. W. Schafer, Discrete-Time
    /// Signal Processing, section 7.2. Test: `bands_give_the_least_order_that_meets_them`.
    pub fn from_bands(
        pass: f64,
        pass_loss_db: f64,
        stop: f64,
        stop_loss_db: f64,
        rate: f64,
        passes: usize,
    ) -> Result<Butterworth, SignalFault> {
        check_design(1, rate, passes)?;
        if !(0.0 < pass && pass < stop && stop < 0.5 * rate) {
            return Err(SignalFault::BadBands { pass, stop, rate });
        }
        if !(0.0 < pass_loss_db && pass_loss_db < stop_loss_db && stop_loss_db.is_finite()) {
            return Err(SignalFault::BadLosses { pass: pass_loss_db, stop: stop_loss_db });
        }
        let excess = |db: f64| 10.0_f64.powf(0.1 * db / passes as f64) - 1.0;
        let analog = |f: f64| (PI * f / rate).tan();
        let wanted = (excess(stop_loss_db) / excess(pass_loss_db)).ln() / (2.0 * (analog(stop) / analog(pass)).ln());
        if !(wanted <= MOST as f64) {
            return Err(SignalFault::BadOrder { order: if wanted.is_finite() { wanted.ceil() as usize } else { usize::MAX }, most: MOST });
        }
        let order = (wanted.ceil() as usize).max(1);
        let edge = analog(pass) / excess(pass_loss_db).powf(0.5 / order as f64);
        Ok(Butterworth::at_edge(order, edge, rate, passes))
    }

    fn at_edge(order: usize, edge: f64, rate: f64, passes: usize) -> Butterworth {
        let pair = |k: usize| {
            let q = 2.0 * (PI * (2 * k + 1) as f64 / (2 * order) as f64).sin();
            let (e2, d) = (edge * edge, 1.0 + q * edge + edge * edge);
            Section { b: [e2 / d, 2.0 * e2 / d, e2 / d], a: [2.0 * (e2 - 1.0) / d, (1.0 - q * edge + e2) / d] }
        };
        let mut sections: Vec<Section> = (0..order / 2).map(pair).collect();
        if order % 2 == 1 {
            let d = 1.0 + edge;
            sections.push(Section { b: [edge / d, edge / d, 0.0], a: [(edge - 1.0) / d, 0.0] });
        }
        Butterworth { order, passes, rate, edge, sections }
    }

    /// Order of one pass.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Samples that each end is lengthened by unless another number is asked for: three times the number of coefficients.
    pub fn pad(&self) -> usize {
        3 * (self.order + 1)
    }

    /// Gain of all passes for a sine of this frequency, Hz.
    pub fn gain(&self, frequency: f64) -> f64 {
        let ratio = (PI * frequency / self.rate).tan() / self.edge;
        (1.0 + ratio.powi(2 * self.order as i32)).powf(-0.5 * self.passes as f64)
    }

    /// Frequency at which all passes together lose 3 dB (gain 0.7071), Hz.
    pub fn cutoff(&self) -> f64 {
        let C = ((1.0 / self.passes as f64).exp2() - 1.0).powf(0.5 / self.order as f64);
        self.rate / PI * (self.edge * C).atan()
    }

    /// Coefficients of one pass as a single fraction in z⁻¹: numerator and denominator, the latter beginning with one.
    pub fn coefficients(&self) -> (Vec<f64>, Vec<f64>) {
        let times = |p: &[f64], q: &[f64]| -> Vec<f64> {
            let mut product = vec![0.0; p.len() + q.len() - 1];
            for (i, p) in p.iter().enumerate() {
                q.iter().enumerate().for_each(|(j, q)| product[i + j] += p * q);
            }
            product
        };
        let (mut b, mut a) = (vec![1.0], vec![1.0]);
        for section in &self.sections {
            b = times(&b, &section.b);
            a = times(&a, &[1.0, section.a[0], section.a[1]]);
        }
        // A section of first order has a zero for its highest coefficient.
        b.truncate(self.order + 1);
        a.truncate(self.order + 1);
        (b, a)
    }

    /// Filters even samples without lag (two passes) or with it (one).
    ///
    /// Both ends are lengthened by point reflection, `2 x_0 - x_k`, by [`Butterworth::pad`] samples or by `pad`, at most by as many as there are; every
    /// pass starts in the steady state of its first sample. Samples that are no numbers spoil all others: see [`Butterworth::try_filter`].
    pub fn filter(&self, x: &[f64], pad: Option<usize>) -> Vec<f64> {
        let pad = pad.unwrap_or(self.pad()).min(x.len().saturating_sub(1));
        let mut y = reflect(x, pad);
        self.run(&mut y);
        if self.passes == 2 {
            y.reverse();
            self.run(&mut y);
            y.reverse();
        }
        y.drain(..pad);
        y.truncate(x.len());
        y
    }

    /// As [`Butterworth::filter`], refusing samples that are no numbers and records of a single sample.
    pub fn try_filter(&self, x: &[f64], pad: Option<usize>) -> Result<Vec<f64>, SignalFault> {
        if x.len() < 2 {
            return Err(SignalFault::TooFewSamples { found: x.len(), needed: 2 });
        }
        check_finite(x)?;
        Ok(self.filter(x, pad))
    }

    /// One pass, in place. Every section passes a constant as it is, so that its steady state follows from the first sample.
    fn run(&self, x: &mut [f64]) {
        let Some(&first) = x.first() else { return };
        for Section { b: [b0, b1, b2], a: [a1, a2] } in &self.sections {
            let mut z2 = (b2 - a2) * first;
            let mut z1 = (b1 - a1) * first + z2;
            for sample in x.iter_mut() {
                let input = *sample;
                let output = b0 * input + z1;
                z1 = b1 * input - a1 * output + z2;
                z2 = b2 * input - a2 * output;
                *sample = output;
            }
        }
    }
}

/// The samples with `pad` more on both sides, by reflection in the first and last sample; `pad` is less than their number.
pub(super) fn reflect(x: &[f64], pad: usize) -> Vec<f64> {
    let Some((&first, &last)) = x.first().zip(x.last()) else { return Vec::new() };
    let before = x[1..].iter().take(pad).rev().map(|v| 2.0 * first - v);
    let after = x[..x.len() - 1].iter().rev().take(pad).map(|v| 2.0 * last - v);
    before.chain(x.iter().copied()).chain(after).collect()
}

fn check_design(order: usize, rate: f64, passes: usize) -> Result<(), SignalFault> {
    if !(rate > 0.0 && rate.is_finite()) {
        return Err(SignalFault::BadRate { rate });
    }
    if !(1..=MOST).contains(&order) {
        return Err(SignalFault::BadOrder { order, most: MOST });
    }
    if !(1..=2).contains(&passes) {
        return Err(SignalFault::BadPasses { passes });
    }
    Ok(())
}

#[cfg(test)]
#[path = "butterworth_tests.rs"]
mod tests;
