//! How many of many random pairs are solved rightly, and how many without fallback.

use super::reference::{QUICK, largest_gap};
use super::warm::{any_motion, moved};
use super::{Class, Placed, report, slow};
use crate::detect::{Detection, Method, Scope, Settings, Start};
use crate::shape::Surface;
use borelli_math::random::Random;

/// Distances are of order 0.1 m, so round-off is of order 1e-16 m.
const ROUND_OFF: f64 = 1e-14;

/// Counts of one class, and sums of directions.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    pairs: u32,
    /// Not a contact, or a direction with a larger gap was found.
    wrong: u32,
    /// The reference itself found nothing within a thousandth: its own misses.
    short: u32,
    without_fallback: u32,
    from_centres: u32,
    enclosed: u32,
    directions: u32,
    warm_wrong: u32,
    warm_without_fallback: u32,
    followed: u32,
}

/// True when the points lie on the surfaces and the gap is the one along the normal, and, for separated bodies, between the points: then
/// it is their distance, because no gap along a direction exceeds the distance of any two points.
fn is_contact(placed: &Placed, found: &Detection<f64>) -> bool {
    let Placed { first, X_first, second, X_second } = placed;
    let contact = &found.contact;
    let (s1, s2) = (X_first.R.transpose_mul(contact.p_first - X_first.p), X_second.R.transpose_mul(contact.p_second - X_second.p));
    let on_surfaces = (first.gauge(s1) - 1.0).abs() + (second.gauge(s2) - 1.0).abs() < 1e-12;
    let along = (contact.p_first - contact.p_second - contact.normal.scale(contact.gap)).norm() < 1e-11;
    on_surfaces && along && (placed.gap(contact.normal) - contact.gap).abs() < ROUND_OFF
}

fn judge(class: Class, overlapping: bool, pairs: u32) -> Count {
    let mut random = Random::new(301 + overlapping as u64);
    let mut count = Count { pairs, ..Count::default() };
    for _ in 0..pairs {
        let mut placed = Placed::any(&mut random, class, overlapping);
        let found = placed.find().unwrap_or_else(|fault| panic!("{fault}"));
        let (gap, certificate) = (found.contact.gap, found.certificate);
        let mut right = is_contact(&placed, &found);
        if !(gap > 0.0) {
            let reference = largest_gap(&|m| placed.gap(m), QUICK).1;
            right &= reference < gap + ROUND_OFF;
            count.short += (reference < 1.001 * gap) as u32;
        }
        count.wrong += !right as u32;
        count.without_fallback += certificate.without_fallback() as u32;
        count.from_centres += (certificate.method == Method::Newton(Start::Centres)) as u32;
        if certificate.scope == Scope::Enclosed {
            count.enclosed += 1;
            count.directions += certificate.directions;
        }
        // A millisecond at 1 m/s and 10 rad/s, faster than a foot meets the ground.
        let (one, other) = (any_motion(&mut random, 1.0, 10.0), any_motion(&mut random, 1.0, 10.0));
        placed.X_first = moved(&placed.X_first, &one, 1e-3);
        placed.X_second = moved(&placed.X_second, &other, 1e-3);
        let warm = placed.find_with(&Settings::default(), Some(&found.memory)).unwrap_or_else(|fault| panic!("{fault}"));
        // Separated: the same contact. Overlapping: perhaps another one, which overlaps more.
        let cold = placed.find().unwrap_or_else(|fault| panic!("{fault}")).contact.gap;
        let right = warm.contact.gap < cold + ROUND_OFF && (cold < 0.0 || warm.contact.gap > cold - ROUND_OFF);
        count.warm_wrong += !(right && is_contact(&placed, &warm)) as u32;
        count.warm_without_fallback += warm.certificate.without_fallback() as u32;
        count.followed += (warm.certificate.method == Method::Newton(Start::Former)) as u32;
    }
    count
}

/// `without fallback`: by Newton's method from the line of centres or, where bodies overlap, from a face of the polytope that proves the
/// least overlap; neither the scan of a coarse set of directions nor the ascent of the gap was run. With BORELLI_SLOW 100 000 pairs of
/// each class are judged, half of them made to overlap along the line of centres.
#[test]
fn slow_sample_of_random_pairs_is_solved_rightly_and_without_fallback() {
    let pairs = if slow() { 50_000 } else { 300 };
    let least = [(Class::Ellipsoids, 99.0), (Class::ExponentsTo5, 95.0), (Class::ExponentsTo10, 80.0)];
    report(format_args!(
        "class          overlap  pairs  wrong  short  without fallback  from centres  directions  warm: wrong  without fallback  followed"
    ));
    std::thread::scope(|scope| {
        for (class, least) in least {
            scope.spawn(move || {
                for overlapping in [false, true] {
                    let count = judge(class, overlapping, pairs);
                    let share = |k: u32| 100.0 * k as f64 / count.pairs as f64;
                    report(format_args!(
                        "{:13}  {overlapping:7}  {:5}  {:5}  {:5}  {:14.3} %  {:10.2} %  {:10.1}  {:11}  {:14.3} %  {:6.2} %",
                        format!("{class:?}"),
                        count.pairs,
                        count.wrong,
                        count.short,
                        share(count.without_fallback),
                        share(count.from_centres),
                        count.directions as f64 / count.enclosed.max(1) as f64,
                        count.warm_wrong,
                        share(count.warm_without_fallback),
                        share(count.followed),
                    ));
                    assert_eq!((count.wrong, count.warm_wrong), (0, 0), "{class:?} {overlapping}");
                    assert!(share(count.without_fallback) >= least, "{class:?} {overlapping}: {count:?}");
                    assert!(share(count.warm_without_fallback) >= 99.9, "{class:?} {overlapping}: {count:?}");
                    // A reference that misses much could not say that an answer is wrong.
                    assert!(share(count.short) < 0.5, "{class:?} {overlapping}: {count:?}");
                }
            });
        }
    });
}
