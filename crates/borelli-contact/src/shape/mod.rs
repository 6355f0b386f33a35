//! Shapes of contact: one per file, one line in the list below.
//! Not here: which shapes touch and where (`crate::detect`), forces.
//! In: parameters. Out: implicit function, derivatives, gauge and support, in the shape's own axes.

mod circle;
mod ellipse;
mod ellipsoid;
mod half_space;
mod kind;
mod point;
mod pose;
mod power;
mod rounded;
mod separable_superellipsoid;
mod sphere;
mod superellipsoid;
mod surface;

#[cfg(test)]
pub(crate) mod tests;

pub use circle::Circle;
pub use ellipse::Ellipse;
pub use ellipsoid::Ellipsoid;
pub use half_space::HalfSpace;
pub use kind::{ShapeFault, ShapeKind};
pub use point::Point;
pub use pose::{Motion, Pose};
pub use rounded::ROUNDING;
pub use separable_superellipsoid::SeparableSuperellipsoid;
pub use sphere::Sphere;
pub use superellipsoid::Superellipsoid;
pub use surface::{MOST_PARAMETERS, Support, Surface};

use borelli_math::{Constant, Real, Sym3, Vec3};

/// A shape over a number type: slots of a parameter array when compiled, values when computed with.
pub trait Form<N>: Sized {
    /// Name and parameters.
    const KIND: ShapeKind;
    /// A shape from its parameters, asked for in the order of the kind.
    fn build(number: impl FnMut() -> N) -> Self;
    /// Shows its parameters in the order of the kind.
    fn each(&self, visit: &mut impl FnMut(&N));
}

/// Values in the order of the kind, the rest zero.
fn values<N: Real>(form: &impl Form<N>) -> [f64; MOST_PARAMETERS] {
    let (mut list, mut at) = ([0.0; MOST_PARAMETERS], 0);
    form.each(&mut |number| {
        list[at] = number.value();
        at += 1;
    });
    list
}

/// The first value outside its range.
fn check_ranges<N: Real, F: Form<N>>(form: &F) -> Result<(), ShapeFault> {
    let list = values(form);
    match F::KIND.parameters.iter().zip(list).find(|(parameter, value)| !parameter.range.contains(*value)) {
        Some((parameter, value)) => Err(ShapeFault::OutOfRange { kind: F::KIND.name, parameter, value }),
        None => Ok(()),
    }
}

/// The same shape with other numbers.
fn renumber<N, M, F: Form<N>, G: Form<M>>(form: &F, number: &mut impl FnMut(&N) -> M) -> G {
    let mut list = [const { None }; MOST_PARAMETERS];
    let mut at = 0;
    form.each(&mut |x| {
        list[at] = Some(number(x));
        at += 1;
    });
    let mut next = list.into_iter().flatten();
    G::build(|| next.next().expect("a kind has as many parameters as it builds from"))
}

/// A planar shape as the section of a spatial one, which answers for it.
macro_rules! by_embedding {
    ($Planar:ident in $Spatial:ident, |$shape:ident| $embed:expr) => {
        impl<N: borelli_math::Real> $Planar<N> {
            fn spatial(&self) -> $Spatial<N> {
                let $shape = self;
                $embed
            }
            pub(super) fn check_more(&self) -> Result<(), super::ShapeFault> {
                Ok(())
            }
            pub(super) fn value<S: borelli_math::Real>(&self, point: borelli_math::Vec3<S>) -> S
            where
                N: borelli_math::Constant<S>,
            {
                self.spatial().value(point)
            }
            pub(super) fn gradient<S: borelli_math::Real>(&self, point: borelli_math::Vec3<S>) -> borelli_math::Vec3<S>
            where
                N: borelli_math::Constant<S>,
            {
                self.spatial().gradient(point)
            }
            pub(super) fn hessian<S: borelli_math::Real>(&self, point: borelli_math::Vec3<S>) -> borelli_math::Sym3<S>
            where
                N: borelli_math::Constant<S>,
            {
                self.spatial().hessian(point)
            }
            pub(super) fn gauge<S: borelli_math::Real>(&self, point: borelli_math::Vec3<S>) -> S
            where
                N: borelli_math::Constant<S>,
            {
                self.spatial().gauge(point)
            }
            pub(super) fn support<S: borelli_math::Real>(&self, n: borelli_math::Vec3<S>) -> super::Support<S>
            where
                N: borelli_math::Constant<S>,
            {
                self.spatial().support(n)
            }
            pub(super) fn half_extents(&self) -> borelli_math::Vec3<f64> {
                self.spatial().half_extents()
            }
            pub(super) fn bounding_radius(&self) -> f64 {
                self.spatial().bounding_radius()
            }
            pub(super) fn radius(&self) -> Option<N> {
                self.spatial().radius()
            }
        }
    };
}
use by_embedding;

