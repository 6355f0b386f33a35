//! A model of our own in, its lines out; what is not understood is refused by name.

use super::translate;

fn file(joints: &str, more: &str) -> String {
    let body = |name: &str| {
        format!("<Body name=\"{name}\"><mass>2</mass><mass_center>0 -0.1 0</mass_center><inertia>0.1 0.2 0.3 0 0 0</inertia></Body>")
    };
    format!(
        "<OpenSimDocument Version=\"40000\"><Model name=\"two links\"><gravity>0 -9.8 0</gravity><BodySet><objects>{}{}</objects></BodySet>\
         <JointSet><objects>{joints}</objects></JointSet>{more}</Model></OpenSimDocument>",
        body("a"),
        body("b")
    )
}

fn joint(kind: &str, frames: &str, rest: &str) -> String {
    format!(
        "<{kind} name=\"j\"><socket_parent_frame>from</socket_parent_frame><socket_child_frame>/bodyset/a</socket_child_frame>\
         <coordinates><Coordinate name=\"q\"><default_value>0.2</default_value><range>-1 2</range><clamped>true</clamped></Coordinate></coordinates>\
         <frames><PhysicalOffsetFrame name=\"from\"><socket_parent>/ground</socket_parent>{frames}</PhysicalOffsetFrame></frames>{rest}</{kind}>"
    )
}

const STRAIGHT: &str = "<translation>0.1 0.2 0.3</translation><orientation>0 0 0</orientation>";

fn axis(name: &str, coordinate: &str, direction: &str, function: &str) -> String {
    format!("<TransformAxis name=\"{name}\"><coordinates>{coordinate}</coordinates><axis>{direction}</axis>{function}</TransformAxis>")
}

const IDENTITY: &str = "<LinearFunction name=\"function\"><coefficients>1 0</coefficients></LinearFunction>";
const ZERO: &str = "<Constant name=\"function\"><value>0</value></Constant>";

fn transform(axes: [(&str, &str, &str); 6]) -> String {
    let list: String = axes.iter().map(|(coordinate, direction, function)| axis("x", coordinate, direction, function)).collect();
    format!("<SpatialTransform>{list}</SpatialTransform>")
}

#[test]
fn a_pin_and_a_marker_are_taken_over_with_their_names() {
    let marker = "<MarkerSet><objects><Marker name=\"R.Heel\"><socket_parent_frame>/bodyset/b</socket_parent_frame><location>1 2 3</location>\
                  <fixed>true</fixed></Marker></objects></MarkerSet>";
    let text = translate(&file(&joint("PinJoint", STRAIGHT, ""), marker)).expect("understood");
    for expected in [
        "name = \"two_links\"",
        "gravity = [0.0, -9.8, 0.0]",
        "[world.point]\nj_parent = [0.1, 0.2, 0.3]",
        "inertia = [0.1, 0.2, 0.3, 0.0, 0.0, 0.0]",
        "parent = \"world.j_parent\"\nchild = \"a.j_child\"\ntype = \"hinge\"\ncoordinates = [\"q\"]",
        "[coordinate.q]\nclamp = true\nlock = false\ndefault = 0.2\nrange = [-1.0, 2.0]",
        "[marker.R_Heel]\nbody = \"b\"\nlocation = [1.0, 2.0, 3.0]\nlabel = \"R.Heel\"\nfixed = true",
    ] {
        assert!(text.contains(expected), "{expected}\nnot in\n{text}");
    }
}

