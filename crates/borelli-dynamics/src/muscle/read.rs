//! What all muscles have in common in model files, and how it is read.
//! Not here: the numbers of curves (in the file of each law).
//! In: fields of one muscle. Out: `Common`; faults go to the fields' findings.

use super::activation::{Dynamics, Times};
use super::element::OUTPUTS;
use super::fault::MuscleFault;
use super::metabolic::{self, Metabolic};
use crate::compile::Context;
use crate::force::Own;
use crate::parts::Slot;
use borelli_math::{Constant, Real};
use borelli_model::{Field, FieldKind, Fields, Need, Range};

/// Numbers above one.
pub(super) const ABOVE_ONE: Range = Range { min: 1.0, max: f64::INFINITY, open_min: true };
/// Pennation at the optimal length, rad: below 80°, of which this is the next smaller number.
const PENNATION: Range = Range::between(0.0, 1.396_263_401_595_463_4);
/// Without damping activation is kept above this: the fibre's speed has the activation in its denominator.
const LEAST_UNDAMPED: f64 = 0.01;

/// Time constants of activation above this, s, are rather milliseconds without their unit: the slowest muscles take a tenth of a second.
const SLOW: f64 = 0.5;

/// What a law takes where the file says nothing.
#[derive(Clone, Copy, Debug)]
pub struct LawDefaults {
    /// β, and the least that is allowed with an elastic tendon.
    pub damping: f64,
    /// See `damping`.
    pub least_damping: f64,
    /// Tendon strain at the largest isometric force.
    pub tendon_strain: f64,
    /// Time constants of activation, s.
    pub rise: f64,
    /// See `rise`.
    pub fall: f64,
}

const fn quantity(name: &'static str, unit: &'static str, range: Range, need: Need, doc: &'static str) -> Field {
    Field { name, kind: FieldKind::Quantity { unit, range }, need, doc }
}

/// Fields of activation.
pub(super) const RISE: Field =
    quantity("rise", "s", Range::POSITIVE, Need::Optional, "time constant of activation; 10 ms millard, 15 ms thelen and dgf unless given");
/// See `RISE`.
pub(super) const FALL: Field = quantity(
    "fall",
    "s",
    Range::POSITIVE,
    Need::Optional,
    "time constant of deactivation; 50 ms thelen, 40 ms millard, 60 ms dgf unless given",
);
/// See `RISE`.
pub(super) const SMOOTHING: Field =
    quantity("smoothing", "1", Range::POSITIVE, Need::Default(10.0), "how sharply smooth activation tells rise from fall");

/// Fields of every muscle.
pub static COMMON: &[Field] = &[
    Field { name: "path", kind: FieldKind::Path, need: Need::Required, doc: "path it pulls along" },
    quantity("force", "N", Range::POSITIVE, Need::Required, "largest isometric force"),
    quantity("fibre_length", "m", Range::POSITIVE, Need::Required, "optimal length of the fibres"),
    quantity("tendon_length", "m", Range::POSITIVE, Need::Required, "slack length of the tendon"),
    quantity("pennation", "rad", PENNATION, Need::Default(0.0), "angle between fibres and tendon at the optimal length, below 80 deg"),
    quantity("speed", "1/s", Range::POSITIVE, Need::Default(10.0), "largest shortening speed in optimal lengths per second"),
    Field { name: "tendon", kind: FieldKind::Choice(&["elastic", "rigid"]), need: Need::Optional, doc: "elastic unless given" },
    quantity(
        "damping",
        "1",
        Range::NON_NEGATIVE,
        Need::Optional,
        "force over `force` at the largest speed; 0.1 millard, 0.01 dgf, 0 thelen unless given",
    ),
    Field {
        name: "excitation",
        kind: FieldKind::Function { value: "1" },
        need: Need::Optional,
        doc: "control: function of time, 0 unless given",
    },
    Field {
        name: "activation",
        kind: FieldKind::Choice(&Dynamics::WORDS),
        need: Need::Optional,
        doc: "how activation follows excitation; first-order unless given",
    },
    RISE,
    FALL,
    SMOOTHING,
    quantity("least_activation", "1", Range::UNIT, Need::Default(0.01), "activation is kept above this; 0 needs damping"),
    quantity(
        "tendon_strain",
        "1",
        Range::POSITIVE,
        Need::Optional,
        "strain of the tendon at the largest isometric force; 0.04 thelen, 0.049 millard and dgf unless given",
    ),
    Field {
        name: "metabolic",
        kind: FieldKind::Table(metabolic::FIELDS),
        need: Need::Optional,
        doc: "report the metabolic power: share of slow fibres, and which model",
    },
];

/// What all muscles have, with a number type.
#[derive(Clone, Debug)]
pub struct Common<N> {
    pub(super) path: u32,
    pub(super) force: N,
    pub(super) fibre_length: N,
    pub(super) tendon_length: N,
    pub(super) pennation: N,
    pub(super) speed: N,
    pub(super) damping: N,
    pub(super) least_activation: N,
    pub(super) tendon_strain: N,
    pub(super) rise: N,
    pub(super) fall: N,
    pub(super) smoothing: N,
    pub(super) dynamics: Dynamics,
    /// Entries of z; no fibre with a rigid tendon, no activation where it is the excitation.
    pub(super) activation: Option<u32>,
    pub(super) fibre: Option<u32>,
    /// Entry of u.
    pub(super) excitation: u32,
    /// The first of `OUTPUTS`, and the activation where it is no state.
    pub(super) outputs: u32,
    pub(super) activation_output: Option<u32>,
    /// Start values of the file: activation, length of the fibre, m.
    pub(super) given_activation: Option<N>,
    pub(super) given_fibre: Option<N>,
    pub(super) metabolic: Option<Metabolic<N>>,
    pub(super) own: Own,
}

