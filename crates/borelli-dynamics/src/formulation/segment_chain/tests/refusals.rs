//! Wrong choices are refused, and the message names what is wrong.

use super::super::Direction::{X, Y};
use super::super::Variable::{AngularAcceleration, Force, JointForce, JointMoment, Moment};
use super::super::{ChoiceFault, Labels, Posture, Problem, Row, Setup};
use super::{random_posture, random_segments, setup, value};
use borelli_math::random::Random;

fn leg() -> (Setup, Posture) {
    let mut random = Random::new(7);
    let segments = random_segments(&mut random, 3);
    let names = |list: &[&str]| list.iter().map(|name| name.to_string()).collect();
    let labels = Labels { segments: names(&["foot", "shank", "thigh"]), joints: names(&["toe", "ankle", "knee", "end"]) };
    let mut setup = Setup::new(segments).named(labels).unwrap();
    setup.forward(true);
    (setup, random_posture(&mut random, 3))
}

#[test]
fn too_few_and_too_many_unknowns_are_listed_by_group() {
    let (mut setup, _) = leg();
    setup.free([Moment(1), Force(2, X)]);
    let many = Problem::new(&setup).unwrap_err().to_string();
    assert!(many.starts_with("11 unknowns for 9 equations (3 for each of 3 segments); 2 too many"), "{many}");
    assert!(many.contains("unknown external moments: `body.shank.moment`"), "{many}");
    assert!(many.contains("unknown external forces: `body.thigh.force.x`"), "{many}");
    setup.know([Moment(1), Force(2, X), AngularAcceleration(0)]);
    let few = Problem::new(&setup).unwrap_err().to_string();
    assert!(few.starts_with("8 unknowns for 9 equations (3 for each of 3 segments); 1 too few: no values can meet"), "{few}");
    assert!(few.contains("unknown forces at joints: `joint.toe.force.x`"), "{few}");
    setup.add_row(Row::segment("heel stays", 0));
    let rows = Problem::new(&setup).unwrap_err().to_string();
    assert!(rows.contains("8 unknowns for 10 equations (3 for each of 3 segments and 1 added: `heel stays`)"), "{rows}");
}

#[test]
fn a_row_needs_an_unknown_of_its_own() {
    let (mut setup, _) = leg();
    let already = setup.constrain(Row::segment("foot flat", 0), AngularAcceleration(0)).unwrap_err();
    assert_eq!(already, ChoiceFault::AlreadyUnknown { variable: "body.foot.angular_acceleration".into(), row: "foot flat".into() });
    setup.constrain(Row::segment("foot flat", 0), Moment(0)).unwrap();
    let claimed = setup.constrain(Row::segment("shank still", 1), Moment(0)).unwrap_err();
    let expected = ChoiceFault::Claimed { variable: "body.foot.moment".into(), row: "shank still".into(), other: "foot flat".into() };
    assert_eq!(claimed, expected);
}

/// The moment at the first joint and the outside moment on the first segment have the same column.
#[test]
fn two_unknowns_with_one_effect_are_named_both() {
    let (mut setup, posture) = leg();
    setup.know([AngularAcceleration(0), AngularAcceleration(1)]).free([JointMoment(0), Moment(0)]);
    let mut problem = Problem::new(&setup).unwrap();
    let ChoiceFault::Singular { condition, unknowns, .. } = problem.examine(&posture).unwrap_err() else { panic!("not singular") };
    assert!(condition > 1e13);
    assert_eq!(unknowns, ["joint.toe.moment", "body.foot.moment"]);
    let mut values = vec![0.0; problem.layout().all()];
    assert!(problem.solve(&posture, &[], &mut values).is_err());
}

/// Two rows that ask for the same are named, too.
#[test]
fn rows_that_depend_on_each_other_are_named() {
    let (mut setup, posture) = leg();
    setup.constrain(Row::segment("foot still", 0), Moment(0)).unwrap();
    setup.constrain(Row::joint("ankle still", 1, X), Moment(1)).unwrap();
    let fault = Problem::new(&setup).unwrap().examine(&posture).unwrap_err();
    let ChoiceFault::Singular { equations, .. } = &fault else { panic!("{fault}") };
    assert_eq!(equations, &["foot still", "ankle still"]);
    assert!(fault.to_string().contains("equations that depend on each other: `foot still`, `ankle still`"), "{fault}");
}

