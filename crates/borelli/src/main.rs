//! The `borelli` program.
fn main() {}
