//! What a run leaves on the disk: a folder that is either whole or still called `.partial`.
//! Not here: running, judging, the page itself (`report`), the command line.
//! In: outcomes and what is known of how they came about. Out: files; a finished folder read again.

mod checkpoint;
mod clock;
mod events;
mod fault;
mod files;
mod fit;
mod folder;
mod foreign;
mod hash;
mod inputs;
mod npz;
mod page;
mod pressure;
mod record;
mod record_fault;
mod restart;
mod soft;
mod summary;
#[cfg(test)]
mod tests;
mod uncertainty;

pub use checkpoint::{CHECKPOINT, CheckpointFault, find_checkpoint, question, read_checkpoint, write_checkpoint};
pub use clock::utc;
pub use events::{read_events, write_events};
pub use fault::FolderFault;
pub use files::{place_of, stamp, write_case};
pub use folder::{Closed, Leftover, PAGE, RunFolder};
pub use foreign::Kept;
pub use inputs::{Input, inputs};
pub use page::page_json;
pub use pressure::{read_pressure_npz, write_pressure_csv, write_pressure_npz};
pub use record::{FIGURE, Record, trajectories};
pub use record_fault::RecordFault;
pub use restart::{Restart, RestartFault};
pub use soft::{read_soft_json, soft_json, write_pvd, write_vtu};
pub use summary::{Case, Summary, number};
