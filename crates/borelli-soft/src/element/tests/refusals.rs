//! Cells, materials and numbers that cannot be used are named.

use super::*;

const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

fn refused(cells: &[Cell], name: &str, density: Vec<f64>, depth: f64, plane: Plane, kind: Kind) -> String {
    let law = material(name, &[("young", 1.0), ("poisson", 0.3)]);
    Solid::new(&SQUARE, cells, vec![law], density, depth, plane, kind).expect_err("must be refused").to_string()
}

#[test]
fn what_a_body_cannot_be_made_of_is_said() {
    let good = cell(Shape::Q4, &[0, 1, 2, 3]);
    let plain = |cells: &[Cell]| refused(cells, "robust", vec![0.0], 1.0, Plane::Strain, Kind::Plain);
    let text = plain(&[good, cell(Shape::Q4, &[3, 2, 1, 0])]);
    assert!(text.starts_with("cell 1: area ratio -0.25 m^2 at integration point 0; hint: nodes must run counter-clockwise"), "{text}");
    assert_eq!(plain(&[cell(Shape::T3, &[0, 1, 9])]), "cell 0: node 9 of a mesh with 4 nodes");
    let text = plain(&[Cell { region: 1, ..good }]);
    assert!(text.starts_with("cell 0: region 1, but there are 1 materials and 1 densities"), "{text}");
    let number = |density: f64, depth: f64| refused(&[good], "robust", vec![density], depth, Plane::Strain, Kind::Plain);
    assert_eq!(number(-1.0, 1.0), "cell 0: density -1 kg/m^3; hint: it must be zero or above");
    assert!(number(f64::NAN, 1.0).contains("density NaN"));
    assert_eq!(number(0.0, 0.0), "cell 0: depth 0 m; hint: it must be above zero");
    for name in ["kirchhoff", "robust", "neo-hookean"] {
        let text = refused(&[good], name, vec![0.0], 1.0, Plane::Stress, Kind::Plain);
        assert!(text.starts_with(&format!("cell 0: material `{name}` in plane stress")), "{text}");
    }
}

#[test]
fn f_bar_is_refused_where_it_is_no_remedy() {
    let said = |shape: Shape, nodes: &[u32]| refused(&[cell(shape, nodes)], "robust", vec![0.0], 1.0, Plane::Strain, Kind::FBar);
    assert!(said(Shape::T3, &[0, 1, 2]).contains("element `f-bar` on shape T3: its volume changes evenly over the cell"));
    assert!(said(Shape::T6, &[0, 1, 2, 0, 0, 0]).contains("quadratic shapes do not need it"));
    assert!(said(Shape::Q8, &[0, 1, 2, 3, 0, 0, 0, 0]).contains("quadratic shapes do not need it"));
}
