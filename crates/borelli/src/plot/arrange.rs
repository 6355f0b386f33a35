//! Figures of several instants side by side: moved apart where they would cover each other.
//! Not here: what a figure looks like (`paint`).
//! In: scenes in metres. Out: how far each is moved, and the map to the page.

use super::paint::Scene;
use super::paint::sheet::Map;

/// Scenes with their places.
pub(super) struct Arranged {
    /// Box of each scene: ends to the right, ends upward, m.
    pub boxes: Vec<[[f64; 2]; 2]>,
    /// How much farther to the right each scene stands than the one before, m.
    pub apart: f64,
    /// Ends of everything to the right and upward after moving, m.
    pub wide: [f64; 2],
    pub tall: [f64; 2],
}

/// Gap between figures over their size.
const GAP: f64 = 0.08;

/// Ends of a box around points, per axis.
fn bounds<'a>(points: impl Iterator<Item = &'a [f64; 2]>) -> [[f64; 2]; 2] {
    let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for p in points.filter(|p| p[0].is_finite() && p[1].is_finite()) {
        for (end, x) in ends.iter_mut().zip(p) {
            *end = [end[0].min(*x), end[1].max(*x)];
        }
    }
    ends
}

impl Arranged {
    /// Places of scenes; none where there is nothing to see. With `stay` they keep theirs.
    pub fn of(scenes: &[Scene], stay: bool) -> Option<Arranged> {
        let boxes: Vec<[[f64; 2]; 2]> = scenes.iter().map(|scene| bounds(scene.points())).collect();
        let tall = boxes.iter().map(|ends| ends[1]).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])?;
        if !(tall[0] <= tall[1]) {
            return None;
        }
        let widest = boxes.iter().map(|ends| ends[0][1] - ends[0][0]).fold(0.0, f64::max);
        let size = widest.max(tall[1] - tall[0]);
        let overlap = boxes.windows(2).map(|pair| pair[0][0][1] - pair[1][0][0]).fold(f64::NEG_INFINITY, f64::max);
        let apart = if overlap > 0.0 && !stay { overlap + GAP * size } else { 0.0 };
        let ends = |k: usize| boxes[k][0].map(|x| x + k as f64 * apart);
        let wide = (0..boxes.len()).map(ends).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])?;
        Some(Arranged { boxes, apart, wide, tall })
    }

    /// The largest edge of all, m.
    pub fn size(&self) -> f64 {
        let widest = self.boxes.iter().map(|ends| ends[0][1] - ends[0][0]).fold(0.0, f64::max);
        widest.max(self.tall[1] - self.tall[0]).max(f64::MIN_POSITIVE)
    }

    /// The map of a scene for a scale, px/m, when the middle of all stands at `middle` and its lowest place at `low`, px.
    pub fn map(&self, scene: usize, scale: f64, middle: f64, low: f64) -> Map {
        let left = 0.5 * (self.wide[0] + self.wide[1]) - scene as f64 * self.apart;
        Map { scale, shift: [middle - left * scale, low + self.tall[0] * scale] }
    }
}
