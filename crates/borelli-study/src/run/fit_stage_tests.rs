//! Fits in stages, terms that count together, laws that remember the speed of touchdown, fronts: against sums by hand, closed forms and differences.

use super::fit::{fitted, problem};
use super::fit_tests::{BALL, TRUTH, UNKNOWNS, faults, forces_of, planned, scalar, study};
use super::tests::{good, system};
use super::*;
use crate::fit::Way;
use crate::plan::Plan;
use borelli_fit::{Answer, Query, Wanted};

fn plan(text: &str, data: String) -> Plan {
    planned(text, data).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// The unknowns, with more lines for some of them by name.
fn with(lines: &[(&str, &str)]) -> String {
    lines.iter().fold(UNKNOWNS.to_string(), |text, (name, line)| {
        let head = format!("name = \"{name}\"\n");
        assert!(text.contains(&head), "{name}");
        text.replace(&head, &format!("{head}{line}\n"))
    })
}

const MOST: &str = "reduce = \"max\"\ntogether = \"force\"\nnormalise";

/// Both terms as maxima that count together.
fn together(text: &str) -> String {
    text.replace("normalise", MOST)
}

#[test]
fn stages_that_cannot_be_are_named() {
    /// What is wrong, lines for unknowns by name, and codes of the faults.
    type Case = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);
    let cases: [Case; 6] = [
        ("a follower without a stage", &[("radius", "before = \"damping\"")], &["bad-before"]),
        ("a follower of nobody", &[("radius", "stage = 2\nbefore = \"dampin\"")], &["bad-before"]),
        ("a follower of itself", &[("radius", "stage = 2\nbefore = \"radius\"")], &["bad-before"]),
        ("a follower of the same stage", &[("radius", "stage = 2\nbefore = \"damping\""), ("damping", "stage = 2")], &["bad-before"]),
        ("a gap", &[("radius", "stage = 3")], &["idle-stage"]),
        (
            "no first stage",
            &[("stiffness", "stage = 2"), ("radius", "stage = 2"), ("damping", "stage = 2"), ("friction", "stage = 2")],
            &["idle-stage"],
        ),
    ];
    for (what, lines, expected) in cases {
        assert_eq!(faults(&study("", &with(lines)), forces_of(BALL)), expected, "{what}");
    }
    let open = with(&[("radius", "stage = 2\nbefore = \"damping\"")]).replace("low = \"0 s/m\"\nhigh = \"2 s/m\"\n", "");
    assert_eq!(faults(&study("", &open), forces_of(BALL)), ["bad-before"]);
    // place and advice
    let text = study("", &with(&[("radius", "stage = 2\nbefore = \"dampin\"")]));
    let findings = run(&system(BALL), &plan(&text, forces_of(BALL)), None, &mut Unwatched).map(|_| ()).expect_err("refused");
    let found = findings.iter().next().expect("one");
    assert_eq!(found.hint.as_deref(), Some("did you mean `damping`?"));
    // The list's own line is named.
    let at = found.at.expect("a place").start as usize;
    let next = text[at..].lines().nth(1);
    assert!(text[at..].starts_with("[[fit.unknown]]") && next == Some("name = \"radius\""), "{}", &text[at..]);
}

#[test]
fn terms_that_cannot_count_together_are_named() {
    let text = study("method = \"cma-es\"", UNKNOWNS);
    let both = together(&text);
    let cases = [
        ("sums", text.replace("normalise", "together = \"force\"\nnormalise"), vec!["not-together"; 2]),
        ("one alone", both.replacen("together = \"force\"", "together = \"farce\"", 1), vec!["not-together"; 2]),
        ("two objectives", both.replacen("normalise", "objective = 2\nnormalise", 1).replace("cma-es", "nsga2"), vec!["not-together"]),
    ];
    for (what, text, expected) in cases {
        assert_eq!(faults(&text, forces_of(BALL)), expected, "{what}");
    }
    assert_eq!(faults(&both.replace("of = \"evaluate\"", "of = \"evaluate\"\nevaluations = 20"), forces_of(BALL)), [""; 0]);
}

