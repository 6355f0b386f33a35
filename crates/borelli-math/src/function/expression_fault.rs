//! What can be wrong with the text of an expression, and where.
//! Not here: reading (`reader`).
//! In: facts. Out: a message, and on a second line a hint.

use super::program::{BINARY, UNARY};
use std::fmt;

/// What is wrong with the text of an expression. Positions count bytes from zero.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionFault {
    /// Something else should stand here.
    Unexpected {
        /// Where.
        position: usize,
        /// What stands there.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// Neither the variable nor a constant nor a function.
    UnknownName {
        /// Where.
        position: usize,
        /// The name.
        name: String,
    },
    /// Not a variable the caller knows.
    UnknownVariable {
        /// Where.
        position: usize,
        /// The name.
        name: String,
        /// The name with its hyphens, where what follows suggests that they belong to it.
        hyphenated: Option<String>,
    },
    /// A name before `(` that is not a function.
    UnknownFunction {
        /// Where.
        position: usize,
        /// The name.
        name: String,
    },
    /// Both `x` and `t` are used, though there is one variable only.
    MixedVariables {
        /// Where the second one stands.
        position: usize,
    },
    /// A number beyond the largest one.
    NumberTooLarge {
        /// Where.
        position: usize,
        /// The number as written.
        text: String,
    },
    /// Too deeply nested, or too many intermediate results at once.
    TooDeep {
        /// Where the limit is passed.
        position: usize,
        /// The limit.
        limit: usize,
    },
    /// Text too long.
    TooLong {
        /// Bytes given.
        length: usize,
        /// Most bytes.
        limit: usize,
    },
}

impl fmt::Display for ExpressionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpressionFault::Unexpected { position, found, expected } => {
                write!(f, "byte {position}: found {found}, expected {expected}\n  hint: operators are + - * / ^; products need their *")
            }
            ExpressionFault::UnknownName { position, name } => {
                write!(f, "byte {position}: unknown name `{name}`\n  hint: known are x (or t) pi e")?;
                list_functions(f)
            }
            ExpressionFault::UnknownVariable { position, name, hyphenated: Some(whole) } => {
                write!(f, "byte {position}: unknown name `{name}`\n  hint: a name with a hyphen is written in brackets, [{whole}]")
            }
            ExpressionFault::UnknownVariable { position, name, hyphenated: None } => {
                write!(
                    f,
                    "byte {position}: unknown name `{name}`\n  hint: names are those of columns, such as coord.knee.value, time, pi, e"
                )
            }
            ExpressionFault::UnknownFunction { position, name } => {
                write!(f, "byte {position}: unknown function `{name}`\n  hint: known are")?;
                list_functions(f)
            }
            ExpressionFault::MixedVariables { position } => {
                write!(f, "byte {position}: both x and t are used\n  hint: there is one variable; call it either x or t")
            }
            ExpressionFault::NumberTooLarge { position, text } => {
                write!(f, "byte {position}: number `{text}` is too large\n  hint: the largest is {:e}", f64::MAX)
            }
            ExpressionFault::TooDeep { position, limit } => {
                write!(f, "byte {position}: more than {limit} levels deep\n  hint: drop parentheses or split the expression")
            }
            ExpressionFault::TooLong { length, limit } => {
                write!(f, "expression has {length} bytes, at most {limit} are read\n  hint: use a table")
            }
        }
    }
}

impl std::error::Error for ExpressionFault {}

fn list_functions(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    UNARY.iter().map(|(name, _)| name).chain(BINARY.iter().map(|(name, _)| name)).try_for_each(|name| write!(f, " {name}"))
}
