//! Mesh files written by hand, sound and spoiled.

use super::*;
use crate::mesh::Shape;
use borelli_testkit::{Random, assert_close};

/// Two squares side by side, the right one cut into triangles; a construction point; tags with gaps and out of order. The right cells run clockwise, and the
/// line on the top right runs against the material.
///
/// ```text
///   40──30──60
///   │ a │ b╱│
///   10──20──50
/// ```
const FOUR: &str = "$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
5
1 1 \"lower side\"
1 2 \"top\"
1 3 \"all round\"
2 7 \"soft\"
2 8 \"stiff\"
$EndPhysicalNames
$Entities
1 3 2 0
1 0 0 0 0
1 0 0 0 2 0 0 2 1 3 2 1 -2
2 0 1 0 2 1 0 1 -2 0
3 0 0 0 0 1 0 0 2 1 -2
1 0 0 0 1 1 0 1 7 4 1 2 3 4
2 1 0 0 2 1 0 1 8 4 1 2 3 4
$EndEntities
$Nodes
3 7 10 99
0 1 0 1
99
5 5 7
1 1 1 2
20
10
1 0 0 0.5
0 0 0 0
2 1 0 4
30
40
60
50
1 1 0
0 1 0
2 1 0
2 0 0
$EndNodes
$Elements
6 9 1 9
0 1 15 1
1 99
1 1 1 2
2 10 20
3 20 50
1 2 1 2
4 30 40
5 30 60
1 3 1 1
6 10 40
2 1 3 1
7 10 20 30 40
2 2 2 2
8 20 60 50
9 20 30 60
$EndElements
";

/// The same in version 2.2, with lines of two groups written twice.
const TWO: &str = "$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
5
1 1 \"lower side\"
1 2 \"top\"
1 3 \"all round\"
2 7 \"soft\"
2 8 \"stiff\"
$EndPhysicalNames
$Nodes
7
99 5 5 7
20 1 0 0
10 0 0 0
30 1 1 0
40 0 1 0
60 2 1 0
50 2 0 0
$EndNodes
$Elements
11
1 15 2 0 1 99
2 1 2 1 1 10 20
3 1 2 3 1 10 20
4 1 2 1 1 20 50
5 1 2 3 1 20 50
6 1 2 2 2 30 40
7 1 2 2 2 30 60
8 1 2 0 3 10 40
9 3 2 7 1 10 20 30 40
10 2 2 8 2 20 60 50
11 2 2 8 2 20 30 60
$EndElements
";

/// A quadratic quadrilateral and a quadratic triangle above it, with a curved lower side. No names: groups go by their numbers.
const CURVED: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comments\nany $text\n$EndComments\n$Nodes\n11
1 0 0 0\n2 2 0 0\n3 2 2 0\n4 0 2 0\n5 1 -0.3 0\n6 2 1 0\n7 1 2 0\n8 0 1 0\n9 1 4 0\n10 1.5 3 0\n11 0.5 3 0
$EndNodes\n$Elements\n3\n1 8 2 5 1 2 1 5\n2 16 2 6 1 1 2 3 4 5 6 7 8\n3 9 2 6 1 4 3 9 7 10 11\n$EndElements\n";

/// A text with one piece replaced, which must be there.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[track_caller]
fn fault(text: &str) -> Fault {
    read(text, 1.0).expect_err("a fault")
}