/// Terms that count together are worth the largest sum of their |e| at one sample, and stand with the first.
#[test]
fn terms_that_count_together_are_summed_before_the_largest_counts() {
    let text = together(&study("method = \"cma-es\"\nevaluations = 40", UNKNOWNS));
    let record = good(&system(BALL), &plan(&text, forces_of(BALL))).fit.expect("a record");
    let of = |term: &'static str| record.residuals.iter().filter(move |own| own.term == term);
    let sums: Vec<f64> = of("vertical").zip(of("horizontal")).map(|(a, b)| a.error.abs() + b.error.abs()).collect();
    let largest = sums.iter().copied().fold(0.0, f64::max);
    let apart: f64 = ["vertical", "horizontal"].map(|term| of(term).map(|own| own.error.abs()).fold(0.0, f64::max)).iter().sum();
    assert!(sums.len() == 201 && largest > 0.0 && largest < 0.999 * apart, "{largest} {apart}");
    assert!((record.objective - largest).abs() < 1e-12 * largest, "{} {largest}", record.objective);
    assert!(record.terms[0].2 == record.objective && record.terms[1].2 == 0.0, "{:?}", record.terms);
}

/// A law with restitution in place of that with damping.
fn remembering() -> String {
    BALL.replace("type = \"hunt-crossley\"", "type = \"flores\"").replace("dissipation = \"0.4 s/m\"", "restitution = 0.7")
}

/// The unknowns of that law.
fn remembered(text: &str) -> String {
    text.replace(
        "path = \"law.push.dissipation\"\nlow = \"0 s/m\"\nhigh = \"2 s/m\"\nstart = \"1 s/m\"",
        "path = \"law.push.restitution\"\nlow = 0.3\nhigh = 0.95\nstart = 0.5",
    )
}

/// A fit follows pairs that remember from sample to sample: what the law makes of the speed of touchdown is found again, and is the closed form.
#[test]
fn laws_that_remember_are_found_again() {
    let model = remembering();
    let outcome = good(&system(&model), &plan(&study("", &remembered(UNKNOWNS)), forces_of(&model)));
    for (name, truth) in TRUTH.map(|(name, truth)| (name, if name == "damping" { 0.7 } else { truth })) {
        let found = scalar(&outcome, &format!("fit.unknown.{name}"));
        assert!((found / truth - 1.0).abs() < 1e-7, "{name} {found} {truth}");
    }
    // y = y0 + a sin(w t) sinks below the radius r at the speed w sqrt(a^2 - (r - y0)^2), and is below it at the start.
    let column = |name: &str| outcome.trajectory.column(name).unwrap_or_else(|| panic!("{name}")).to_vec();
    let (y, rate, force) = (column("coord.y.value"), column("coord.y.rate"), column("contact.sole.normal_force"));
    let (a, above) = (0.012_f64, 0.002);
    let speed = rate[0] / a * (a * a - above * above).sqrt();
    let (mut first, mut compared) = (true, [0, 0]);
    for k in 0..y.len() {
        let (depth, sinking) = (0.1 - y[k], -rate[k]);
        if depth <= 0.0 {
            first = false;
            continue;
        }
        let v0 = if first { 0.1 } else { speed };
        let expected = (50_000.0 * depth.powf(1.5) * (1.0 + 1.6 * (1.0 - 0.7) / 0.7 * sinking / v0)).max(0.0);
        assert!((force[k] - expected).abs() < 1e-4 * (1.0 + expected), "{k}: {} {expected}", force[k]);
        compared[usize::from(first)] += 1;
    }
    assert!(compared[0] > 20 && compared[1] > 0, "{compared:?}");
}

/// Slopes of sums and of the largest sum equal differences where laws remember.
#[test]
fn slopes_through_the_speed_of_touchdown_equal_differences() {
    let model = system(&remembering());
    let texts = [study("", &remembered(UNKNOWNS)), together(&study("method = \"quasi-newton\"", &remembered(UNKNOWNS)))];
    for (text, wanted) in texts.into_iter().zip([Wanted::Jacobian, Wanted::Gradient]) {
        let plan = plan(&text, forces_of(&remembering()));
        let fit = plan.fit.as_ref().expect("a fit").expanded(&model);
        let mut findings = Findings::new();
        let Some((channels, problem)) = problem(&model, &fitted(&plan, &fit), &fit, Way::Parts, &mut findings) else {
            panic!("{findings:?}")
        };
        let mut evaluator = problem.evaluator(&channels);
        let mut ask = |wanted: Wanted, point: Vec<f64>| {
            let mut answer = Answer::default();
            problem.answer(&mut evaluator, &Query { wanted, point }, &mut answer);
            answer
        };
        let point = vec![0.52, 0.6, 0.45, 0.4];
        let answer = ask(wanted, point.clone());
        let (values, slopes) = match wanted {
            Wanted::Gradient => (&answer.objectives, &answer.slopes.objective),
            _ => (&answer.residuals, &answer.slopes.residuals),
        };
        let mut compared = 0;
        for k in 0..4 {
            let h = 1e-5;
            let [a, b] = [h, -h].map(|by| {
                let mut own = point.clone();
                own[k] += by;
                let moved = ask(if wanted == Wanted::Gradient { Wanted::Objectives } else { Wanted::Residuals }, own);
                if wanted == Wanted::Gradient { moved.objectives } else { moved.residuals }
            });
            for row in 0..values.len() {
                let (slope, difference) = (slopes[row * 4 + k], (a[row] - b[row]) / (2.0 * h));
                // At the edge of a contact differences take in both sides.
                if [&a, &b].iter().any(|list| (list[row] == 0.0) != (values[row] == 0.0)) {
                    continue;
                }
                assert!((slope - difference).abs() < 2e-6 * (1.0 + difference.abs()), "{wanted:?} {k} {row}: {slope} {difference}");
                compared += usize::from(slope != 0.0);
            }
        }
        assert!(compared >= if wanted == Wanted::Gradient { 3 } else { 300 }, "{compared}");
    }
}