/// With more equations than unknowns least squares leave a rest that is told; with a consistent surplus they leave none.
#[test]
fn least_squares_tell_what_is_left_over() {
    let (mut setup, posture) = leg();
    setup.add_row(Row::new("a measured force", vec![(super::super::Term::Variable(JointForce(1, Y)), 1.0)]));
    assert!(matches!(Problem::new(&setup), Err(ChoiceFault::Count { .. })));
    let mut exact = Problem::new(leg().0.forward(true)).unwrap();
    let mut values = vec![0.0; exact.layout().all()];
    (0..3).for_each(|i| values[exact.layout().index(Force(i, Y))] = -30.0);
    let known = values.clone();
    exact.solve(&posture, &[], &mut values).unwrap();
    let force = value(&exact, &values, JointForce(1, Y));

    let mut problem = Problem::least_squares(&setup).unwrap();
    let mut fitted = known.clone();
    let fit = problem.fit(&posture, &[force], &mut fitted).unwrap();
    assert!(fit.left_over < 1e-10 && fit.free == 0, "{fit:?}");
    assert!((value(&problem, &fitted, AngularAcceleration(2)) - value(&exact, &values, AngularAcceleration(2))).abs() < 1e-9);
    assert!(problem.fit(&posture, &[force + 10.0], &mut known.clone()).unwrap().left_over > 0.1);
    setup.free([Moment(0), Moment(1), Moment(2)]);
    let fit = Problem::least_squares(&setup).unwrap().fit(&posture, &[force], &mut known.clone()).unwrap();
    assert!(fit.left_over < 1e-10 && fit.free == 2, "{fit:?}");
}

/// Wrong use of the library is answered, too.
#[test]
fn lists_of_the_wrong_length_and_foreign_variables_are_refused() {
    let (own, posture) = leg();
    let mut problem = Problem::new(&own).unwrap();
    let mut values = vec![0.0; problem.layout().all()];
    let length = |what, expected, found| Err(ChoiceFault::WrongLength { what, expected, found });
    assert_eq!(problem.solve(&Posture::straight(2), &[], &mut values), length("cosines", 3, 2));
    assert_eq!(problem.solve(&posture, &[1.0], &mut values), length("right sides", 0, 1));
    assert_eq!(problem.solve(&posture, &[], &mut values[1..]), length("values of variables", 44, 43));
    let segments = random_segments(&mut Random::new(2), 3);
    assert!(setup(&segments).named(Labels::numbered(2)).is_err());
    let mut foreign = setup(&segments);
    foreign.forward(true).free([Moment(3)]);
    assert_eq!(Problem::new(&foreign).err(), Some(ChoiceFault::NoSuchVariable { symbol: "Mext_4".into(), segments: 3 }));
    let mut nothing = Problem::least_squares(&setup(&segments)).unwrap();
    values[0] = 1.0;
    assert!(nothing.fit(&posture, &[], &mut values).unwrap().left_over > 0.1, "one force without anything to balance it");
    let long = setup(&random_segments(&mut Random::new(3), 65));
    assert_eq!(Problem::new(&long).err(), Some(ChoiceFault::TooLong { segments: 65 }));
}

#[test]
fn names_and_symbols_find_their_variables() {
    let (own, _) = leg();
    let layout = own.layout();
    let variables = layout.variables();
    assert_eq!((layout.open(), layout.all(), variables.len()), (26, 44, 44));
    for (k, variable) in variables.iter().enumerate() {
        assert_eq!(layout.index(*variable), k);
        assert_eq!(own.labels().find(&own.labels().name(*variable)), Some(*variable));
        assert_eq!(own.labels().find(&variable.to_string()), Some(*variable));
    }
    // The paper's own example: the outside moment on the first of five segments is variable 29, counted from one.
    let five = setup(&random_segments(&mut Random::new(1), 5));
    assert_eq!(five.layout().index(Moment(0)) + 1, 29);
}
