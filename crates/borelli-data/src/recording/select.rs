//! A part of a recording: some points, some channels, under other names.
//! Not here: which part; whoever converts knows.
//! In: a source of frames. Out: frames with less in them.

use super::{Frame, FrameSource, Outline, Repair};
use crate::format::FormatFault;

/// A source that hands on a part of another.
pub struct Selected<'s> {
    source: Box<dyn FrameSource + 's>,
    outline: Outline,
    points: Vec<usize>,
    channels: Vec<usize>,
    derived: bool,
    whole: Frame,
}

impl<'s> Selected<'s> {
    /// A part of a source: new names for all points, places of the points and channels to keep in increasing order, and whether derived quantities
    /// are kept. Force plates stay only while all channels do, since they name theirs by number.
    pub fn new(
        source: Box<dyn FrameSource + 's>,
        names: Vec<String>,
        points: Vec<usize>,
        channels: Vec<usize>,
        derived: bool,
    ) -> Selected<'s> {
        let mut outline = source.outline().clone();
        let all = channels.len() == outline.channels.len();
        outline.points = points.iter().filter_map(|k| names.get(*k).cloned()).collect();
        outline.channels = channels.iter().filter_map(|k| outline.channels.get(*k).cloned()).collect();
        if !all {
            outline.platforms.clear();
        }
        if outline.channels.is_empty() {
            outline.samples_per_frame = 0;
        }
        if !derived {
            outline.derived.clear();
        }
        Selected { source, outline, points, channels, derived, whole: Frame::default() }
    }
}

impl FrameSource for Selected<'_> {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn next_frame(&mut self, frame: &mut Frame) -> Result<bool, FormatFault> {
        let whole = &mut self.whole;
        if !self.source.next_frame(whole)? {
            return Ok(false);
        }
        frame.points.clear();
        frame.points.extend(self.points.iter().filter_map(|k| whole.points.get(*k)));
        frame.residuals.clear();
        frame.residuals.extend(self.points.iter().filter_map(|k| whole.residuals.get(*k)));
        frame.derived.clear();
        if self.derived {
            frame.derived.extend(&whole.derived);
        }
        frame.samples.clear();
        let width = self.source.outline().channels.len();
        if !self.channels.is_empty() {
            for sample in whole.samples.chunks_exact(width.max(1)) {
                frame.samples.extend(self.channels.iter().filter_map(|k| sample.get(*k)));
            }
        }
        Ok(true)
    }

    fn repairs(&self) -> &[Repair] {
        self.source.repairs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::{Channel, ChannelGroup, Clock, PointSeries, Recording, RecordingFrames};
    use borelli_math::vec3::vec3;

    #[test]
    fn a_part_keeps_what_was_asked_for_under_new_names() {
        let clock = Clock::even(10.0, 0.0, 2);
        let point = |name: &str, x: f64| PointSeries {
            name: name.into(),
            position: vec![vec3(x, 0.0, 0.0); 2],
            seen: vec![true, false],
            residual: Vec::new(),
        };
        let channel = |name: &str, x: f64| Channel { name: name.into(), samples: vec![x; 4], ..Channel::default() };
        let channels = vec![ChannelGroup { clock: Clock::even(20.0, 0.0, 4), channels: vec![channel("a", 1.0), channel("b", 2.0)] }];
        let recording = Recording { clock, points: vec![point("S:A", 5.0), point("S:B", 6.0)], channels, ..Recording::default() };
        let source = Box::new(RecordingFrames::whole(recording));
        let mut part = Selected::new(source, vec!["A".into(), "B".into()], vec![1], vec![1], true);
        assert_eq!((part.outline().points.clone(), part.outline().channels.len()), (vec!["B".to_string()], 1));
        let mut frame = Frame::default();
        assert!(part.next_frame(&mut frame).is_ok_and(|more| more));
        assert_eq!((frame.points[0].map(|p| p.x), &frame.samples[..]), (Some(6.0), &[2.0, 2.0][..]));
        assert!(part.next_frame(&mut frame).is_ok_and(|more| more) && frame.points == [None]);
        assert!(part.next_frame(&mut frame).is_ok_and(|more| !more));
    }
}
