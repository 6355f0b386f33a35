//! What all families of laws share: how a law declares its parameters, and how a family lists its laws.
//! Not here: any law; the forces of a family stand in the family.
//! In: a name and numbers. Out: a checked law, or a fault that says what was wrong.

use borelli_math::with_unit;
pub use borelli_math::{Declaration, Need, Range};
use std::fmt;

/// One registered law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What it is, in one line.
    pub doc: &'static str,
    /// Its numbers.
    pub parameters: &'static [Declaration],
    /// True when it looks at the past of a contact, the speed of its first touch, which the caller must then keep.
    pub remembers: bool,
    /// Pairs of numbers, the first of which may not be below the second.
    pub orders: &'static [(&'static str, &'static str)],
    /// One value per number, for examples and pictures; where a law gives none, its default.
    pub typical: &'static [Option<f64>],
    /// The doc comment of the law, line by line: equation, symbols, source, departures, limits, tests.
    pub about: &'static str,
}

impl Kind {
    /// The `P` numbers of the law, in order, from named values: defaults filled in, ranges checked, nothing unknown.
    pub(crate) fn values<const P: usize>(&self, given: &[(&str, f64)]) -> Result<[f64; P], Fault> {
        if let Some((name, _)) = given.iter().find(|(name, _)| self.parameters.iter().all(|p| p.name != *name)) {
            return Err(Fault::UnknownParameter { law: self.name, name: (*name).into() });
        }
        let mut values = [0.0; P];
        for (slot, p) in values.iter_mut().zip(self.parameters) {
            let found = given.iter().find(|(name, _)| *name == p.name).map(|(_, value)| *value);
            *slot = found.or(p.need.default()).ok_or(Fault::Missing { law: self.name, parameter: p.name })?;
            if !p.range.contains(*slot) {
                return Err(Fault::OutOfRange { parameter: p.name, value: *slot, range: p.range, unit: p.unit });
            }
        }
        self.check_orders(&values)?;
        Ok(values)
    }

    /// Typical numbers by name, for examples and pictures; those that the law does not give are left out.
    pub fn typical_values(&self) -> Vec<(&'static str, f64)> {
        self.parameters.iter().zip(self.typical).filter_map(|(p, typical)| typical.map(|value| (p.name, value))).collect()
    }

    /// Whether numbers that must stand in order do; values in the order of the parameters. Ranges are checked one by one.
    pub fn check_orders(&self, values: &[f64]) -> Result<(), Fault> {
        let value = |name: &str| self.parameters.iter().position(|p| p.name == name).and_then(|k| values.get(k).copied());
        for &(greater, lesser) in self.orders {
            if let (Some(high), Some(low)) = (value(greater), value(lesser))
                && !(high >= low)
            {
                return Err(Fault::OutOfOrder { law: self.name, greater, lesser, values: [high, low] });
            }
        }
        Ok(())
    }
}

/// Why a law cannot be made.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// No law of the family has this name.
    UnknownLaw {
        /// As given.
        name: String,
        /// Those there are.
        known: Vec<&'static str>,
    },
    /// The law has no such parameter.
    UnknownParameter {
        /// The law.
        law: &'static str,
        /// As given.
        name: String,
    },
    /// A parameter without default has no value.
    Missing {
        /// The law.
        law: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
    /// A value outside its range, or not a number.
    OutOfRange {
        /// The parameter.
        parameter: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        range: Range,
        /// Unit of both.
        unit: &'static str,
    },
    /// Two values in the wrong order.
    OutOfOrder {
        /// The law.
        law: &'static str,
        /// The parameter that may not be below the other.
        greater: &'static str,
        /// The other.
        lesser: &'static str,
        /// Their values, in this order.
        values: [f64; 2],
    },
    /// A direction that is not of unit length.
    NotUnit {
        /// Its length.
        length: f64,
    },
    /// Two directions that are not at right angles.
    NotOrthogonal {
        /// Cosine of their angle.
        cosine: f64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::UnknownLaw { name, known } => write!(f, "no law `{name}`; hint: one of {}", known.join(", ")),
            Fault::UnknownParameter { law, name } => write!(f, "law `{law}` has no parameter `{name}`"),
            Fault::Missing { law, parameter } => write!(f, "law `{law}` needs `{parameter}`"),
            Fault::OutOfRange { parameter, value, range, unit } => {
                write!(f, "`{parameter}` is {}; hint: it must be {}", with_unit(value, unit), range.in_unit(unit))
            }
            Fault::OutOfOrder { law, greater, lesser, values: [high, low] } => {
                write!(
                    f,
                    "law `{law}`: `{greater}` is {high}, below `{lesser}`, which is {low}; hint: `{greater}` must be at least `{lesser}`"
                )
            }
            Fault::NotUnit { length } => write!(f, "a direction of length {length}; hint: it must be a unit vector"),
            Fault::NotOrthogonal { cosine } => write!(f, "two sides with cosine {cosine}; hint: they must be at right angles"),
        }
    }
}