/// Unknowns of the second stage stay where they begin, or follow another, while the first is searched; then all are found.
#[test]
fn stages_follow_each_other_to_the_same_end() {
    let text = study("", &with(&[("radius", "stage = 2"), ("friction", "stage = 2\nbefore = \"damping\"")]));
    let model = system(BALL);
    let outcome = good(&model, &plan(&text, forces_of(BALL)));
    for (name, truth) in TRUTH {
        let found = scalar(&outcome, &format!("fit.unknown.{name}"));
        assert!((found / truth - 1.0).abs() < 1e-8, "{name} {found} {truth}");
    }
    // The first stage cannot make up for a radius that is 3 mm too small.
    let first = outcome.fit.expect("a record").history.iter().map(|round| (round.iterations, round.objective)).collect::<Vec<_>>();
    let end = first.windows(2).find(|pair| pair[1].0 <= pair[0].0).expect("two stages")[0].1;
    assert!(end > 1e-3, "{end}");
}

/// A search by chance that finds nothing better stays where it began, also where a constraint is left to it.
#[test]
fn a_search_with_a_constraint_stays_where_nothing_is_better() {
    let at_truth = UNKNOWNS
        .replace("2e5 N/m^1.5", "5e4 N/m^1.5")
        .replace("97 mm", "100 mm")
        .replace("1 s/m\"\n[[", "0.4 s/m\"\n[[")
        .replace("start = 0.8", "start = 0.35");
    let limit = "[[fit.constraint]]\nname = \"weak\"\ncolumn = \"contact.sole.normal_force\"\nat_most = \"1e6 N\"\n";
    let text = study("method = \"cma-es\"\nevaluations = 30", &format!("{at_truth}{limit}"));
    let record = good(&system(BALL), &plan(&text, forces_of(BALL))).fit.expect("a record");
    assert!(
        record.objective_at_start < 1e-20 && record.objective == record.objective_at_start,
        "{} {}",
        record.objective_at_start,
        record.objective
    );
}

/// A direction that data tell a ten-thousandth as well as another is named, though its interval is small, and the intervals are called in question.
#[test]
fn what_data_tell_much_less_than_the_rest_is_named() {
    let narrow = UNKNOWNS.replace("low = 0.1\nhigh = 0.9\nstart = 0.8", "low = 0.349999\nhigh = 0.350001\nstart = 0.35");
    let outcome = good(&system(BALL), &plan(&study("", &narrow), forces_of(BALL)));
    let record = outcome.fit.as_ref().expect("a record");
    assert!(record.condition.is_some_and(|condition| condition > 1e4), "{:?}", record.condition);
    let [weak] = &record.weak[..] else { panic!("{:?}", record.weak) };
    assert!(weak.parts[0].0 == "friction" && !weak.undetermined && weak.share < 1e-4, "{weak:?}");
    let told = outcome.health.iter().find(|line| line.key == "fit_identifiability").expect("told");
    assert!(told.text.contains("1 of 4 directions") && told.text.contains("may be far too narrow"), "{}", told.text);
    assert!(good(&system(BALL), &plan(&study("", UNKNOWNS), forces_of(BALL))).fit.expect("a record").weak.is_empty());
}

