//! Stresses and strains as they are read: invariants, principal directions, viscous part, borders of regions.

use super::*;
use borelli_testkit::assert_close;

#[test]
fn invariants_of_stress_are_those_of_known_states() {
    let pressed = Stress { xx: -2.0, yy: -2.0, xy: 0.0, zz: -2.0 };
    let pulled = Stress { xx: 3.0, ..Stress::default() };
    let sheared = Stress { xy: 1.5, ..Stress::default() };
    let got = [pressed, pulled, sheared].map(|s| [s.von_mises(), s.hydrostatic()]);
    assert_close(got.as_flattened(), &[0.0, 2.0, 3.0, -1.0, 1.5 * 3.0f64.sqrt(), 0.0], 1e-15, "invariants");
}

#[test]
fn principal_strains_rebuild_the_strain() {
    let mut random = Random::new(31);
    for _ in 0..50 {
        let strain = Strain { xx: random.uniform(-1.0, 1.0), yy: random.uniform(-1.0, 1.0), xy: random.uniform(-1.0, 1.0) };
        let [(high, u), (low, v)] = strain.principal();
        assert!(high >= low);
        let rebuilt = [0, 1, 2].map(|k| [(0, 0), (1, 1), (0, 1)][k]).map(|(i, j)| high * u[i] * u[j] + low * v[i] * v[j]);
        assert_close(&rebuilt, &[strain.xx, strain.yy, strain.xy], 1e-14, "E = Σ e n⊗n");
        assert_close(&[u[0] * v[0] + u[1] * v[1], u[0].hypot(u[1])], &[0.0, 1.0], 1e-15, "directions");
    }
}

/// Two unit squares side by side, the right one of another region.
fn two_regions(viscosity: f64, kind: Kind) -> (Solid, Vec<[f64; 2]>) {
    let points: Vec<[f64; 2]> = [0.0, 1.0, 2.0].iter().flat_map(|&x| [[x, 0.0], [x, 1.0]]).collect();
    let right = Cell { region: 1, ..cell(Shape::Q4, &[2, 4, 5, 3]) };
    let law = |young: f64| material("neo-hookean", &[("young", young), ("poisson", 0.3), ("viscosity", viscosity)]);
    let cells = [cell(Shape::Q4, &[0, 2, 3, 1]), right];
    let solid = Solid::new(&points, &cells, vec![law(1.0), law(5.0)], vec![0.0; 2], 1.0, Plane::Strain, kind).expect("good cells");
    (solid, points)
}

#[test]
fn a_node_between_regions_has_the_stress_of_each() {
    let (solid, points) = two_regions(0.0, Kind::Plain);
    let x = deformed(&points, [1.2, 0.0, 0.0, 1.0], 0.0, &mut Random::new(0));
    let mut nodes = Vec::new();
    solid.stress_at_nodes(&x, None, &mut nodes).expect("not inside out");
    assert_eq!(nodes.len(), 8);
    let at = |node: u32, region: u32| nodes.iter().find(|s| (s.node, s.region) == (node, region)).expect("there").stress.xx;
    assert_close(&[at(2, 1), at(3, 1), at(4, 1)], &[5.0 * at(2, 0), 5.0 * at(3, 0), 5.0 * at(0, 0)], 1e-13, "five times as stiff");
}

#[test]
fn a_spin_adds_no_viscous_stress_and_a_stretch_adds_its_own() {
    for kind in [Kind::Plain, Kind::FBar] {
        let (solid, points) = two_regions(0.3, kind);
        let F = [1.2, 0.1, 0.3, 0.9];
        let x = deformed(&points, F, 0.0, &mut Random::new(0));
        let (mut still, mut turning, mut stretching) = (Vec::new(), Vec::new(), Vec::new());
        let spin: Vec<f64> = x.as_chunks::<2>().0.iter().flat_map(|[x, y]| [-2.0 * y, 2.0 * x]).collect();
        let stretch: Vec<f64> = x.as_chunks::<2>().0.iter().flat_map(|[x, _]| [0.5 * x, 0.0]).collect();
        solid.stress_at_points(&x, None, &mut still).expect("good");
        solid.stress_at_points(&x, Some(&spin), &mut turning).expect("good");
        solid.stress_at_points(&x, Some(&stretch), &mut stretching).expect("good");
        // σ_v = (1/J) F η Ċ Fᵀ = (2η/J) b d b with b = F Fᵀ and d = diag(½, 0).
        let J = F[0] * F[3] - F[1] * F[2];
        let (b11, b12) = (F[0] * F[0] + F[1] * F[1], F[0] * F[2] + F[1] * F[3]);
        for ((still, turning), stretching) in still.iter().zip(&turning).zip(&stretching) {
            let list = |s: &Stress| [s.xx, s.yy, s.xy, s.zz];
            assert_close(&list(&turning.stress), &list(&still.stress), 1e-14, "spin");
            let viscous: Vec<f64> = list(&stretching.stress).iter().zip(list(&still.stress)).map(|(a, b)| a - b).collect();
            let factor = 2.0 * 0.3 * 0.5 / J;
            assert_close(&viscous, &[factor * b11 * b11, factor * b12 * b12, factor * b11 * b12, 0.0], 1e-14, "stretch");
        }
        // Green strain and place of the first point, at (−1, −1)/√3 of the first square.
        let s = 0.5 - 0.5 / 3.0f64.sqrt();
        let green = [0.5 * (F[0] * F[0] + F[2] * F[2] - 1.0), 0.5 * (F[1] * F[1] + F[3] * F[3] - 1.0), 0.5 * (F[0] * F[1] + F[2] * F[3])];
        let got = still[0];
        assert_close(&[got.strain.xx, got.strain.yy, got.strain.xy], &green, 1e-14, "Green strain");
        assert_close(&got.position, &[(F[0] + F[1]) * s, (F[2] + F[3]) * s], 1e-14, "place");
        assert_close(&[still.iter().map(|p| p.weight).sum()], &[solid.volume()], 1e-15, "weights");
    }
}

#[test]
fn no_principal_strain_at_a_node_is_below_that_of_nothing_left() {
    // F falls off linearly from the bottom to a twentieth at the top: E = ½(F² − 1) is curved, and a plane through it would fall below −½ at the rim.
    for shape in [Shape::Q4, Shape::T3, Shape::Q8] {
        let mesh = crate::mesh::Block::rectangle([0.0; 2], [1.0, 1.0], [4, 4]).mesh(shape).expect("a mesh");
        let law = material("robust", &[("young", 1.0), ("poisson", 0.3)]);
        let solid = Solid::new(&mesh.points, &mesh.cells, vec![law], vec![0.0], 1.0, Plane::Strain, Kind::Plain).expect("good cells");
        let squeezed = |y: f64| 0.6 * y - 0.275 * y * y;
        let x: Vec<f64> = mesh.points.iter().flat_map(|[x, y]| [*x, squeezed(*y)]).collect();
        let mut nodes = Vec::new();
        solid.stress_at_nodes(&x, None, &mut nodes).expect("not inside out");
        let lowest = nodes.iter().map(|node| node.strain.principal()[1].0).fold(0.0, f64::min);
        assert!((-0.5..-0.49).contains(&lowest), "{shape:?}: {lowest}");
    }
}