#[test]
fn both_versions_give_the_same_mesh() {
    let four = read(FOUR, 0.001).unwrap();
    let two = read(TWO, 0.001).unwrap();
    assert_eq!(four, two);
    assert_eq!(read(&FOUR.replace('\n', "\r\n"), 0.001).unwrap(), four, "line ends of another system");
    assert_eq!(read_bytes(format!("\u{feff}\n{FOUR}").as_bytes(), 0.001).unwrap(), four);
    let Reading { mesh, turned, dropped } = four;
    assert_eq!((turned, dropped), (2, 1));
    assert_eq!(mesh.points, [[0.001, 0.0], [0.0, 0.0], [0.001, 0.001], [0.0, 0.001], [0.002, 0.001], [0.002, 0.0]]);
    assert_eq!(mesh.regions, ["soft", "stiff"]);
    assert_eq!(mesh.cells.iter().map(|c| (c.shape, c.region)).collect::<Vec<_>>(), [(Shape::Q4, 0), (Shape::T3, 1), (Shape::T3, 1)]);
    let quality = mesh.quality();
    assert!(quality.is_sound() && quality.pieces == 1 && quality.loose.is_empty());
    assert_close(&[quality.area], &[2e-6], 1e-14, "area");
    // the lower curve belongs to two groups; lines run with the material on their left
    assert_eq!(mesh.boundaries.iter().map(|b| b.name.as_str()).collect::<Vec<_>>(), ["lower side", "all round", "top"]);
    assert_eq!(mesh.boundary("lower side").unwrap().nodes(), [1, 0, 5]);
    assert_eq!(mesh.boundary("all round").unwrap().nodes(), [1, 0, 5]);
    assert_eq!(mesh.boundary("top").unwrap().nodes(), [4, 2, 3]);
    for normal in mesh.boundary("top").unwrap().normals(&mesh.points) {
        assert_close(&normal, &[0.0, 1.0], 1e-14, "up");
    }
}

#[test]
fn quadratic_cells_keep_their_curved_sides() {
    let Reading { mesh, turned, dropped } = read(CURVED, 1.0).unwrap();
    assert_eq!((turned, dropped, mesh.regions.as_slice()), (0, 0, ["6".to_string()].as_slice()));
    assert_eq!(mesh.cells[0].shape, Shape::Q8);
    assert_eq!(mesh.cells[1].shape, Shape::T6);
    let quality = mesh.quality();
    assert!(quality.is_sound());
    assert_close(&[quality.area], &[4.0 + 2.0 / 3.0 * 2.0 * 0.3 + 2.0], 1e-14, "square, parabola and triangle");
    assert_eq!(mesh.boundary("5").unwrap().nodes(), [0, 4, 1], "turned round, the middle node kept");
}

#[test]
fn lines_between_regions_keep_their_direction() {
    for (line, nodes) in [("20 30", [0, 2]), ("30 20", [2, 0])] {
        let text = changed(TWO, "8 1 2 0 3 10 40", &format!("8 1 2 4 3 {line}"));
        let mesh = read(&text, 1.0).unwrap().mesh;
        assert_eq!(mesh.boundary("4").unwrap().nodes(), nodes);
    }
}

#[test]
fn a_generated_mesh_survives_the_way_through_a_file() {
    for shape in [Shape::Q4, Shape::T3, Shape::Q8, Shape::T6] {
        let mesh = crate::mesh::Annulus { around: 5, through: 2, ..Default::default() }.mesh(shape).unwrap();
        let (cell, line) = match shape {
            Shape::T3 => (2, 1),
            Shape::Q4 => (3, 1),
            Shape::T6 => (9, 8),
            Shape::Q8 => (16, 8),
        };
        let mut elements = Vec::new();
        for (k, boundary) in mesh.boundaries.iter().enumerate() {
            for edge in &boundary.edges {
                let nodes: Vec<String> = edge.ends.into_iter().chain(edge.middle).map(|n| (n + 1).to_string()).collect();
                elements.push(format!("{line} 2 {} 1 {}", k + 1, nodes.join(" ")));
            }
        }
        for c in &mesh.cells {
            elements.push(format!("{cell} 2 9 1 {}", c.nodes().iter().map(|n| (n + 1).to_string()).collect::<Vec<_>>().join(" ")));
        }
        let mut text = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{}\n2 9 \"all\"\n", mesh.boundaries.len() + 1);
        mesh.boundaries.iter().enumerate().for_each(|(k, b)| text += &format!("1 {} \"{}\"\n", k + 1, b.name));
        text += &format!("$EndPhysicalNames\n$Nodes\n{}\n", mesh.points.len());
        mesh.points.iter().enumerate().for_each(|(k, p)| text += &format!("{} {} {} 0\n", k + 1, p[0], p[1]));
        text += &format!("$EndNodes\n$Elements\n{}\n", elements.len());
        elements.iter().enumerate().for_each(|(k, element)| text += &format!("{} {element}\n", k + 1));
        text += "$EndElements\n";
        assert_eq!(read(&text, 1.0).unwrap(), Reading { mesh, turned: 0, dropped: 0 });
    }
}

