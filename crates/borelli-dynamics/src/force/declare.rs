//! How a law of one variable is declared: each number, state, control and output is named once, with unit, range, default and one line of text.
//! Not here: any law. In: a declaration. Out: the struct over a number type, its fields in model files, how it is read, how numbers are exchanged.

/// Writes a law along a path or on a coordinate.
///
/// `pub struct Name along path` pulls along the path of the field `path`; `on coordinate` pushes the coordinate of the field `coordinate`;
/// `on speed` does, too, or pushes an angular velocity of a joint that turns by a quaternion, whose value it must not ask for. One line per field,
/// its text in the doc comment above it:
///
/// ```text
/// number stiffness: "N/m" in Range::NON_NEGATIVE, default 0.0;    a parameter, of type N
/// state creep: "m" in Range::ANY, default 0.0;                    a state of first order that starts at the field's value: its index in z
/// control command: "N";                                           a number, a function of time or a column of a table: its index in u
/// function tension: "N";                                          a function of time: its index
/// ```
///
/// On a coordinate `"N m/rad" or "N/m"` are the units for an angle and for a length. `reports tension: "N";` behind the struct declares outputs, by index; states and
/// controls are columns without it. `checked by path;` names a function that refuses what no range can say.
macro_rules! force {
    (
        $(#[doc = $about:literal])*
        $name:literal: $summary:literal
        pub struct $Law:ident $how:ident $family:ident {
            $(#[doc = $doc:literal] $word:ident $field:ident: $unit:literal $(or $length:literal)? $(in $range:expr)? $(, default $default:expr)?;)*
        }
        $(reports $($output:ident: $output_unit:literal),+;)?
        $(checked by $check:path;)?
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug)]
        pub struct $Law<N> {
            on: $crate::force::declare::On<$crate::force::declare::$family>,
            $($field: $crate::force::declare::Kept<$crate::force::declare::$word, N>,)*
            $($($output: u32,)+)?
            own: $crate::force::Own,
            number: std::marker::PhantomData<N>,
        }

        impl $crate::force::Law for $Law<$crate::parts::Slot> {
            const KIND: borelli_model::Kind = borelli_model::Kind {
                name: $name,
                doc: $summary,
                fields: &[
                    $crate::force::declare::force!(@on_field $family),
                    $(borelli_model::Field {
                        name: stringify!($field),
                        kind: $crate::force::declare::force!(@kind $word $unit $(or $length)? $(in $range)?),
                        need: [$(borelli_model::Need::Default($default),)? borelli_model::Need::Required][0],
                        doc: $doc.trim_ascii(),
                    }),*
                ],
                planar: true,
                spatial: true,
            };

            fn read(fields: &mut borelli_model::Fields, context: &mut $crate::compile::Context) -> Option<Self> {
                let before = context.inside();
                let on = $crate::force::declare::force!(@on_read $family, fields, context);
                // All are asked for before one is missed, so that their faults are reported together; an unknown coordinate is reported alone.
                $(let $field = $crate::force::declare::force!(@read $word, fields, context, on, $field, $unit $(or $length)?);)*
                $($(let $output = context.output(fields, stringify!($output), $output_unit);)+)?
                $(if !$check(fields, context, on.as_ref()?) {
                    return None;
                })?
                let own = context.own_since(before);
                Some($Law { on: on?, $($field: $field?,)* $($($output,)+)? own, number: std::marker::PhantomData })
            }
        }

        impl<N> $Law<N> {
            pub(super) fn map<M>(&self, number: &mut impl FnMut(&N) -> M, _old: Option<&mut $Law<M>>) -> $Law<M> {
                // Laws without a number of their own ask for none.
                let _ = &number;
                $Law {
                    on: self.on,
                    $($field: $crate::force::declare::force!(@map $word, number, self.$field),)*
                    $($($output: self.$output,)+)?
                    own: self.own.clone(),
                    number: std::marker::PhantomData,
                }
            }

            /// Its states and controls.
            #[inline(always)]
            pub(super) fn own(&self) -> &$crate::force::Own {
                &self.own
            }

            /// The path or coordinate it acts on.
            #[inline(always)]
            pub(super) fn on(&self) -> $crate::force::declare::On<$crate::force::declare::$family> {
                self.on
            }
        }
    };

    (@on_field path) => { $crate::force::path::PATH };
    (@on_field coordinate) => { $crate::force::declare::COORDINATE };
    (@on_field speed) => { $crate::force::declare::COORDINATE };
    (@on_read speed, $fields:ident, $context:ident) => { Some($context.coordinate_or_speed($fields, "coordinate")?) };
    (@on_read path, $fields:ident, $context:ident) => { $context.path($fields, "path") };
    // The units of further fields depend on what the coordinate measures.
    (@on_read coordinate, $fields:ident, $context:ident) => { Some($context.coordinate($fields, "coordinate")?) };

    (@map number, $number:ident, $value:expr) => { $number(&$value) };
    (@map $word:ident, $number:ident, $value:expr) => { $value };

    (@kind control $($rest:tt)*) => { $crate::force::declare::force!(@kind function $($rest)*) };
    (@kind state $($rest:tt)*) => { $crate::force::declare::force!(@kind number $($rest)*) };
    (@kind function $unit:literal) => { borelli_model::FieldKind::Function { value: $unit } };
    (@kind function $unit:literal or $length:literal) => { borelli_model::FieldKind::Function { value: "*" } };
    (@kind number $unit:literal in $range:expr) => { borelli_model::FieldKind::Quantity { unit: $unit, range: $range } };
    (@kind number $unit:literal or $length:literal in $range:expr) => {
        borelli_model::FieldKind::QuantityOf { angle: $unit, length: $length, range: $range }
    };

    (@read number, $fields:ident, $context:ident, $on:ident, $field:ident, $unit:literal) => { $context.quantity($fields, stringify!($field), $unit) };
    (@read number, $fields:ident, $context:ident, $on:ident, $field:ident, $unit:literal or $length:literal) => {
        $on.and_then(|on| $context.quantity_of($fields, stringify!($field), on.measure, [$unit, $length]))
    };
    (@read state, $fields:ident, $context:ident, $on:ident, $field:ident, $unit:literal) => {
        $context.quantity($fields, stringify!($field), $unit).map(|start| $context.state($fields, stringify!($field), $unit, start))
    };
    (@read control, $fields:ident, $context:ident, $on:ident, $field:ident, $unit:literal) => { $context.control($fields, stringify!($field), $unit) };
    (@read function, $fields:ident, $context:ident, $on:ident, $field:ident, $unit:literal) => {
        $context.function($fields, stringify!($field), "s", $unit)
    };
    (@read function, $fields:ident, $context:ident, $on:ident, $field:ident, $unit:literal or $length:literal) => {
        $on.and_then(|on| $context.function_of($fields, stringify!($field), on.measure, [$unit, $length]))
    };
}
pub(super) use force;

