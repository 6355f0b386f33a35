//! The field `mesh` of a body: a surface from a file that it is drawn with. It moves nothing.
//! Not here: files of triangles (`borelli_data::triangles`), drawing.
//! In: fields of a body. Out: a [`BodyMesh`] with parameters `body.NAME.mesh.origin.x`, `body.NAME.mesh.scale.x`, ...

use super::context::Context;
use super::fault::Fault;
use crate::parts::Slot;
use crate::system::BodyMesh;
use borelli_data::triangles;
use borelli_model::{Field, FieldKind, Fields, Need, Range, ReadFault, number};
use std::sync::Arc;

/// Fields of a mesh.
pub static MESH: &[Field] = &[
    Field { name: "file", kind: FieldKind::Text, need: Need::Required, doc: "triangles as OBJ or STL, in the axes of the body" },
    number("unit", "m", Range::POSITIVE, Need::Default(1.0), "length of one unit of the file"),
    Field {
        name: "origin",
        kind: FieldKind::Numbers { unit: "m", least: 1 },
        need: Need::Optional,
        doc: "where the file's origin is on the body; default its origin",
    },
    Field {
        name: "scale",
        kind: FieldKind::Numbers { unit: "1", least: 1 },
        need: Need::Optional,
        doc: "factors along the axes, default 1; a negative one mirrors",
    },
];

/// The mesh of a body, if it names one that can be read; faults are reported.
pub(super) fn read(fields: &mut Fields, context: &mut Context) -> Option<BodyMesh> {
    let table = fields.table("mesh")?;
    let path = format!("{}.mesh", fields.element().path());
    let mut own = Fields::read(&table, &[MESH], context.dimension, fields.findings());
    let unit = own.quantity("unit")?.value;
    let mut vector = |own: &mut Fields, name: &'static str, unit: &str, default: f64| {
        let values: Vec<f64> = own.numbers(name).map_or_else(|| vec![default; 3], |list| list.iter().map(|q| q.value).collect());
        if values.len() != 3 {
            own.fault(name, &Fault::WrongCount { what: "entries", expected: 3, found: values.len() });
            return [Slot::Const(default); 3];
        }
        [0, 1, 2].map(|k| context.parameter(format!("{path}.{name}.{}", ["x", "y", "z"][k]), values[k], unit))
    };
    let (origin, scale) = (vector(&mut own, "origin", "m", 0.0), vector(&mut own, "scale", "1", 1.0));
    let file = context.mesh_file(own.value("file")?.at)?;
    match triangles::read(&file.path, &file.content) {
        Ok(surface) => Some(BodyMesh { file: file.path.clone(), surface: Arc::new(surface), unit, origin, scale }),
        Err(fault) => {
            let line = (fault.line > 0).then_some(fault.line);
            own.fault(
                "file",
                &ReadFault::BadDataFile { path: file.path.clone(), line, reason: fault.reason, advice: Some(fault.advice.into()) },
            );
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::compile;
    use borelli_model::Model;

    const CORNER: &str = "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const LEG: &str = r#"
borelli = 1
dimension = "spatial"
[body.thigh_r]
mass = 8
inertia = [0.1, 0.02, 0.1]
center = [0, -0.2, 0]
mesh = { file = "bones/femur.obj", unit = "1 cm", origin = [0, "-4 cm", 0.01] }
[joint.hip_r]
type = "ball"
parent = "world"
child = "thigh_r"
[mirror.left]
from = "_r"
to = "_l"
"#;

    fn read(text: &str) -> Result<crate::System, String> {
        let load = |path: &str| match path {
            "bones/femur.obj" => Ok(CORNER.as_bytes().to_vec()),
            "bones/broken.stl" => Ok(b"solid\nvertex 1 2\n".to_vec()),
            _ => Err(std::io::Error::from(std::io::ErrorKind::NotFound)),
        };
        Model::parse_with("leg.toml", text, &load).and_then(|model| compile(&model)).map_err(|rejected| rejected.to_string())
    }

    #[test]
    fn corners_stand_in_metres_in_the_body_and_mirrored_in_its_copy() {
        let mut system = read(LEG).unwrap_or_else(|rejected| panic!("{rejected}"));
        let corners = |system: &crate::System, name: &str| {
            let body = system.names.bodies.iter().position(|own| own == name).expect("a body");
            system.mesh(body).expect("a mesh")
        };
        let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-15);
        let right = corners(&system, "thigh_r");
        let truth = [[0.0, -0.04, 0.01], [0.0, 0.06, 0.01], [0.1, -0.04, 0.01], [0.0, -0.04, 0.11]];
        assert!(right.vertices.len() == 4 && right.vertices.iter().zip(truth).all(|(a, b)| near(*a, b)), "{right:?}");
        let left = corners(&system, "thigh_l");
        for (a, b) in right.vertices.iter().zip(&left.vertices) {
            assert_eq!([a[0], a[1], -a[2]], *b);
        }
        // Seen from outside, corners of the copy go round the same way.
        let turned: Vec<[u32; 3]> = right.triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        assert_eq!(left.triangles, turned);
        let k = system.parameter("body.thigh_r.mesh.scale.y").expect("a parameter");
        let mut values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
        values[k] = 2.0;
        system.refill(&values);
        assert!(near(corners(&system, "thigh_r").vertices[1], [0.0, 0.16, 0.01]));
        assert!(system.mesh(0).is_none());
    }

    #[test]
    fn what_is_no_mesh_is_refused_with_its_place() {
        for (from, to, words) in [
            ("bones/femur.obj", "bones/broken.stl", "`bones/broken.stl`, line 2: expected three numbers"),
            ("bones/femur.obj", "bones/tibia.obj", "cannot read `bones/tibia.obj`"),
            ("[0, \"-4 cm\", 0.01]", "[0, 1]", "3 entries"),
            ("[0, \"-4 cm\", 0.01]", "[0, 1, 2, 3]", "3 entries"),
            ("unit = \"1 cm\"", "unit = \"1 kg\"", "unit"),
            ("file = \"bones/femur.obj\", ", "", "file"),
            ("origin", "orgin", "did you mean `origin`?"),
        ] {
            let told = read(&LEG.replace(from, to)).err();
            assert!(told.as_ref().is_some_and(|told| told.contains(words) && told.contains("leg.toml:")), "{to}: {told:?}");
        }
    }
}
