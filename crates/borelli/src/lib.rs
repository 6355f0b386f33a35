//! borelli: one façade over the crates of the workspace.
