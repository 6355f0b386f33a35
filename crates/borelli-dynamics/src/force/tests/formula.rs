//! Forces by formulas: against the laws that they say, against duals, and what is refused.
//! Not here: what all laws share (`super`), slopes chained along the tree (`formulation::articulated`).

use super::{BOTH, PLANAR, SPATIAL, assert_close, evaluate, everything, faults, generalised_at, states, system, with_force};
use borelli_math::Dual;

#[test]
fn a_formula_does_what_the_law_does_that_it_says() {
    let laws = [
        (
            ("spring", "path = \"bent\"\nstiffness = 800\nlength = 0.6"),
            "path = \"bent\"\ntension = \"k*(path.bent.length - [60 cm])\"\nnumbers = { k = \"8 N/cm\" }",
        ),
        (("dashpot", "path = \"bent\"\ndamping = 50"), "path = \"bent\"\ntension = \"[50 N s/m]*path.bent.rate\""),
        (
            ("effort", "coordinate = \"rail\"\neffort = { type = \"sine\", amplitude = \"20 N\", frequency = 0.7 }"),
            "coordinate = \"rail\"\neffort = \"[20 N]*sin([0.7 1/s]*2*pi*time)\"",
        ),
        (
            ("coordinate-spring", "coordinate = \"knee\"\nstiffness = 30\ndamping = 2\nrest = 0.2"),
            "coordinate = \"knee\"\neffort = \"-[30 N m/rad]*(coord.knee.value - 0.2) - [2 N m s/rad]*coord.knee.rate\"",
        ),
    ];
    for model in BOTH {
        for ((kind, fields), formula) in laws {
            let (law, own) = (system(&with_force(model, kind, fields)), system(&with_force(model, "formula", formula)));
            for (q, v, t) in states(&law) {
                let [expected, found] = [&law, &own].map(|system| generalised_at(system, &q, &v, t));
                assert_close(&found, &expected, 1e-14, kind);
            }
        }
    }
}

#[test]
fn a_force_at_a_place_has_the_components_of_its_formulas_in_its_axes() {
    let functions = "{ type = \"sine\", amplitude = 20, frequency = 0.7 }, { type = \"polynomial\", coefficients = [3, -40] }";
    let formulas = "\"20*sin([1.4 1/s]*pi*time)\", \"3 - [40 N/s]*time\"";
    for (model, more) in [(PLANAR, ["", ""]), (SPATIAL, [", \"7 N\"", ", \"[7 N]\""])] {
        for axes in ["world", "body"] {
            let of = |list: &str, more: &str| format!("at = \"b.side\"\nforce = [{list}{more}]\naxes = \"{axes}\"");
            let law = system(&with_force(model, "force", &of(functions, more[0])));
            let own = system(&with_force(model, "formula", &of(formulas, more[1])));
            for (q, v, t) in states(&law) {
                let [expected, found] = [&law, &own].map(|system| generalised_at(system, &q, &v, t));
                assert_close(&found, &expected, 1e-14, axes);
            }
        }
    }
}

#[test]
fn a_drag_sees_the_velocity_of_its_place() {
    for (model, third) in [(PLANAR, ""), (SPATIAL, ", \"-c*vz\"")] {
        let fields = format!("at = \"c.end\"\nforce = [\"-c*vx\", \"-c*vy\"{third}]\nnumbers = {{ c = \"3 N s/m\" }}");
        let system = system(&with_force(model, "formula", &fields));
        for (q, v, t) in states(&system) {
            let (frames, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
            let body = system.names.bodies.iter().position(|name| name == "c").expect("a body");
            let scene = crate::scene::Scene {
                skeleton: &system.skeleton,
                numbers: &system.numbers,
                frames: &frames,
                q: &q,
                v: &v,
                vdot: &[],
                t,
                inside: crate::scene::Inside::NONE,
            };
            let place = system.numbers.place_body.iter().rposition(|own| *own as usize == body).expect("a place") as u32;
            let point = scene.point(place);
            let power = loads.force[body].dot(frames.v[body]) + loads.moment[body].dot(frames.w[body]);
            assert_close(&[power], &[-3.0 * point.v_W.dot(point.v_W)], 1e-13, "power of the drag");
            assert!(power < -0.01);
        }
    }
}

#[test]
fn a_value_stays_a_number_where_the_formula_has_no_slope() {
    let system = system(&with_force(PLANAR, "formula", "coordinate = \"rail\"\neffort = \"[3 N/m^0.5]*sqrt(coord.rail.value)\""));
    let q = vec![Dual::<1> { re: 0.0, eps: [1.0] }; system.skeleton.coords()];
    let v = vec![Dual::<1> { re: 0.0, eps: [0.0] }; system.skeleton.dofs()];
    let (_, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, 0.0);
    assert!(everything(&loads).iter().all(|x| x.re == 0.0 || x.re.is_finite()), "{:?}", loads.tau);
}

#[test]
fn what_cannot_be_a_formula_is_refused() {
    let refused = |fields: &str, code: &str| {
        let found = faults(&with_force(PLANAR, "formula", fields));
        assert_eq!(found, [code], "{fields}");
    };
    refused("numbers = { k = 3 }", "neither-given");
    refused("coordinate = \"knee\"", "given-alone");
    refused("effort = \"[1 N m]\"", "given-alone");
    refused("coordinate = \"knee\"\neffort = \"[1 N m]\"\npath = \"bent\"\ntension = \"[1 N]\"", "both-given");
    refused("coordinate = \"knee\"\neffort = \"[1 N m]\"\naxes = \"body\"", "given-alone");
    refused("coordinate = \"knee\"\neffort = \"[1 N]*coord.rail.rate\"", "wrong-unit");
    refused("coordinate = \"knee\"\neffort = \"coord.kne.value\"", "bad-formula");
    refused("coordinate = \"knee\"\neffort = \"coord.knee.value + path.bent.length\"", "bad-formula");
    // Forces would depend on each other.
    refused("coordinate = \"knee\"\neffort = \"[1 m]*path.bent.force\"", "bad-formula");
    refused("at = \"a.near\"\nforce = [\"[1 N]\"]", "wrong-count");
    refused("at = \"a.near\"\nforce = [\"[1 N/m]*x\", \"[1 N/m]*z\"]", "bad-formula");
    for name in ["sin", "pi", "time", "vx", "e.e", "2k"] {
        refused(&format!("coordinate = \"knee\"\neffort = \"[1 N m]\"\nnumbers = {{ \"{name}\" = 3 }}"), "bad-name");
    }
}
