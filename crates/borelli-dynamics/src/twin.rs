//! One tree with random numbers, written twice: as a model file and for the oracle.
//! Not here: the tests that compare the two.
//! In: a random sequence. Out: a `Twin`; a random state of any system. Exists in tests only.

use crate::compile;
use crate::system::{Motion, System};
use borelli_math::{Mat3, Vec3, rotation_vector};
use borelli_model::Model;
use borelli_testkit::Random;
use borelli_testkit::oracle::{self, FunctionOf, Tree};

/// A model file compiled.
pub fn parse(text: &str) -> System {
    let model = Model::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    compile(&model).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Coordinates, speeds and generalised forces at random.
pub fn random_state(system: &System, random: &mut Random) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let n = system.skeleton.dofs();
    let mut q = random.uniforms(system.skeleton.coords(), -1.2, 1.2);
    for motion in &system.skeleton.motions {
        if let Motion::Ball { coord, .. } = *motion {
            q[coord as usize..coord as usize + 4].copy_from_slice(&random.unit_quaternion());
        }
    }
    (q, random.uniforms(n, -2.0, 2.0), random.uniforms(n, -5.0, 5.0))
}

/// One tree written twice: as a model file, and for the oracle.
pub struct Twin {
    /// The file.
    pub text: String,
    /// The oracle's tree.
    pub tree: Tree,
}

/// A polynomial for the oracle.
fn polynomial(c: [f64; 4]) -> FunctionOf {
    Box::new(move |x| {
        let value = c[0] + x * (c[1] + x * (c[2] + x * c[3]));
        [value, c[1] + x * (2.0 * c[2] + x * 3.0 * c[3]), 2.0 * c[2] + 6.0 * c[3] * x]
    })
}

fn rows(R: &Mat3<f64>) -> [[f64; 3]; 3] {
    [[R.x.x, R.y.x, R.z.x], [R.x.y, R.y.y, R.z.y], [R.x.z, R.y.z, R.z.z]]
}

fn random3(random: &mut Random, size: f64) -> [f64; 3] {
    [0; 3].map(|_| random.uniform(-size, size))
}

impl Twin {
    /// No bodies yet.
    pub fn new() -> Self {
        let text = "borelli = 1\ndimension = \"spatial\"\ngravity = [0.7, -9.5, 1.2]\n".to_string();
        Twin { text, tree: Tree { gravity: [0.7, -9.5, 1.2], bodies: Vec::new() } }
    }

    /// Adds a body with random numbers on a joint of random place; `aligned` leaves its frames parallel to the bodies.
    pub fn add(&mut self, random: &mut Random, parent: Option<usize>, fields: &str, motions: Vec<oracle::Motion>, aligned: bool) {
        let k = self.tree.bodies.len();
        let (mass, center, offset, grip) = (random.uniform(0.5, 3.0), random3(random, 0.2), random3(random, 0.4), random3(random, 0.2));
        let (turn_F, turn_M) = if aligned { ([0.0; 3], [0.0; 3]) } else { (random3(random, 1.5), random3(random, 1.5)) };
        // Inertia of three point masses and a ball.
        let mut I = [[0.0; 3]; 3];
        for _ in 0..3 {
            let u = random3(random, 0.3);
            let square: f64 = u.iter().map(|x| x * x).sum();
            (0..3).for_each(|i| (0..3).for_each(|j| I[i][j] += f64::from(u8::from(i == j)) * (square + 0.01) - u[i] * u[j]));
        }
        let place = parent.map_or("world".to_string(), |p| format!("body.b{p}"));
        let host = parent.map_or("world".to_string(), |p| format!("b{p}"));
        self.text += &format!(
            "[{place}.frame.f{k}]\norigin = {offset:?}\nrotation = {turn_F:?}\n\
             [body.b{k}]\nmass = {mass:?}\ncenter = {center:?}\ninertia = [{:?}, {:?}, {:?}, {:?}, {:?}, {:?}]\n\
             [body.b{k}.frame.m]\norigin = {grip:?}\nrotation = {turn_M:?}\n\
             [joint.j{k}]\nparent = \"{host}.f{k}\"\nchild = \"b{k}.m\"\n{fields}\n",
            I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]
        );
        let R_BM = rotation_vector(Vec3::from_array(turn_M));
        self.tree.bodies.push(oracle::Body {
            parent,
            offset,
            rest: rows(&rotation_vector(Vec3::from_array(turn_F))),
            motions,
            child: ((-R_BM.transpose_mul(Vec3::from_array(grip))).to_array(), rows(&R_BM.transpose())),
            mass,
            center,
            inertia: I,
        });
    }

    /// A branched tree with every type of joint.
    pub fn all_joints(random: &mut Random, aligned: bool) -> Twin {
        use oracle::Motion::{Ball, Function, Slide, Turn};
        let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        let (s, t, u) = (random.direction(), random.direction(), random.direction());
        let mut twin = Twin::new();
        let free = || oracle::Motion::free();
        let screw = |c: [[f64; 4]; 4]| {
            let turns = vec![(s, polynomial(c[2])), (t, polynomial(c[3]))];
            vec![Function { translation: [polynomial(c[0]), polynomial(c[1]), polynomial([0.0; 4])], turns }]
        };
        let c = [[0.0, 0.1, 0.2, -0.1], [0.0, -0.3, 0.1, 0.2], [0.0, 0.9, -0.2, 0.1], [0.0, 0.3, 0.2, -0.1]];
        let knee = format!(
            "type = \"function\"\nx = {{ type = \"polynomial\", coefficients = {:?} }}\ny = {{ type = \"polynomial\", coefficients = {:?} }}\n\
             rotations = [{{ axis = {s:?}, function = {{ type = \"polynomial\", coefficients = {:?} }} }}, \
             {{ axis = {t:?}, function = {{ type = \"polynomial\", coefficients = {:?} }} }}]",
            c[0], c[1], c[2], c[3]
        );
        let gimbal = format!("type = \"gimbal\"\naxes = [{s:?}, {t:?}, {u:?}]");
        let universal = format!("type = \"universal\"\naxes = [{t:?}, {u:?}]");
        let plane = vec![Slide { axis: x }, Slide { axis: y }, Turn { axis: z }];
        twin.add(random, None, "type = \"universal\"", vec![Turn { axis: z }, Turn { axis: x }], aligned);
        twin.add(random, Some(0), &gimbal, vec![Turn { axis: s }, Turn { axis: t }, Turn { axis: u }], aligned);
        twin.add(random, Some(1), "type = \"ball\"", vec![Ball], aligned);
        twin.add(random, Some(2), &format!("type = \"slider\"\naxis = {s:?}"), vec![Slide { axis: s }], aligned);
        twin.add(random, Some(3), &knee, screw(c), aligned);
        twin.add(random, Some(4), "type = \"weld\"", vec![], aligned);
        twin.add(random, Some(0), "type = \"planar\"", plane, aligned);
        twin.add(random, Some(6), &format!("type = \"hinge\"\naxis = {u:?}"), vec![Turn { axis: u }], aligned);
        twin.add(random, Some(7), &universal, vec![Turn { axis: t }, Turn { axis: u }], aligned);
        twin.add(random, None, "type = \"free\"", free(), aligned);
        twin.add(random, Some(9), "type = \"free\"", free(), aligned);
        twin
    }
}