macro_rules! surfaces {
    ($($Form:ident),* $(,)?) => {
        /// A smooth bounded shape.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Smooth<N> {
            $(#[allow(missing_docs)] $Form($Form<N>),)*
        }

        $(impl<N> From<$Form<N>> for Smooth<N> {
            fn from(form: $Form<N>) -> Self {
                Smooth::$Form(form)
            }
        }
        impl<N> From<$Form<N>> for Shape<N> {
            fn from(form: $Form<N>) -> Self {
                Shape::Smooth(Smooth::$Form(form))
            }
        })*

        impl<N> Smooth<N> {
            fn kind(&self) -> &'static ShapeKind {
                match self {
                    $(Smooth::$Form(_) => &const { <$Form<N> as Form<N>>::KIND },)*
                }
            }
            fn build(kind: &str, number: impl FnMut() -> N) -> Option<Self> {
                $(if kind == <$Form<N> as Form<N>>::KIND.name {
                    return Some(Smooth::$Form($Form::build(number)));
                })*
                None
            }
            /// The same shape with other numbers.
            pub fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> Smooth<M> {
                match self {
                    $(Smooth::$Form(form) => Smooth::$Form(renumber(form, number)),)*
                }
            }
        }

        impl<N: Real> Surface for Smooth<N> {
            type Number = N;
            type Plain = Smooth<f64>;

            fn plain(&self) -> Smooth<f64> {
                self.map(&mut |number| number.value())
            }
            fn kind(&self) -> &'static ShapeKind {
                Smooth::kind(self)
            }
            fn parameters(&self) -> [f64; MOST_PARAMETERS] {
                match self { $(Smooth::$Form(form) => values(form),)* }
            }
            fn check(&self) -> Result<(), ShapeFault> {
                match self { $(Smooth::$Form(form) => check_ranges(form).and_then(|()| form.check_more()),)* }
            }
            fn value<S: Real>(&self, point: Vec3<S>) -> S where N: Constant<S> {
                match self { $(Smooth::$Form(form) => form.value(point),)* }
            }
            fn gradient<S: Real>(&self, point: Vec3<S>) -> Vec3<S> where N: Constant<S> {
                match self { $(Smooth::$Form(form) => form.gradient(point),)* }
            }
            fn hessian<S: Real>(&self, point: Vec3<S>) -> Sym3<S> where N: Constant<S> {
                match self { $(Smooth::$Form(form) => form.hessian(point),)* }
            }
            fn gauge<S: Real>(&self, point: Vec3<S>) -> S where N: Constant<S> {
                match self { $(Smooth::$Form(form) => form.gauge(point),)* }
            }
            fn support<S: Real>(&self, direction: Vec3<S>) -> Support<S> where N: Constant<S> {
                match self { $(Smooth::$Form(form) => form.support(direction),)* }
            }
            fn half_extents(&self) -> Vec3<f64> {
                match self { $(Smooth::$Form(form) => form.half_extents(),)* }
            }
            fn bounding_radius(&self) -> f64 {
                match self { $(Smooth::$Form(form) => form.bounding_radius(),)* }
            }
            fn radius(&self) -> Option<N> {
                match self { $(Smooth::$Form(form) => form.radius(),)* }
            }
        }

        /// Names and parameters of all shapes.
        pub static KINDS: &[ShapeKind] = &[
            <Point<f64> as Form<f64>>::KIND,
            $(<$Form<f64> as Form<f64>>::KIND,)*
            <HalfSpace<f64> as Form<f64>>::KIND,
        ];
    };
}

