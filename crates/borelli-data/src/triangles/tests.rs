//! A cube in every way in which files write one: its volume is known. Spoiled files end with a reason.

use super::{TriangleFault, Triangles, read};

const CUBE: &str = "# a cube\no cube\nv 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\nv 9 9 9\nvn 0 0 1\n\
    f 1 4 3 2\nf 5//1 6//1 7//1 8//1\nf 1/1/1 2/2/1 6/3/1 5/4/1\nf -8 -7 -3 -4\nf 3 4 8 7\nf 4 1 5 8\n";

/// Volume by the divergence theorem, V = 1/6 sum of a·(b x c).
fn volume(surface: &Triangles) -> f64 {
    let six = surface.triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.map(|k| surface.vertices[k as usize]);
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    });
    six.sum::<f64>() / 6.0
}

fn text_stl(surface: &Triangles) -> String {
    let mut out = String::from("solid cube\n");
    for triangle in &surface.triangles {
        out.push_str("facet normal 0 0 0\n outer loop\n");
        for [x, y, z] in triangle.map(|k| surface.vertices[k as usize]) {
            out.push_str(&format!("  vertex {x} {y:e} {z}\n"));
        }
        out.push_str(" endloop\nendfacet\n");
    }
    out + "endsolid cube\n"
}

fn binary_stl(surface: &Triangles) -> Vec<u8> {
    let mut out = b"solid is what binary files may begin with, too".to_vec();
    out.resize(80, b' ');
    out.extend((surface.triangles.len() as u32).to_le_bytes());
    for triangle in &surface.triangles {
        let corners = triangle.map(|k| surface.vertices[k as usize].map(|x| x as f32));
        let numbers = [0.0_f32; 3].into_iter().chain(corners.as_flattened().iter().copied());
        out.extend(numbers.flat_map(f32::to_le_bytes));
        out.extend([0, 0]);
    }
    out
}

/// With indices of every kind, and a vertex that no face uses.
fn cube() -> Triangles {
    read("CUBE.OBJ", CUBE.as_bytes()).expect("a cube")
}

#[test]
fn a_cube_has_its_volume_in_every_format() {
    let cube = cube();
    assert_eq!((cube.vertices.len(), cube.triangles.len()), (8, 12));
    assert_eq!(volume(&cube), 8.0);
    for (name, bytes) in [("cube.stl", text_stl(&cube).into_bytes()), ("cube.stl", binary_stl(&cube))] {
        let again = read(name, &bytes).expect("a cube");
        assert_eq!((again.vertices.len(), again.triangles.len(), volume(&again)), (8, 12, 8.0));
    }
}

#[test]
fn vertices_that_no_face_uses_and_triangles_without_area_are_left_out() {
    let surface =
        read("a.obj", b"v 7 7 7\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv -0.0 0 0\nf 2 3 4\nf 5 3 4\nf 2 3 3\nf 2 5 3\n").expect("triangles");
    assert_eq!(
        surface,
        Triangles { vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], triangles: vec![[0, 1, 2], [0, 1, 2]] }
    );
}

#[test]
fn spoiled_files_are_refused_with_a_place_and_a_reason() {
    let fault = |name: &str, bytes: &[u8]| -> TriangleFault { read(name, bytes).expect_err("refused") };
    for (name, text, line, words) in [
        ("a.obj", "v 0 0\n", 1, "three numbers"),
        ("a.obj", "v 0 0 inf\n", 1, "three numbers"),
        ("a.obj", "v 0 0 0\nf 1 2 3\n", 2, "`2`"),
        ("a.obj", "v 0 0 0\nf 1 1 -2\n", 2, "`-2`"),
        ("a.obj", "v 0 0 0\nf 1 1 0\n", 2, "`0`"),
        ("a.obj", "v 0 0 0\nf 1 1\n", 2, "2 corners"),
        ("a.obj", "v 0 0 0\nf 1 1 -9223372036854775808\n", 2, "expected the number"),
        ("a.obj", "", 0, "no triangle"),
        ("a.stl", "solid\nvertex 1 2\n", 2, "three numbers"),
        ("a.stl", "solid\nvertex 1 2 3\nendloop\n", 3, "1 corners"),
        ("a.stl", "solid\nvertex 1 2 3\n", 0, "ends inside"),
        ("a.stl", "facet", 0, "neither"),
        ("a.vtp", "", 0, "`vtp`"),
        ("mesh", "", 0, "expected one of: obj, stl"),
    ] {
        let found = fault(name, text.as_bytes());
        assert!(found.line == line && found.reason.contains(words), "{name} {text:?}: {found:?}");
    }
    assert!(fault("a.obj", &[0xff, 0xfe]).reason.contains("no text"));
    let mut cut = binary_stl(&cube());
    cut[..5].fill(b'x');
    cut.truncate(cut.len() - 10);
    assert!(fault("a.stl", &cut).reason.contains("12 triangles, but has the length of 11"));
    let mut infinite = binary_stl(&cube());
    infinite[96..100].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert!(fault("a.stl", &infinite).reason.contains("triangle 1 "));
}

#[test]
fn no_cut_or_changed_file_panics() {
    let (text, binary) = (text_stl(&cube()).into_bytes(), binary_stl(&cube()));
    for (name, whole) in [("a.obj", CUBE.as_bytes().to_vec()), ("a.stl", text), ("a.stl", binary)] {
        for k in 0..whole.len() {
            let _ = read(name, &whole[..k]);
            let mut changed = whole.clone();
            changed[k] ^= 0x55;
            let _ = read(name, &changed);
        }
    }
}
