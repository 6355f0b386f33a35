//! Filling in a cell asks for no memory, whatever its law, shape and kind of element.

use borelli_soft::element::{CellWeights, CellWork, KINDS, Solid};
use borelli_soft::material::{Material, Plane};
use borelli_soft::mesh::Cell;
use borelli_soft::shape::Shape;
use borelli_testkit::{CountingAllocator, count_allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn filling_in_a_cell_asks_for_no_memory() {
    let mut filled = 0;
    for law in Material::KINDS {
        for &shape in Shape::ALL {
            for about in KINDS {
                let points = shape.places().to_vec();
                let cell = Cell { shape, nodes: std::array::from_fn(|a| a as u32 * u32::from(a < shape.nodes())), region: 0 };
                let material = Material::new(law.name, &[("young", 1.0), ("poisson", 0.3), ("viscosity", 0.1)]).expect("in range");
                let Ok(solid) = Solid::new(&points, &[cell], vec![material], vec![1.0], 1.0, Plane::Strain, about.kind) else { continue };
                let (x, mut work) = (points.as_flattened(), CellWork::default());
                let weights = Some(CellWeights { damping: 1.0, mass: 1.0 });
                let (result, requests) = count_allocations(|| solid.fill(0, x, Some(x), Some(x), weights, &mut work));
                assert_eq!((result, requests), (Ok(()), 0), "{} {shape:?} {}", law.name, about.name);
                filled += 1;
            }
        }
    }
    assert_eq!(filled, 5 * Material::KINDS.len());
}