/// Ends, middle and volume of a front are those of its points; the run that is left is that of the middle.
#[test]
fn numbers_of_a_front_are_those_of_its_points() {
    let text = study("method = \"nsga2\"\npopulation = 16\ngenerations = [4, 6]\nreference = [50, 20]", &with(&[("radius", "stage = 2")]))
        .replace("normalise = \"max-abs\"", "normalise = \"max-abs\"\nobjective = 2");
    let outcome = good(&system(BALL), &plan(&text, forces_of(BALL)));
    let record = outcome.fit.as_ref().expect("a record");
    let points: Vec<[f64; 2]> = record.front.iter().map(|point| [point.objectives[0], point.objectives[1]]).collect();
    assert!(points.len() > 2 && points.is_sorted_by(|a, b| a[0] < b[0] && a[1] > b[1]), "{points:?}");
    let ends = points.iter().map(|point| point[0]).skip(1).chain([50.0]);
    let inside = points.iter().zip(ends).filter(|(point, _)| point[0] < 50.0 && point[1] < 20.0);
    let volume: f64 = inside.map(|(point, end)| (end.min(50.0) - point[0]) * (20.0 - point[1])).sum();
    assert!((scalar(&outcome, "fit.hypervolume") - volume).abs() < 1e-12 * volume, "{volume}");
    assert!(scalar(&outcome, "fit.hypervolume_of_stage.1") <= volume && record.volumes.len() == 2);
    let last = points[points.len() - 1];
    for (name, value) in [("end.1.objective.1", points[0][0]), ("end.1.objective.2", points[0][1]), ("end.2.objective.1", last[0])] {
        assert_eq!(scalar(&outcome, &format!("fit.{name}")), value, "{name}");
    }
    let middle = points[record.middle.expect("one")];
    assert_eq!([1, 2].map(|m| scalar(&outcome, &format!("fit.middle.objective.{m}"))), middle);
    assert!((record.objective - middle[0] - middle[1]).abs() < 1e-12 * record.objective);
    assert_eq!(faults(&text.replace("[50, 20]", "[50, 20, 1]"), forces_of(BALL)), ["reference-point"]);
}

/// Squares first, then a front: without noise both objectives vanish at one point, which a small population finds only where it was put in. The
/// constraint, which squares do not see, leaves it out by a little; what is put in is moved inside, and the front holds it.
#[test]
fn squares_before_a_front_are_put_into_it() {
    let both = study("METHOD\npopulation = 16\ngenerations = [2, 2]\nreference = [50, 20]\nstarts = 4", &with(&[("radius", "stage = 2")]))
        .replace("normalise = \"max-abs\"", "reduce = \"max\"\nnormalise = \"max-abs\"\nobjective = 2")
        .replace("normalise = \"max\"", "reduce = \"max\"\nnormalise = \"max\"");
    let limit = "[[fit.constraint]]\nname = \"soft\"\ncolumn = \"contact.sole.depth\"\nat_most = \"13.99 mm\"\n";
    let outcome = |method: &str, more: &str| {
        let text = format!("{}{more}", both.replace("METHOD", method));
        good(&system(BALL), &plan(&text, forces_of(BALL)))
    };
    let [alone, eased] = ["method = \"nsga2\"", "method = \"least-squares\"\nthen = \"nsga2\""].map(|method| outcome(method, ""));
    let least = |outcome: &Outcome| scalar(outcome, "fit.middle.objective.1") + scalar(outcome, "fit.middle.objective.2");
    assert!(least(&eased) < 1e-6 && least(&alone) > 1e-2, "{} {}", least(&eased), least(&alone));
    let record = eased.fit.as_ref().expect("a record");
    assert_eq!(record.methods, ["least-squares", "nsga2"]);
    assert!(record.jacobians > 0 && record.evaluations > record.jacobians + 2 * 3 * 16, "{} {}", record.evaluations, record.jacobians);
    let held = outcome("method = \"least-squares\"\nthen = \"nsga2\"", limit);
    let record = held.fit.as_ref().expect("a record");
    assert!(record.front.iter().all(|point| point.violation <= 0.0) && record.exceeded.is_empty());
    assert!(least(&held) < 0.1, "{}", least(&held));
}

/// A bottom that is level along an unknown, since nothing slips there: evolution ends by itself, and says that it has converged.
#[test]
fn evolution_ends_where_the_bottom_is_level() {
    let text = study("method = \"cma-es\"\nsearch = [\"stiffness\", \"friction\"]\nweights = [1, 0]", UNKNOWNS);
    let record = good(&system(BALL), &plan(&text, forces_of(BALL))).fit.expect("a record");
    assert!(record.found && record.evaluations < 5000, "{} after {}", record.stop, record.evaluations);
}
