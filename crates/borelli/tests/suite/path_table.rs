//! `borelli paths`: what it says of values at which a path is not known, how ranges are given, and what it refuses.
//! Not here: lengths and moment arms themselves (`arms`, `borelli-dynamics`).

use crate::runs::Place;
use crate::{stderr, stdout};

/// A string over a round ellipsoid that slides off where the hinge turns back, and one that is free.
const SLIDING: &str = r#"
borelli = 1
dimension = "spatial"
[world.point]
P = [0.02, 0.2, 0]
[body.a]
mass = 1
inertia = [1, 1, 1]
point = { Q = [0.02, -0.2, 0] }
[joint.x]
type = "hinge"
parent = "world"
child = "a"
[wrap.w]
type = "ellipsoid"
at = "world"
a = 0.035
b = 0.035
c = 0.035
[path.over]
points = ["world.P", { wrap = "w", side = [1, 0, 0] }, "a.Q"]
[path.free]
points = ["world.P", "a.Q"]
"#;

/// A slider, and a point on it that moves by a table.
const SLIDING_POINT: &str = r#"
borelli = 1
dimension = "planar"
[body.a]
mass = 1
inertia = 1
[joint.x]
type = "slider"
parent = "world"
child = "a"
[path.p]
points = ["world", { on = "a", x = 0.1, y = { type = "table", x = [0.2, 0.3, 0.45], y = [0, 0.01, 0.05], interpolation = "pchip" }, of = "x" }, "a"]
[initial]
coordinates = { x = "300 mm" }
"#;

#[test]
fn values_at_which_a_path_has_no_place_are_empty_and_told_of() {
    let place = Place::new("path-table-lost");
    place.write("model.toml", SLIDING);
    let found = place.borelli(&["paths", "model.toml", "--from", "-60", "--to", "60", "--points", "9", "--csv", "--out", "arms.svg"]);
    assert_eq!(found.status.code(), Some(1));
    let (text, said) = (stdout(&found), stderr(&found));
    assert!(!text.contains("NaN") && !said.contains("NaN"), "{text}{said}");
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    for (k, row) in rows.iter().enumerate() {
        assert_eq!(row[1].is_empty() && row[2].is_empty(), k < 4, "{row:?}");
        assert!(row[3..].iter().all(|cell| cell.parse::<f64>().is_ok()), "{row:?}");
    }
    assert!(
        said.contains("warning[path-without-place]: at 4 of 9 values, x = -60 deg to -15 deg, path `over` slides off wrap `w`"),
        "{said}"
    );
    assert!(!said.contains("path `free`") && !std::fs::read_to_string(place.path("arms.svg")).expect("a picture").contains("NaN"));
    let json = place.borelli(&["paths", "model.toml", "--from", "-60", "--to", "60", "--points", "9", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&stdout(&json)).expect("JSON");
    assert!(value["paths"][0]["length"][0].is_null() && value["paths"][0]["length"][8].is_f64());
    place.well(&["paths", "model.toml", "--from", "0", "--to", "60"]);
}

#[test]
fn tables_of_moving_points_are_not_left() {
    let place = Place::new("path-table-outside");
    place.write("model.toml", SLIDING_POINT);
    // A tenth of a metre both ways from the start, as far as the table goes.
    let usual = stdout(&place.well(&["paths", "model.toml", "--points", "3", "--csv"]));
    let values: Vec<f64> =
        usual.lines().skip(1).map(|line| line.split(',').next().and_then(|x| x.parse().ok()).expect("a number")).collect();
    assert!(values.iter().zip([0.2, 0.3, 0.4]).all(|(found, expected)| (found - expected).abs() < 1e-15), "{values:?}");
    let beyond = place.borelli(&["paths", "model.toml", "--from", "0.2 m", "--to", "500"]);
    let said = stderr(&beyond);
    assert_eq!((beyond.status.code(), stdout(&beyond).as_str()), (Some(2), ""));
    assert!(said.contains("error[outside-table]") && said.contains("at 0.466666667 m, outside its table from 0.2 m to 0.45 m"), "{said}");
    place.write("model.toml", &SLIDING_POINT.replace("interpolation", "outside = \"hold\", interpolation"));
    place.well(&["paths", "model.toml", "--from", "200", "--to", "500"]);
}

#[test]
fn ranges_are_read_with_their_units() {
    let place = Place::new("path-table-units");
    let of = |from: &str, to: &str| place.borelli(&["paths", "elbow-muscles", "--from", from, "--to", to, "--points", "3"]);
    let plain = stdout(&of("10", "57.29577951308232"));
    assert!(plain.contains("elbow 10.000 deg") && plain.contains("elbow 57.296 deg"), "{plain}");
    assert_eq!(stdout(&of("10 deg", "1 rad")), plain);
    let wrong = of("10 mm", "1 rad");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("error[wrong-unit]: `--from`"), "{}", stderr(&wrong));
    assert!(stderr(&of("1 rad", "10 deg")).contains("error[empty-range]"));
}

#[test]
fn what_check_refuses_is_not_tabled_and_pictures_are_svg() {
    let place = Place::new("path-table-refused");
    // The end of the path lies inside the ellipsoid at the start.
    place.write("model.toml", &SLIDING.replace("[0.02, -0.2, 0]", "[0.02, -0.02, 0]"));
    let (checked, tabled) = (place.borelli(&["check", "model.toml"]), place.borelli(&["paths", "model.toml"]));
    assert_eq!((tabled.status.code(), stdout(&tabled).as_str()), (Some(2), ""));
    assert_eq!(stderr(&tabled), stderr(&checked));
    assert!(stderr(&tabled).contains("error[point-inside-wrap]"));
    let png = place.borelli(&["paths", "elbow-muscles", "--out", "arms.png"]);
    assert_eq!(png.status.code(), Some(2));
    assert!(stderr(&png).contains("not PNG") && stderr(&png).contains(".svg") && stderr(&png).contains(".csv"), "{}", stderr(&png));
    assert!(!place.path("arms.png").exists());
    let table = stdout(&place.well(&["paths", "elbow-muscles", "--csv", "--out", "arms.csv"]));
    assert_eq!(std::fs::read_to_string(place.path("arms.csv")).expect("a file"), table);
}
