//! C3D files written frame by frame: Intel, floats.
//! Not here: parameters (`describe`).
//! In: an outline, then frames in SI. Out: a file that reads back to the same mask and to the same values but for the rounding of floats.

use super::describe::{Places, Plan};
use super::header::BLOCK;
use crate::recording::{Frame, FrameSink, Outline};
use std::io::{self, Seek, SeekFrom, Write};

/// A C3D file that is written frame by frame. Without [`FrameSink::finish`] it announces no frames.
///
/// Limits: a derived quantity that is not one of three components comes back as the first of three; camera counts of points are not kept.
pub struct Writer<W: Write + Seek> {
    out: W,
    plan: Plan,
    places: Places,
    frames: u64,
    bytes: Vec<u8>,
}

/// What cannot be written.
fn refuse(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

impl<W: Write + Seek> Writer<W> {
    /// Writes header and parameters.
    pub fn new(mut out: W, outline: &Outline) -> io::Result<Writer<W>> {
        let plan = Plan::new(outline);
        let (points, analog, rate) = (plan.points(), plan.analog(), plan.outline.rate);
        if points > usize::from(u16::MAX) || analog > usize::from(u16::MAX) {
            return Err(refuse(format!("{points} points and {analog} analog values in a frame; a C3D file holds at most 65535 of each")));
        }
        if points + analog == 0 {
            return Err(refuse("neither points nor channels; a C3D file needs one of them".into()));
        }
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(refuse(format!("{rate} frames per second; a C3D file needs a rate above zero")));
        }
        let (section, places) = plan.section();
        let blocks = section.len() as u64 / BLOCK;
        if blocks + 2 > u64::from(u16::MAX) {
            return Err(refuse(format!("{blocks} blocks of parameters; a C3D file holds at most 65533")));
        }
        let first = plan.outline.first_frame.min(u64::from(u16::MAX)) as u16;
        let mut header = vec![0; BLOCK as usize];
        let mut word = |w: usize, value: u16| header[2 * (w - 1)..2 * w].copy_from_slice(&value.to_le_bytes());
        word(1, 0x5002);
        word(2, points as u16);
        word(3, analog as u16);
        word(4, first);
        word(5, first - 1);
        word(9, blocks as u16 + 2);
        word(10, plan.outline.samples_per_frame as u16);
        word(150, 12345);
        header[12..16].copy_from_slice(&(-plan.step as f32).to_le_bytes());
        header[20..24].copy_from_slice(&(rate as f32).to_le_bytes());
        out.write_all(&header)?;
        out.write_all(&section)?;
        Ok(Writer { out, plan, places, frames: 0, bytes: Vec::new() })
    }

    /// Gives back what was written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn float(&mut self, value: f64) {
        self.bytes.extend((value as f32).to_le_bytes());
    }

    /// Three coordinates and the word behind them; not seen where there are none.
    fn point(&mut self, place: Option<[f64; 3]>, word: f64) {
        let (place, word) = place.map_or(([0.0; 3], -1.0), |place| (place, word));
        place.into_iter().chain([word]).for_each(|value| self.float(value));
    }
}

impl<W: Write + Seek> FrameSink for Writer<W> {
    fn put(&mut self, frame: &Frame) -> io::Result<()> {
        let outline = &self.plan.outline;
        let expected = (outline.points.len(), outline.derived.len(), self.plan.analog());
        if (frame.points.len(), frame.derived.len(), frame.samples.len()) != expected {
            let found = (frame.points.len(), frame.derived.len(), frame.samples.len());
            return Err(refuse(format!("a frame of {found:?} points, derived quantities and samples, the outline says {expected:?}")));
        }
        self.bytes.clear();
        for (k, position) in frame.points.iter().enumerate() {
            let residual = f64::from(frame.residuals.get(k).copied().unwrap_or(0.0)) / (self.plan.metres * self.plan.step);
            let mut place = position.map(|p| p.scale(1.0 / self.plan.metres).to_array());
            if place == Some([0.0; 3]) {
                // a point seen at exactly zero would be taken for a missing one
                place = Some([f64::from(f32::MIN_POSITIVE), 0.0, 0.0]);
            }
            self.point(place, residual.round().clamp(0.0, 255.0));
        }
        for k in 0..self.plan.derived.len() {
            let point = &self.plan.derived[k];
            let place = point.at.map(|at| at.map_or(0.0, |at| frame.derived[at] / point.factor));
            self.point(place.iter().all(|x| x.is_finite()).then_some(place), 0.0);
        }
        for sample in frame.samples.chunks_exact(self.plan.channels.len().max(1)) {
            for (c, value) in sample.iter().enumerate() {
                self.float(value / self.plan.channels[c].1);
            }
        }
        self.out.write_all(&self.bytes)?;
        self.frames += 1;
        Ok(())
    }

    /// Fills up the last block and writes how many frames there are.
    fn finish(&mut self) -> io::Result<()> {
        let end = self.out.stream_position()?;
        self.out.write_all(&vec![0; (end.next_multiple_of(BLOCK) - end) as usize])?;
        let last = (self.plan.outline.first_frame - 1).saturating_add(self.frames);
        let narrow = |n: u64| (n.min(u64::from(u16::MAX)) as u16).to_le_bytes();
        let wide = (last.min(u64::from(u32::MAX)) as u32).to_le_bytes();
        let places = &self.places;
        let patches: [(u64, &[u8]); 4] = [
            (8, &narrow(last)),
            (BLOCK + places.frames as u64, &narrow(self.frames)),
            (BLOCK + places.long_frames as u64, &(self.frames as f32).to_le_bytes()),
            (BLOCK + places.end as u64, &wide),
        ];
        for (at, bytes) in patches {
            self.out.seek(SeekFrom::Start(at))?;
            self.out.write_all(bytes)?;
        }
        self.out.seek(SeekFrom::End(0))?;
        self.out.flush()
    }
}
