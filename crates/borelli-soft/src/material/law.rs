//! What all materials share: how a law declares its numbers, what it answers, and how the family lists its laws.

use super::{Fault, Plane, Viscous};
use borelli_math::{Declaration, Need, Range};

/// Modulus of elasticity.
pub(super) const YOUNG: Declaration =
    Declaration { name: "young", unit: "Pa", range: Range::POSITIVE, need: Need::Required, doc: "modulus of elasticity in small strain" };

/// Ratio of Poisson. The range ends short of 1/2, where λ is infinite and displacements alone cannot carry the pressure.
pub(super) const POISSON: Declaration = Declaration {
    name: "poisson",
    unit: "1",
    range: Range { min: -1.0, max: 0.499999, open_min: true },
    need: Need::Required,
    doc: "ratio of Poisson in small strain",
};

/// Viscosity.
pub(super) const VISCOSITY: Declaration = Declaration {
    name: "viscosity",
    unit: "Pa s",
    range: Range::NON_NEGATIVE,
    need: Need::Default(0.0),
    doc: "viscous stress per rate of the right Cauchy-Green tensor",
};

/// Density.
pub(super) const DENSITY: Declaration = Declaration {
    name: "density",
    unit: "kg/m^3",
    range: Range::NON_NEGATIVE,
    need: Need::Default(0.0),
    doc: "mass per reference volume; zero for a body without inertia",
};

/// One registered law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What it is, in one line.
    pub doc: &'static str,
    /// Its numbers.
    pub parameters: &'static [Declaration],
    /// The doc comment of the law, line by line: equation, symbols, source, limits, tests.
    pub about: &'static str,
}

impl Kind {
    /// The numbers of the law, in order, from named values: defaults filled in, ranges checked, nothing unknown.
    pub(super) fn values<const P: usize>(&self, given: &[(&str, f64)]) -> Result<[f64; P], Fault> {
        if let Some((name, _)) = given.iter().find(|(name, _)| self.parameters.iter().all(|p| p.name != *name)) {
            let known = self.parameters.iter().map(|p| p.name).collect();
            return Err(Fault::UnknownParameter { law: self.name, name: (*name).into(), known });
        }
        let mut values = [0.0; P];
        for (slot, p) in values.iter_mut().zip(self.parameters) {
            let found = given.iter().find(|(name, _)| *name == p.name).map(|(_, value)| *value);
            *slot = found.or(p.need.default()).ok_or(Fault::Missing { law: self.name, parameter: p.name })?;
            if !p.range.contains(*slot) {
                return Err(Fault::OutOfRange { parameter: p.name, value: *slot, range: p.range, unit: p.unit });
            }
        }
        Ok(values)
    }
}

/// Lamé's constants λ = Eν/((1 + ν)(1 − 2ν)) and μ = E/(2(1 + ν)), Pa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lame {
    pub lambda: f64,
    pub mu: f64,
}

impl Lame {
    pub fn new(young: f64, poisson: f64) -> Self {
        Lame { lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)), mu: young / (2.0 * (1.0 + poisson)) }
    }
}

/// A law of elastic energy. Deformation gradients have the order 11, 12, 21, 22; what is finite-strain expects det F > 0.
pub trait Law {
    /// Name and numbers.
    const KIND: Kind;
    /// True when the law looks at the symmetric part of F only and is exact for small turns only.
    const SMALL_STRAIN: bool;

    /// Energy per reference volume W.
    fn energy(&self, F: [f64; 4], plane: Plane) -> f64;
    /// First Piola stress P = ∂W/∂F.
    fn stress(&self, F: [f64; 4], plane: Plane) -> [f64; 4];
    /// Tangent A = ∂P/∂F.
    fn tangent(&self, F: [f64; 4], plane: Plane) -> [[f64; 4]; 4];
    /// Cauchy stress out of the plane.
    fn s33(&self, F: [f64; 4], plane: Plane) -> f64;
    /// Viscosity η, Pa s.
    fn viscosity(&self) -> f64;
    /// Mass per reference volume, kg/m³.
    fn density(&self) -> f64;
    /// Whether the law can keep this zero out of the plane.
    fn allows(&self, plane: Plane) -> bool {
        plane == Plane::Strain
    }
    /// Viscous stress with its slopes; nothing without viscosity.
    fn viscous(&self, F: [f64; 4], Fdot: [f64; 4]) -> Option<Viscous> {
        (self.viscosity() > 0.0)
            .then(|| if Self::SMALL_STRAIN { Viscous::small(self.viscosity(), Fdot) } else { Viscous::new(self.viscosity(), F, Fdot) })
    }
}