impl std::error::Error for Fault {}

/// Writes a law: the struct over a number type `N`, its `KIND`, how to build it from numbers and how to exchange them.
///
/// One line per parameter, `name: unit, range;` or `name: unit, range, default value;`, its doc comment above it; `typical value` after these is
/// for examples and pictures. The word `remembers` after the summary marks a law with memory; `a >= b;` below the struct orders two numbers.
macro_rules! law {
    (
        $(#[doc = $about:literal])*
        $name:literal: $summary:literal $(, $remembers:ident)?
        pub struct $Law:ident {
            $(#[doc = $doc:literal] $field:ident: $unit:literal, $range:expr $(, default $default:expr)? $(, typical $typical:expr)?;)*
        }
        $($greater:ident >= $lesser:ident;)*
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $Law<N> {
            $(#[doc = $doc] pub $field: N,)*
        }

        impl<N> $Law<N> {
            /// Name and parameters.
            pub const KIND: $crate::law::Kind = $crate::law::Kind {
                name: $name,
                doc: $summary,
                parameters: &[$($crate::law::Declaration {
                    name: stringify!($field),
                    unit: $unit,
                    range: $range,
                    need: [$($crate::law::Need::Default($default),)? $crate::law::Need::Required][0],
                    doc: $doc.trim_ascii(),
                }),*],
                remembers: !matches!(stringify!($($remembers)?).as_bytes(), b""),
                orders: &[$((stringify!($greater), stringify!($lesser))),*],
                typical: &[$([$(Some($typical),)? $(Some($default),)? None][0]),*],
                about: concat!($($about, "\n"),*),
            };

            /// From one number per parameter, asked for in order; nothing if one is missing. Ranges are the caller's matter.
            pub fn build(number: &mut impl FnMut(&'static $crate::law::Declaration) -> Option<N>) -> Option<Self> {
                let mut parameters = const { Self::KIND.parameters }.iter();
                let mut next = || parameters.next().and_then(&mut *number);
                // All are asked for before one is missed, so that a reader can report every fault at once.
                $(let $field = next();)*
                Some($Law { $($field: $field?,)* })
            }

            /// The same law with other numbers.
            pub fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> $Law<M> {
                $Law { $($field: number(&self.$field),)* }
            }
        }

        impl $Law<f64> {
            /// From named values in SI units; defaults are filled in and ranges checked.
            pub fn new(given: &[(&str, f64)]) -> Result<Self, $crate::law::Fault> {
                let [$($field),*] = Self::KIND.values(given)?;
                Ok($Law { $($field),* })
            }
        }
    };
}
pub(crate) use law;

/// Writes a family: the enum of its laws, one line each, and the call that asks the one there is.
macro_rules! family {
    (
        $(#[$meta:meta])*
        pub enum $Family:ident {
            $($module:ident :: $Law:ident,)*
        }
        fn $method:ident($In:ident<S>) -> $Out:ident<S>
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum $Family<N> {
            $(#[allow(missing_docs)] $Law($module::$Law<N>),)*
        }

        impl<N> $Family<N> {
            /// Names and parameters of all laws.
            pub const KINDS: &'static [$crate::law::Kind] = &[$($module::$Law::<N>::KIND),*];

            /// Name and parameters of this law.
            pub fn kind(&self) -> &'static $crate::law::Kind {
                match self { $($Family::$Law(_) => const { &$module::$Law::<N>::KIND },)* }
            }

            /// The law of that name from one number per parameter; nothing if there is no such law or a number is missing.
            pub fn build(kind: &str, number: &mut impl FnMut(&'static $crate::law::Declaration) -> Option<N>) -> Option<Self> {
                $(if kind == $module::$Law::<N>::KIND.name {
                    return $module::$Law::build(number).map($Family::$Law);
                })*
                None
            }

            /// The same law with other numbers.
            pub fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> $Family<M> {
                match self { $($Family::$Law(law) => $Family::$Law(law.map(number)),)* }
            }

            #[inline]
            fn $method<S: borelli_math::Real>(&self, input: $In<S>) -> $Out<S>
            where
                N: borelli_math::Constant<S>,
            {
                match self { $($Family::$Law(law) => law.$method(input),)* }
            }
        }

        impl $Family<f64> {
            /// The law of that name from named values in SI units; defaults are filled in and ranges checked.
            pub fn new(kind: &str, given: &[(&str, f64)]) -> Result<Self, $crate::law::Fault> {
                $(if kind == $module::$Law::<f64>::KIND.name {
                    return $module::$Law::new(given).map($Family::$Law);
                })*
                Err($crate::law::Fault::UnknownLaw { name: kind.into(), known: Self::KINDS.iter().map(|k| k.name).collect() })
            }
        }
    };
}
pub(crate) use family;