#[test]
fn a_custom_joint_of_one_angle_is_a_hinge_or_a_function_joint() {
    let lift = "<MultiplierFunction name=\"function\"><function><Constant><value>0.25</value></Constant></function><scale>2</scale></MultiplierFunction>";
    let still =
        [("q", "0 0 2", IDENTITY), ("", "1 0 0", ZERO), ("", "0 1 0", ZERO), ("", "1 0 0", ZERO), ("", "0 1 0", lift), ("", "0 0 1", ZERO)];
    // The constant displacement is in the axes of the parent frame, here turned by a quarter about X: up becomes Z.
    let turned = "<translation>0 0 0</translation><orientation>1.5707963267948966 0 0</orientation>";
    let text = translate(&file(&joint("CustomJoint", turned, &transform(still)), "")).expect("understood");
    assert!(text.contains("type = \"hinge\"\naxis = [0.0, 0.0, 1.0]"), "{text}");
    let origin = text.lines().find(|line| line.starts_with("origin")).expect("a frame");
    assert!(origin.ends_with("0.5]") && text.contains("angles = [1.5707963267948966, 0.0, 0.0]"), "{text}");

    let spline = "<MultiplierFunction name=\"function\"><function><SimmSpline><x>0 1</x><y>3 4</y></SimmSpline></function><scale>2</scale></MultiplierFunction>";
    let gliding = [
        ("q", "0 0 1", IDENTITY),
        ("", "1 0 0", ZERO),
        ("", "0 1 0", ZERO),
        ("q", "1 0 0", spline),
        ("", "0 1 0", ZERO),
        ("", "0 0 1", ZERO),
    ];
    let text = translate(&file(&joint("CustomJoint", STRAIGHT, &transform(gliding)), "")).expect("understood");
    assert!(
        text.contains("x = { type = \"table\", x = [0.0, 1.0], y = [6.0, 8.0], interpolation = \"simm\", outside = \"tangent\" }"),
        "{text}"
    );
    assert!(
        text.contains("rotations = [{ axis = [0.0, 0.0, 1.0], function = { type = \"polynomial\", coefficients = [0.0, 1.0] } }]"),
        "{text}"
    );
}

#[test]
fn joints_of_several_coordinates_are_recognised() {
    let six = [
        ("r", "0 0 1", IDENTITY),
        ("s", "1 0 0", IDENTITY),
        ("t", "0 1 0", IDENTITY),
        ("x", "1 0 0", IDENTITY),
        ("y", "0 1 0", IDENTITY),
        ("z", "0 0 1", IDENTITY),
    ];
    let fields =
        |axes: [(&str, &str, &str); 6]| translate(&file(&joint("CustomJoint", STRAIGHT, &transform(axes)), "")).expect("understood");
    let free = "type = \"free\"\nrotation = \"angles\"\nsequence = \"zxy\"\ncoordinates = [\"x\", \"y\", \"z\", \"r\", \"s\", \"t\"]";
    assert!(fields(six).contains(free));
    let mut three = six;
    three[1] = ("s", "-1 0 0", IDENTITY);
    (3..6).for_each(|k| three[k].2 = ZERO);
    assert!(
        fields(three).contains(
            "type = \"gimbal\"\naxes = [[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]\ncoordinates = [\"r\", \"s\", \"t\"]"
        )
    );
    let mut planar = six;
    [1, 2, 5].into_iter().for_each(|k| planar[k].2 = ZERO);
    assert!(fields(planar).contains("type = \"planar\"\ncoordinates = [\"x\", \"y\", \"r\"]"));
}

#[test]
fn what_is_not_understood_is_refused_by_name() {
    let refused = |joints: &str, more: &str| translate(&file(joints, more)).expect_err("refused");
    assert!(refused(&joint("EllipsoidJoint", STRAIGHT, ""), "").contains("kind EllipsoidJoint"));
    let constraint = "<ConstraintSet><objects><CoordinateCouplerConstraint name=\"patella\"/></objects></ConstraintSet>";
    assert!(refused("", constraint).contains("patella"));
    let odd = "<Sine name=\"function\"/>";
    let axes =
        [("q", "0 0 1", odd), ("", "1 0 0", ZERO), ("", "0 1 0", ZERO), ("", "1 0 0", ZERO), ("", "0 1 0", ZERO), ("", "0 0 1", ZERO)];
    assert_eq!(refused(&joint("CustomJoint", STRAIGHT, &transform(axes)), ""), "joint `j`: function Sine");
    let held = "<Constant name=\"function\"><value>0.1</value></Constant>";
    let axes = axes.map(|(coordinate, direction, _)| (coordinate, direction, held));
    assert!(refused(&joint("CustomJoint", STRAIGHT, &transform(axes)), "").contains("constant rotation"));
    assert!(translate("<OpenSimDocument Version=\"30000\"/>").expect_err("old").contains("30000"));
    assert!(translate("<a>").expect_err("broken").contains("not XML"));
}
