//! What tests judge by: an independent oracle of mechanics, difference checkers, a counting allocator, reference files, a translator of OpenSim models.
//! Not here: anything of the engine, its kernels or its number types; an oracle cannot borrow the code it judges.
//! In and out: plain numbers and arrays, SI and radians. A wrong use panics, because only tests call this crate.

pub mod allocation;
pub mod differences;
pub mod fuzz;
pub mod jet;
pub mod oracle;
pub mod osim;
pub mod peers;
pub mod reference;

pub use allocation::{CountingAllocator, count_allocations};
pub use borelli_math::random;
pub use differences::{assert_close, central_difference};
pub use random::Random;
pub use reference::{ReferenceTable, reference, skipped};