use crate::compile::Coordinate;
use borelli_model::{Field, FieldKind, Need};

/// A word of a declaration: what the struct keeps of such a field.
pub(super) trait Word {
    /// A number, or an index.
    type Of<N>;
}

/// A word for what a law acts on.
pub(super) trait Family {
    /// Index of a path, or a coordinate.
    type On;
}

pub(super) type Kept<W, N> = <W as Word>::Of<N>;
pub(super) type On<F> = <F as Family>::On;

macro_rules! words {
    ($($word:ident: $Trait:ident, $Type:ident $(<$N:ident>)? = $Of:ty;)*) => {
        $(#[allow(non_camel_case_types)] // as it is written in a declaration
        pub(super) struct $word;
        impl $Trait for $word {
            type $Type $(<$N>)? = $Of;
        })*
    };
}

words! {
    number: Word, Of<N> = N;
    state: Word, Of<N> = u32;
    control: Word, Of<N> = u32;
    function: Word, Of<N> = u32;
    path: Family, On = u32;
    coordinate: Family, On = Coordinate;
    speed: Family, On = Coordinate;
}

/// The field `coordinate` of every law on a coordinate.
pub(super) const COORDINATE: Field =
    Field { name: "coordinate", kind: FieldKind::Coordinate, need: Need::Required, doc: "coordinate it acts on" };

/// A struct whose doc comment is kept as text, too, for pages about it: the name of the text, then the struct.
macro_rules! told {
    ($TEXT:ident $(#[doc = $about:literal])* pub struct $Name:ident<$N:ident> { $($fields:tt)* }) => {
        /// What the doc comment of the law says.
        const $TEXT: &str = concat!($($about, "\n"),*);

        $(#[doc = $about])*
        #[derive(Clone, Debug)]
        pub struct $Name<$N> { $($fields)* }
    };
}
pub(crate) use told;