#[test]
fn faults_name_line_and_cause() {
    use Fault::*;
    assert_eq!(fault("lc = 1;\nPoint(1) = {0, 0, 0};"), NotMesh { line: 1, found: "lc = 1;".into() });
    assert_eq!(fault(""), NotMesh { line: 1, found: String::new() });
    assert_eq!(fault(&changed(FOUR, "4.1 0", "4 0")), Version { line: 2, found: "4".into() });
    assert_eq!(fault(&changed(FOUR, "4.1 0", "4.1 1")), Binary { line: 2 });
    assert_eq!(read_bytes(b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n\xff\xfe", 1.0), Err(Binary { line: 2 }));
    assert_eq!(read_bytes(b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n\xff", 1.0), Err(NotText { line: 4 }));
    assert_eq!(fault("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"), MissingSection { line: 3, section: "Nodes" });
    assert_eq!(fault(&format!("{TWO}$Nodes\n0\n$EndNodes\n")), RepeatedSection { line: 36, section: "Nodes".into() });
    assert_eq!(fault(&changed(TWO, "$Nodes\n7", "$Nodes\n8")).line(), 21);
    assert!(matches!(fault(&changed(TWO, "$Nodes\n7", "$Nodes\n8")), Truncated { section, .. } if section == "Nodes"));
    assert!(matches!(fault(&changed(TWO, "$Nodes\n7", "$Nodes\n6")), Surplus { line: 20, .. }));
    assert!(matches!(fault(&changed(TWO, "$EndNodes\n", "")), Truncated { line: 21, .. }));
    assert!(matches!(fault(&changed(TWO, "20 1 0 0", "20 1 nan 0")), BadNumber { line: 15, field: "y", .. }));
    assert!(matches!(fault(&changed(FOUR, "3 7 10 99", "3 8 10 99")), BadNumber { line: 22, field: "number of nodes", .. }));
    assert!(matches!(fault(&changed(FOUR, "6 9 1 9", "6 10 1 9")), BadNumber { field: "number of elements", .. }));
    assert_eq!(
        fault(&changed(TWO, "9 3 2 7 1 10", "9 10 2 7 1 10")).to_string().lines().next(),
        Some(
            "line 32: found element type 10 (quadrilateral with nine nodes), expected lines, triangles and quadrilaterals: types 1, 8, 2, 9, 3, 16"
        )
    );
    assert_eq!(fault(&changed(TWO, "9 3 2 7 1 10", "9 4 2 7 1 10")), NotPlanar { line: 32, number: 4, name: "tetrahedron" });
    assert!(matches!(fault(&changed(TWO, "9 3 2 7 1 10", "9 77 2 7 1 10")), UnknownType { line: 32, number: 77, .. }));
    assert_eq!(fault(&changed(TWO, "20 60 50", "20 60 51")), UndefinedNode { line: 33, tag: 51 });
    assert_eq!(fault(&changed(TWO, "\n30 1 1 0", "\n20 1 1 0")), RepeatedNode { line: 17, tag: 20 });
    assert_eq!(fault(&changed(TWO, "9 3 2 7 1", "9 3 2 0 1")), NoGroup { line: 32 });
    assert!(matches!(fault(&changed(FOUR, "1 0 0 0 1 1 0 1 7 4", "1 0 0 0 1 1 0 0 4")), NoGroup { .. }));
    assert!(
        matches!(fault(&changed(FOUR, "1 0 0 0 1 1 0 1 7 4", "1 0 0 0 1 1 0 2 7 8 4")), TwoGroups { names, .. } if names == ["soft", "stiff"])
    );
    assert_eq!(fault(&changed(TWO, "\"soft\"", "\"\"")), EmptyName { line: 9 });
    assert_eq!(fault(&changed(TWO, "20 60 50", "20 60 20")), Degenerate { line: 33 });
    assert_eq!(fault(&changed(TWO, "50 2 0 0", "50 1.5 0.5 0")), Degenerate { line: 33 });
    let doubled = changed(&changed(TWO, "$Elements\n11", "$Elements\n12"), "$EndElements", "12 3 2 8 1 10 20 30 40\n$EndElements");
    assert_eq!(fault(&doubled), Overlap { line: 35, other: 32 });
    assert_eq!(fault(&changed(TWO, "2 2 30 40", "2 2 10 30")), NotAnEdge { line: 29, boundary: "top".into(), tags: [10, 30] });
    assert_eq!(fault(&changed(TWO, "2 2 30 40", "2 2 99 30")), NotAnEdge { line: 29, boundary: "top".into(), tags: [99, 30] });
    assert_eq!(fault(&changed(TWO, "2 2 30 40", "2 2 60 30")), RepeatedLine { line: 30, boundary: "top".into() });
    assert_eq!(fault(&changed(CURVED, "1 8 2 5 1 2 1 5", "1 1 2 5 1 2 1")), OtherMiddle { line: 23, boundary: "5".into() });
    assert_eq!(fault(&changed(TWO, "30 1 1 0", "30 1 1 0.1")), OutOfPlane { line: 17, z: 0.1, plane: 0.0 });
    assert!(matches!(fault(&changed(TWO, "$Nodes\n7", "$Nodes\n999999999999")), TooMany { line: 13, .. }));
    assert!(matches!(fault(&changed(TWO, "$Elements\n11", "$Elements\n18446744073709551615")), Truncated { .. }));
    let points = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n$Elements\n0\n$EndElements\n";
    assert_eq!(fault(points), NoCells { line: 9 });
    assert_eq!(read(TWO, -1.0), Err(BadUnit { found: -1.0 }));
    assert!(matches!(read(TWO, 1e308), Err(BadNumber { .. } | Degenerate { .. })));
}

/// Whether a reading can be used without a panic, and a fault can be told.
fn survives(text: &str) -> bool {
    match read(text, 1.0) {
        Ok(Reading { mesh, .. }) => {
            let quality = mesh.quality();
            assert!(quality.loose.is_empty());
            mesh.boundaries.iter().for_each(|b| assert_eq!(b.tributary_lengths(&mesh.points).len(), b.nodes().len()));
            true
        }
        Err(fault) => {
            assert!(!fault.hint().is_empty() && !fault.expected().is_empty() && !fault.found().is_empty());
            assert!(fault.line() <= text.lines().count().max(1), "{fault}");
            false
        }
    }
}

#[test]
fn a_file_cut_at_any_line_or_letter_is_a_fault() {
    for text in [FOUR, TWO, CURVED] {
        let sound = text.trim_end().len();
        for end in (0..sound).filter(|&end| text.is_char_boundary(end)) {
            assert!(!survives(&text[..end]), "{}", &text[..end]);
        }
        let lines: Vec<&str> = text.lines().collect();
        for k in 0..lines.len() {
            let without: Vec<&str> = lines.iter().enumerate().filter(|(i, _)| *i != k).map(|(_, line)| *line).collect();
            survives(&without.join("\n"));
            let twice: Vec<&str> = lines[..=k].iter().chain(&lines[k..]).copied().collect();
            survives(&twice.join("\n"));
        }
    }
}

#[test]
fn spoiled_files_never_panic() {
    let words = ["0", "-1", "1e400", "18446744073709551615", "9999999", "$Nodes", "$", "\"", "NaN", "é", "15", "16", "\n", " "];
    let mut random = Random::new(7);
    let mut refused = 0;
    for round in 0..2000 {
        let text = [FOUR, TWO, CURVED][round % 3];
        let mut spoiled = text.to_string();
        for _ in 0..=round % 3 {
            let at = random.bits() as usize % spoiled.len();
            let from = (0..=at).rev().find(|&k| spoiled.is_char_boundary(k)).unwrap_or(0);
            let to = (from + random.bits() as usize % 6..).find(|&k| k >= spoiled.len() || spoiled.is_char_boundary(k)).unwrap_or(from);
            let word = words[random.bits() as usize % words.len()];
            spoiled.replace_range(from..to.min(spoiled.len()), word);
        }
        refused += usize::from(!survives(&spoiled));
    }
    assert!(refused > 1000, "most spoiled files must be refused, {refused} were");
}
