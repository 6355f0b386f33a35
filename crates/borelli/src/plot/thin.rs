//! Curves with only the points that a pen needs.
//! Not here: drawing.

use super::axis::Scale;
use super::{FRAME, Plot, Series, WIDTH};

/// Distance from a straight line that nobody sees, px.
const UNSEEN: f64 = 0.1;

impl Plot {
    /// The same picture from fewer points: left out are those within a tenth of a pixel of the line between those that stay (Douglas and
    /// Peucker 1973). Gaps stay.
    pub fn thinned(mut self) -> Plot {
        let x = Scale::around(self.series.iter().flat_map(|s| &s.x), self.x.log, 0.0);
        let y = Scale::around(self.series.iter().flat_map(|s| &s.y), self.y.log, 0.05);
        let pixel = |series: &Series, k: usize| Some((x.part(series.x[k])? * WIDTH, y.part(series.y[k])? * FRAME));
        for series in &mut self.series {
            let places: Vec<Option<(f64, f64)>> = (0..series.x.len().min(series.y.len())).map(|k| pixel(series, k)).collect();
            let kept = kept(&places);
            series.x = kept.iter().map(|k| series.x[*k]).collect();
            series.y = kept.iter().map(|k| series.y[*k]).collect();
        }
        self
    }
}

/// Which of the places stay, in order; of a gap one.
fn kept(places: &[Option<(f64, f64)>]) -> Vec<usize> {
    let mut stays = vec![false; places.len()];
    let mut spans = Vec::new();
    let mut first = 0;
    for k in 0..=places.len() {
        if places.get(k).is_some_and(Option::is_some) {
            continue;
        }
        if k > first {
            (stays[first], stays[k - 1]) = (true, true);
            spans.push((first, k - 1));
        }
        if k < places.len() && (k == 0 || places[k - 1].is_some()) {
            stays[k] = true;
        }
        first = k + 1;
    }
    while let Some((a, b)) = spans.pop() {
        let (Some(from), Some(to)) = (places[a], places[b]) else { continue };
        let far = (a + 1..b).filter_map(|k| Some((k, off_line(places[k]?, from, to)))).max_by(|p, q| p.1.total_cmp(&q.1));
        if let Some((k, distance)) = far
            && distance > UNSEEN
        {
            stays[k] = true;
            spans.extend([(a, k), (k, b)]);
        }
    }
    (0..places.len()).filter(|k| stays[*k]).collect()
}

/// Distance of a place from the straight line between two others.
fn off_line(p: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let square = dx * dx + dy * dy;
    let part = if square > 0.0 { (((p.0 - from.0) * dx + (p.1 - from.1) * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    (p.0 - from.0 - part * dx).hypot(p.1 - from.1 - part * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_parts_need_two_points_and_curved_ones_stay_within_a_tenth_of_a_pixel() {
        let x: Vec<f64> = (0..=1000).map(|k| k as f64 / 1000.0).collect();
        let with = |f: fn(f64) -> f64| {
            let series = Series { label: String::new(), x: x.clone(), y: x.iter().map(|x| f(*x)).collect(), marks: false };
            Plot { series: vec![series], ..Plot::default() }
        };
        assert_eq!(with(|x| 3.0 * x).thinned().series[0].x, [0.0, 1.0]);
        let bent = with(|x| (x - 0.3).abs()).thinned();
        assert_eq!(bent.series[0].x, [0.0, 0.3, 1.0]);
        let gap = with(|x| if x == 0.5 { f64::NAN } else { x }).thinned();
        assert_eq!(gap.series[0].x, [0.0, 0.499, 0.5, 0.501, 1.0]);

        let wave = with(|x| (9.0 * x).sin()).thinned();
        let few = &wave.series[0];
        assert!(few.x.len() < 150, "{}", few.x.len());
        // 2.2 of range on the height of the frame: what the straight lines between the kept points miss.
        for &x in &x {
            let k = few.x.iter().rposition(|known| *known <= x).unwrap_or(0).min(few.x.len() - 2);
            let part = (x - few.x[k]) / (few.x[k + 1] - few.x[k]);
            let y = few.y[k] + part * (few.y[k + 1] - few.y[k]);
            assert!((y - (9.0 * x).sin()).abs() / 2.2 * FRAME < 0.3, "{x}");
        }
    }
}
