//! Facts that can be explained to people: code, message, hint.
//! Not here: the facts themselves; every crate has its own lists. Where in a file a fact stands is the caller's knowledge.

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// What was read cannot be used.
    Error,
    /// It can be used, but look.
    Warning,
}

/// A fact that can be explained: what every list of faults offers.
pub trait Explain {
    /// Stable name of the fault in kebab-case, for machines and for searching.
    fn code(&self) -> &'static str;
    /// What is wrong, in one sentence without a full stop.
    fn message(&self) -> String;
    /// What to do about it.
    fn hint(&self) -> Option<String> {
        None
    }
    /// Error unless said otherwise.
    fn severity(&self) -> Severity {
        Severity::Error
    }
}