/// Reads what all muscles have.
pub(super) fn common(fields: &mut Fields, context: &mut Context, defaults: &LawDefaults) -> Option<Common<Slot>> {
    let before = context.inside();
    let path = context.path(fields, "path");
    let [force, fibre_length, tendon_length] =
        [("force", "N"), ("fibre_length", "m"), ("tendon_length", "m")].map(|(name, unit)| context.quantity(fields, name, unit));
    let [pennation, speed, smoothing, least_activation] =
        [("pennation", "rad"), ("speed", "1/s"), ("smoothing", "1"), ("least_activation", "1")]
            .map(|(name, unit)| context.quantity(fields, name, unit));
    let [damping, tendon_strain, rise, fall] = [
        ("damping", "1", defaults.damping),
        ("tendon_strain", "1", defaults.tendon_strain),
        ("rise", "s", defaults.rise),
        ("fall", "s", defaults.fall),
    ]
    .map(|(name, unit, default)| context.quantity_or(fields, name, unit, default));
    for (field, slot) in [("rise", rise), ("fall", fall)] {
        let found = slot.map_or(0.0, |slot| context.value(slot));
        if found > SLOW {
            fields.fault(field, &MuscleFault::SlowActivation { field, found });
        }
    }
    context.doubt_strain(fields, "tendon_strain", tendon_strain);
    let excitation = context.control_or(fields, "excitation", "1", 0.0);
    let dynamics = Dynamics::of(fields.choice("activation").unwrap_or("first-order"));
    let elastic = fields.choice("tendon") != Some("rigid");
    if let (Some(damping), Some(least)) = (damping, least_activation) {
        let (damping, least) = (context.value(damping), context.value(least));
        if elastic && damping < defaults.least_damping {
            fields.fault("damping", &MuscleFault::DampingNeeded { found: damping, least: defaults.least_damping });
            return None;
        }
        if elastic && damping == 0.0 && least < LEAST_UNDAMPED {
            fields.fault("least_activation", &MuscleFault::ActivationNeeded { found: least, least: LEAST_UNDAMPED });
            return None;
        }
    }
    // Where the file gives no start they are found at the start of each analysis; until then a muscle is half active and of its optimal length.
    let activation = (dynamics != Dynamics::None).then(|| context.state(fields, "activation", "1", Slot::Const(0.5)));
    let fibre = elastic.then(|| context.state(fields, "fibre", "1", Slot::Const(1.0)));
    let outputs = OUTPUTS.map(|(name, unit)| context.output(fields, name, unit))[0];
    let activation_output = activation.is_none().then(|| context.output(fields, "activation", "1"));
    let metabolic = Metabolic::read(fields, context);
    let name = fields.element().name.clone();
    // A start of a state that is not there is left, and told of.
    let given_activation = activation.and_then(|_| context.start_value("activations", &name));
    let given_fibre = fibre.and_then(|_| context.start_value("fibres", &name));
    let own = context.own_since(before);
    Some(Common {
        path: path?,
        force: force?,
        fibre_length: fibre_length?,
        tendon_length: tendon_length?,
        pennation: pennation?,
        speed: speed?,
        damping: damping?,
        least_activation: least_activation?,
        tendon_strain: tendon_strain?,
        rise: rise?,
        fall: fall?,
        smoothing: smoothing?,
        dynamics,
        activation,
        fibre,
        excitation: excitation?,
        outputs,
        activation_output,
        given_activation,
        given_fibre,
        metabolic,
        own,
    })
}

impl<N> Common<N> {
    pub(super) fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> Common<M> {
        Common {
            path: self.path,
            force: number(&self.force),
            fibre_length: number(&self.fibre_length),
            tendon_length: number(&self.tendon_length),
            pennation: number(&self.pennation),
            speed: number(&self.speed),
            damping: number(&self.damping),
            least_activation: number(&self.least_activation),
            tendon_strain: number(&self.tendon_strain),
            rise: number(&self.rise),
            fall: number(&self.fall),
            smoothing: number(&self.smoothing),
            dynamics: self.dynamics,
            activation: self.activation,
            fibre: self.fibre,
            excitation: self.excitation,
            outputs: self.outputs,
            activation_output: self.activation_output,
            given_activation: self.given_activation.as_ref().map(&mut *number),
            given_fibre: self.given_fibre.as_ref().map(&mut *number),
            metabolic: self.metabolic.as_ref().map(|own| own.map(&mut *number)),
            own: self.own.clone(),
        }
    }
}

impl<C: Real> Common<C> {
    pub(super) fn times<S: Real>(&self) -> Times<S>
    where
        C: Constant<S>,
    {
        Times { rise: self.rise.lift(), fall: self.fall.lift(), smoothing: self.smoothing.lift() }
    }
}