/// Writes a law with two elastic constants, viscosity and density: the struct, its `Kind`, and how to build it from named values.
macro_rules! isotropic {
    ($(#[doc = $about:literal])* $name:literal: $summary:literal pub struct $Law:ident;) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $Law {
            lame: $crate::material::law::Lame,
            viscosity: f64,
            density: f64,
        }

        impl $Law {
            const ABOUT: $crate::material::Kind = $crate::material::Kind {
                name: $name,
                doc: $summary,
                parameters: {
                    use $crate::material::law::{DENSITY, POISSON, VISCOSITY, YOUNG};
                    &[YOUNG, POISSON, VISCOSITY, DENSITY]
                },
                about: concat!($($about, "\n"),*),
            };

            /// From named values in SI units; defaults are filled in and ranges checked.
            pub fn new(given: &[(&str, f64)]) -> Result<Self, $crate::material::Fault> {
                let [young, poisson, viscosity, density] = Self::ABOUT.values(given)?;
                Ok($Law { lame: $crate::material::law::Lame::new(young, poisson), viscosity, density })
            }
        }
    };
}
pub(super) use isotropic;

/// Writes the family: the enum of its laws, and the calls that ask the one there is.
macro_rules! family {
    ($(#[$meta:meta])* pub enum $Family:ident { $($Law:ident),* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum $Family {
            $(#[allow(missing_docs)] $Law($Law),)*
        }

        impl $Family {
            /// Names and numbers of all laws.
            pub const KINDS: &'static [Kind] = &[$($Law::KIND),*];

            /// The law of that name from named values in SI units; defaults are filled in and ranges checked.
            pub fn new(kind: &str, given: &[(&str, f64)]) -> Result<Self, Fault> {
                $(if kind == $Law::KIND.name {
                    return $Law::new(given).map($Family::$Law);
                })*
                Err(Fault::UnknownLaw { name: kind.into(), known: Self::KINDS.iter().map(|k| k.name).collect() })
            }

            /// Name and numbers of this law.
            pub fn kind(&self) -> &'static Kind {
                match self { $($Family::$Law(_) => const { &$Law::KIND },)* }
            }

            /// Everything at once.
            pub fn respond(&self, F: [f64; 4], plane: Plane) -> Response {
                Response { energy: self.energy(F, plane), P: self.stress(F, plane), A: self.tangent(F, plane), s33: self.s33(F, plane) }
            }

            /// Energy per reference volume W, J/m³.
            #[inline]
            pub fn energy(&self, F: [f64; 4], plane: Plane) -> f64 {
                match self { $($Family::$Law(law) => law.energy(F, plane),)* }
            }

            /// First Piola stress P = ∂W/∂F, Pa.
            #[inline]
            pub fn stress(&self, F: [f64; 4], plane: Plane) -> [f64; 4] {
                match self { $($Family::$Law(law) => law.stress(F, plane),)* }
            }

            /// Tangent A = ∂P/∂F, Pa.
            #[inline]
            pub fn tangent(&self, F: [f64; 4], plane: Plane) -> [[f64; 4]; 4] {
                match self { $($Family::$Law(law) => law.tangent(F, plane),)* }
            }

            /// Cauchy stress out of the plane, Pa.
            pub fn s33(&self, F: [f64; 4], plane: Plane) -> f64 {
                match self { $($Family::$Law(law) => law.s33(F, plane),)* }
            }

            /// Viscous stress with its slopes; nothing without viscosity.
            pub fn viscous(&self, F: [f64; 4], Fdot: [f64; 4]) -> Option<Viscous> {
                match self { $($Family::$Law(law) => law.viscous(F, Fdot),)* }
            }

            /// Viscosity η, Pa s.
            pub fn viscosity(&self) -> f64 {
                match self { $($Family::$Law(law) => law.viscosity(),)* }
            }

            /// Mass per reference volume, kg/m³.
            pub fn density(&self) -> f64 {
                match self { $($Family::$Law(law) => law.density(),)* }
            }

            /// True when the law looks at the symmetric part of F only and is exact for small turns only.
            #[inline]
            pub fn is_small_strain(&self) -> bool {
                match self { $($Family::$Law(_) => $Law::SMALL_STRAIN,)* }
            }

            /// Whether the law can keep this zero out of the plane.
            pub fn allows(&self, plane: Plane) -> bool {
                match self { $($Family::$Law(law) => law.allows(plane),)* }
            }
        }
    };
}
pub(super) use family;
