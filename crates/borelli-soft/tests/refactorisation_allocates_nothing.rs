//! A whole iteration of a problem with supports, ties and contact asks for no memory: assembly, factorisation, solves, correction.

use borelli_soft::definition::{Body, BoundaryIndex, Contact, Definition, Load, LoadKind, Method, Partner, Support, Tie};
use borelli_soft::element::Kind;
use borelli_soft::material::{Material, Plane};
use borelli_soft::mesh::{Annulus, Block, Mesh, Shape};
use borelli_soft::problem::{At, Following, Problem, Statuses};
use borelli_soft::target::{Circle, Side};
use borelli_testkit::{CountingAllocator, count_allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn body(name: &str, mesh: Mesh, carrier: usize) -> Body {
    let material = Material::new("robust", &[("young", 974e6), ("poisson", 0.46)]).expect("in range");
    let regions = mesh.regions.len();
    Body {
        name: name.into(),
        materials: vec![material; regions],
        mesh,
        carrier,
        placement: [0.0; 3],
        density: vec![0.0; regions],
        depth: 0.01,
        plane: Plane::Strain,
        element: Kind::Plain,
    }
}

/// A liner tied to one carrier and pressed by another, and a block whose support moves.
fn problem() -> Problem {
    let liner = Annulus { around: 24, through: 4, ..Annulus::default() }.mesh(Shape::Q4).expect("a liner");
    let block = Block::rectangle([0.1, 0.0], [0.02, 0.01], [4, 3]).mesh(Shape::Q4).expect("a block");
    let mut definition = Definition { carriers: ["world", "cup", "head"].map(String::from).to_vec(), ..Definition::default() };
    definition.bodies = vec![body("liner", liner, 1), body("block", block, 0)];
    let find = |body: usize, name: &str| {
        let boundary = definition.bodies[body].mesh.boundaries.iter().position(|boundary| boundary.name == name).expect("a boundary");
        BoundaryIndex { body, boundary }
    };
    let [outer, inner, bottom, top] = [find(0, "outer"), find(0, "inner"), find(1, "bottom"), find(1, "top")];
    definition.ties.push(Tie { name: "cup".into(), of: outer, to: Partner::Carrier(1), method: Method::Augmented, stiffness: 1e5 });
    let target = Circle::new([0.0; 2], 0.014, Side::Solid).expect("a circle").into();
    definition.contacts.push(Contact { name: "hip".into(), of: inner, carrier: 2, target, method: Method::Augmented, stiffness: 2e4 });
    definition.supports.push(Support { name: "floor".into(), of: bottom, held: [true; 2] });
    definition.loads.push(Load { name: "push".into(), of: top, kind: LoadKind::Traction });
    Problem::new(definition, &[[0.0; 3]; 3]).expect("a problem")
}

#[test]
fn an_iteration_asks_for_no_memory() {
    let mut problem = problem();
    let mut poses = [[0.0; 3]; 3];
    let mut x = vec![0.0; problem.dofs()];
    problem.place(&poses, &mut x);
    let lambda = vec![0.0; problem.multipliers()];
    let (mut dx, mut dlambda) = (x.clone(), lambda.clone());
    // The head moves in, and so does the support of the block.
    poses[2] = [1e-6, 2e-5, 0.01];
    let mut iterate = || {
        let at = At {
            x: &x,
            v: Some(&x),
            a: Some(&x),
            lambda: &lambda,
            poses: &poses,
            displacement: &[[1e-6, 2e-6]],
            load: &[[0.0, -1e3]],
            gravity: [0.0, -9.81],
            part: 1.0,
        };
        problem.evaluate(&at, Some(Following { damping: 10.0, mass: 1e4 }), Statuses::Decided)?;
        problem.factor()?;
        problem.evaluate(&at, None, Statuses::Decided)?;
        problem.condense()?;
        problem.follow(&[0.0, 1e-7, 0.0, 0.0, 1e-6, 0.0], &mut dx, &mut dlambda);
        Ok::<_, borelli_soft::problem::SoftFault>((problem.longest_part(&dx), problem.largest_open()))
    };
    // The first product of a process asks the machine once what it can do.
    iterate().expect("an iteration");
    let (found, requests) = count_allocations(&mut iterate);
    assert_eq!(requests, 0);
    let (part, (open, _)) = found.expect("an iteration");
    assert!(part == 1.0 && open > 1.0, "{part} {open}");
    let notes = problem.solver_notes();
    assert_eq!((notes.factorisations, notes.fallbacks), (2, 0), "by LDLT");
}
