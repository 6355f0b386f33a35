//! (module head)