surfaces! {
    Circle,
    Ellipse,
    Sphere,
    Ellipsoid,
    Superellipsoid,
    SeparableSuperellipsoid,
}

/// Any shape of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape<N> {
    /// A point.
    Point(Point<N>),
    /// A bounded body with a smooth surface.
    Smooth(Smooth<N>),
    /// A half-space.
    HalfSpace(HalfSpace<N>),
}

impl<N> From<Point<N>> for Shape<N> {
    fn from(form: Point<N>) -> Self {
        Shape::Point(form)
    }
}
impl<N> From<HalfSpace<N>> for Shape<N> {
    fn from(form: HalfSpace<N>) -> Self {
        Shape::HalfSpace(form)
    }
}

impl<N> Shape<N> {
    /// The kind with a name.
    pub fn find(name: &str) -> Option<&'static ShapeKind> {
        KINDS.iter().find(|kind| kind.name == name)
    }
    /// A shape of a kind from as many numbers as the kind has parameters; their values are not looked at (`check` does).
    pub fn build(kind: &'static ShapeKind, numbers: &[N]) -> Result<Self, ShapeFault>
    where
        N: Copy,
    {
        let (expected, found) = (kind.parameters.len(), numbers.len());
        if expected != found {
            return Err(ShapeFault::Count { kind: kind.name, expected, found });
        }
        let mut next = numbers.iter().copied();
        let number = || next.next().expect("counted above");
        Ok(if kind.name == <Point<N> as Form<N>>::KIND.name {
            Shape::Point(Point::build(number))
        } else if kind.name == <HalfSpace<N> as Form<N>>::KIND.name {
            Shape::HalfSpace(HalfSpace::build(number))
        } else {
            Shape::Smooth(Smooth::build(kind.name, number).expect("a kind of the list"))
        })
    }
    /// Name and parameters.
    pub fn kind(&self) -> &'static ShapeKind {
        match self {
            Shape::Point(_) => &const { <Point<N> as Form<N>>::KIND },
            Shape::Smooth(smooth) => smooth.kind(),
            Shape::HalfSpace(_) => &const { <HalfSpace<N> as Form<N>>::KIND },
        }
    }
    /// The same shape with other numbers.
    pub fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> Shape<M> {
        match self {
            Shape::Point(point) => Shape::Point(renumber(point, number)),
            Shape::Smooth(smooth) => Shape::Smooth(smooth.map(number)),
            Shape::HalfSpace(half_space) => Shape::HalfSpace(renumber(half_space, number)),
        }
    }
}

impl<N: Real> Shape<N> {
    /// Values of its parameters in the order of its kind; the rest is zero.
    pub fn parameters(&self) -> [f64; MOST_PARAMETERS] {
        match self {
            Shape::Point(point) => values(point),
            Shape::Smooth(smooth) => smooth.parameters(),
            Shape::HalfSpace(half_space) => values(half_space),
        }
    }
    /// The first thing wrong with its parameters.
    pub fn check(&self) -> Result<(), ShapeFault> {
        match self {
            Shape::Point(_) => Ok(()),
            Shape::Smooth(smooth) => smooth.check(),
            Shape::HalfSpace(half_space) => check_ranges(half_space).and_then(|()| half_space.check_more()),
        }
    }
}
