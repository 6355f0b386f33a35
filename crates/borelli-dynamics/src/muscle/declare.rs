//! How the numbers of a law's curves are declared: each is named once, with range, default and one line of text.
//! Not here: any law. In: a declaration. Out: the struct over a number type, its fields in model files, how it is read, how numbers are exchanged.

/// Writes the numbers of a law's curves; all are without unit and all may be left out.
///
/// ```text
/// number passive_shape: Range::POSITIVE = 5.0;       a parameter `muscle.NAME.passive_shape`
/// list3 active_lengths: [0.44, 0.73, 1.81];          parameters `muscle.NAME.active_lengths.1` …
/// given tendon_stiffness: Range::POSITIVE;           a parameter where the file has it, else nothing
/// ```
macro_rules! curve_numbers {
    (
        $(#[doc = $about:literal])*
        pub struct $Numbers:ident {
            $(#[doc = $doc:literal] $word:ident $field:ident: $what:expr $(, default $default:expr)?;)*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Numbers<N> {
            $($field: <$crate::muscle::declare::$word as $crate::muscle::declare::Word>::Of<N>,)*
        }

        impl $Numbers<$crate::parts::Slot> {
            /// Fields in model files.
            pub(super) const FIELDS: &'static [borelli_model::Field] = &[
                $(borelli_model::Field {
                    name: stringify!($field),
                    kind: $crate::muscle::declare::curve_numbers!(@kind $word, $what),
                    need: [$(borelli_model::Need::Default($default),)? borelli_model::Need::Optional][0],
                    doc: $doc.trim_ascii(),
                }),*
            ];

            /// Reads them all; nothing where one is at fault.
            pub(super) fn read(fields: &mut borelli_model::Fields, context: &mut $crate::compile::Context) -> Option<Self> {
                $(let $field = $crate::muscle::declare::curve_numbers!(@read $word, fields, context, $field, $what);)*
                Some($Numbers { $($field: $field?,)* })
            }
        }

        impl $Numbers<f64> {
            /// The published numbers.
            pub(super) fn published() -> Self {
                $Numbers { $($field: $crate::muscle::declare::curve_numbers!(@published $word, $what $(, $default)?),)* }
            }
        }

        impl<N> $Numbers<N> {
            /// The same with other numbers.
            pub(super) fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> $Numbers<M> {
                $Numbers { $($field: $crate::muscle::declare::curve_numbers!(@map $word, number, self.$field),)* }
            }
        }
    };

    (@kind number, $range:expr) => { borelli_model::FieldKind::Quantity { unit: "1", range: $range } };
    (@kind given, $range:expr) => { borelli_model::FieldKind::Quantity { unit: "1", range: $range } };
    (@kind $list:ident, $values:expr) => { borelli_model::FieldKind::Numbers { unit: "1", least: 1 } };
    (@read number, $fields:ident, $context:ident, $field:ident, $range:expr) => { $context.quantity($fields, stringify!($field), "1") };
    (@read given, $fields:ident, $context:ident, $field:ident, $range:expr) => {
        match $fields.has(stringify!($field)) {
            true => $context.quantity($fields, stringify!($field), "1").map(Some),
            false => Some(None),
        }
    };
    (@read $list:ident, $fields:ident, $context:ident, $field:ident, $values:expr) => { $context.number_list($fields, stringify!($field), $values) };
    (@published number, $range:expr, $default:expr) => { $default };
    (@published given, $range:expr) => { None };
    (@published $list:ident, $values:expr) => { $values };
    (@map number, $number:ident, $value:expr) => { $number(&$value) };
    (@map given, $number:ident, $value:expr) => { $value.as_ref().map(&mut *$number) };
    (@map $list:ident, $number:ident, $value:expr) => { std::array::from_fn(|k| $number(&$value[k])) };
}
pub(super) use curve_numbers;

/// A word of a declaration: what the struct keeps of such a field.
pub(super) trait Word {
    /// A number, perhaps one, or several.
    type Of<N>;
}

macro_rules! words {
    ($($word:ident: $Of:ty;)*) => {
        $(#[allow(non_camel_case_types)] // as it is written in a declaration
        pub(super) struct $word;
        impl Word for $word {
            type Of<N> = $Of;
        })*
    };
}

words! {
    number: N;
    given: Option<N>;
    list2: [N; 2];
    list3: [N; 3];
    list5: [N; 5];
}

/// Writes a muscle law from its numbers and curves: `pub struct Thelen with ThelenNumbers, ThelenCurves, LawDefaults { … };`.
macro_rules! muscle {
    (
        $(#[doc = $about:literal])*
        $name:literal: $summary:literal
        pub struct $Law:ident with $Numbers:ident, $Curves:ident, $defaults:expr;
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug)]
        pub struct $Law<N> {
            common: $crate::muscle::read::Common<N>,
            numbers: $Numbers<N>,
            /// What follows from the numbers; nothing in the recipe, whose numbers are not known.
            built: Option<$crate::muscle::element::Built<N, $Curves<N>>>,
        }

        impl $crate::force::Law for $Law<$crate::parts::Slot> {
            const SECTION: &'static str = "muscle";
            const COMMON: &'static [borelli_model::Field] = $crate::muscle::read::COMMON;
            const ABOUT: &'static str = concat!($($about, "\n"),*);
            const KIND: borelli_model::Kind =
                borelli_model::Kind { name: $name, doc: $summary, fields: $Numbers::FIELDS, planar: true, spatial: true };

            fn read(fields: &mut borelli_model::Fields, context: &mut $crate::compile::Context) -> Option<Self> {
                let numbers = $Numbers::read(fields, context);
                let common = $crate::muscle::read::common(fields, context, &$defaults);
                let (numbers, common) = (numbers?, common?);
                let strain = context.value(common.tendon_strain);
                if let Some(field) = numbers.map(&mut |slot| context.value(*slot)).bad_field(strain) {
                    fields.fault(field, &$crate::muscle::MuscleFault::BadCurve { field });
                    return None;
                }
                Some($Law { common, numbers, built: None })
            }
        }

        impl<N> $Law<N> {
            /// The same with other numbers; `old` is an older version of that, whose tables it takes over.
            pub(crate) fn map<M: borelli_math::Constant<M>>(&self, number: &mut impl FnMut(&N) -> M, old: Option<&mut $Law<M>>) -> $Law<M> {
                let (common, numbers) = (self.common.map(number), self.numbers.map(number));
                let built = $crate::muscle::element::Built::new(&common, numbers.curves(common.tendon_strain));
                let mut law = $Law { common, numbers, built: Some(built) };
                if let Some(old) = old {
                    let same = law.is_like(old);
                    if let (Some(built), Some(before)) = (&mut law.built, &mut old.built) {
                        built.curves.inherit(&mut before.curves, same);
                    }
                }
                law
            }

            /// Its states and controls.
            #[inline(always)]
            pub(crate) fn own(&self) -> &$crate::force::Own {
                &self.common.own
            }

            /// The path it pulls along.
            #[inline(always)]
            pub(crate) fn on(&self) -> u32 {
                self.common.path
            }
        }

        impl<C: borelli_math::Real> $Law<C> {
            /// Whether its curves have the numbers of another muscle's.
            fn is_like(&self, other: &Self) -> bool {
                let values = |law: &Self| (law.common.tendon_strain.value(), law.numbers.map(&mut |number| number.value()));
                values(self) == values(other)
            }

            /// Gives each muscle of a list the tables of its curves: muscles with the same numbers share them.
            pub(crate) fn settle(list: &mut [$crate::parts::Named<Self>]) {
                for k in 0..list.len() {
                    let (before, own) = list.split_at_mut(k);
                    let own = &mut own[0].item;
                    if own.built.as_ref().is_none_or(|built| built.curves.is_settled()) {
                        continue;
                    }
                    let like = before.iter().find(|other| other.item.is_like(own)).and_then(|other| other.item.built.as_ref());
                    if let Some(built) = &mut own.built {
                        built.curves.settle(like.map(|built| &built.curves));
                    }
                }
            }

            #[inline]
            pub(crate) fn answer<S: borelli_math::Real>(
                &self,
                path: $crate::force::Along<S>,
                now: &$crate::scene::Now<S, C>,
                inner: &mut $crate::scene::Inner<S>,
            ) -> $crate::force::Answer<S>
            where
                C: borelli_math::Constant<S>,
            {
                let begun = self.begin(path, now, inner);
                self.finish(begun, inner)
            }

            /// The first part of an answer; muscles may go side by side.
            #[inline(always)]
            pub(crate) fn begin<S: borelli_math::Real>(
                &self,
                path: $crate::force::Along<S>,
                now: &$crate::scene::Now<S, C>,
                inner: &mut $crate::scene::Inner<S>,
            ) -> Option<$crate::muscle::Begun<S>>
            where
                C: borelli_math::Constant<S>,
            {
                self.built.as_ref().map(|built| $crate::muscle::element::begin(&self.common, built, path, now, inner))
            }

            /// The rest of it.
            #[inline(always)]
            pub(crate) fn finish<S: borelli_math::Real>(
                &self,
                begun: Option<$crate::muscle::Begun<S>>,
                inner: &mut $crate::scene::Inner<S>,
            ) -> $crate::force::Answer<S>
            where
                C: borelli_math::Constant<S>,
            {
                match (&self.built, begun) {
                    (Some(built), Some(begun)) => $crate::muscle::element::finish(&self.common, built, begun, inner),
                    _ => $crate::force::Answer { force: S::ZERO, stored: S::ZERO },
                }
            }
        }

        impl $Law<f64> {
            /// Activation and fibre at the start, at a length of the path.
            pub(crate) fn start(
                &self,
                length: f64,
                now: &$crate::scene::Now<f64, f64>,
                z: &mut [f64],
                tell: &mut dyn FnMut($crate::muscle::MuscleFault),
            ) {
                if let Some(built) = &self.built {
                    $crate::muscle::start::start(&self.common, built, length, now, z, tell);
                }
            }

            /// Curves of the law with its published numbers.
            pub(crate) fn portrait() -> Vec<$crate::muscle::CurvePanel> {
                let strain = $defaults.tendon_strain;
                $crate::muscle::portrait::panels(&$Numbers::published().curves(strain), strain)
            }

            /// Curves of the law with the numbers of the muscle.
            pub(crate) fn samples(&self) -> Option<$crate::muscle::CurveSamples> {
                self.built.as_ref().map(|built| $crate::muscle::CurveSamples::of(&built.curves))
            }

            /// What the muscle is with its numbers, for reports.
            pub(crate) fn size(&self) -> Option<$crate::muscle::element::MuscleSize> {
                self.built.as_ref().map(|built| built.size(&self.common))
            }
        }
    };
}
pub(super) use muscle;
