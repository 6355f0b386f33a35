//! Functions of one variable. (Placeholder until the module lands.)
