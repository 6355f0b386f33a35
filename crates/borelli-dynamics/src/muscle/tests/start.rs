//! Where muscles start: how many equilibria there are, fibres that cannot be as given, numbers that look like slips of units.

use super::{fields_of, parse, rig};
use crate::assemble::check;
use crate::compile;
use crate::muscle::MuscleFault;
use borelli_model::Model;

/// A muscle after Thelen without pennation, with numbers that give it a steep descending limb and a soft tendon.
#[derive(Clone, Copy)]
struct Steep {
    active_shape: f64,
    passive_strain: f64,
    tendon_strain: f64,
}

const FIBRE: f64 = 0.08;
const TENDON: f64 = 0.2;

impl Steep {
    fn fields(self) -> String {
        let Steep { active_shape, passive_strain, tendon_strain } = self;
        format!(
            "type = \"thelen\"\nforce = 1000\nfibre_length = {FIBRE}\ntendon_length = {TENDON}\nactive_shape = {active_shape}\npassive_strain = {passive_strain}\n\
             tendon_strain = {tendon_strain}\nexcitation = 1"
        )
    }

    /// Tendon less fibre, with the published equations written out once more.
    fn left(self, length: f64, fibre: f64) -> f64 {
        let (n, strain) = (fibre / FIBRE, (length - fibre) / TENDON - 1.0);
        let active = (-(n - 1.0).powi(2) / self.active_shape).exp();
        let passive = if n > 1.0 { ((5.0 * (n - 1.0) / self.passive_strain).exp() - 1.0) / (5f64.exp() - 1.0) } else { 0.0 };
        let e3 = 3f64.exp();
        let toe = 99.0 * self.tendon_strain * e3 / (166.0 * e3 - 67.0);
        let tendon = match strain {
            e if e <= 0.0 => 0.0,
            e if e <= toe => 0.33 * ((3.0 * e / toe).exp() - 1.0) / (e3 - 1.0),
            e => 0.33 + 0.67 / (self.tendon_strain - toe) * (e - toe),
        };
        tendon - active - passive
    }

    /// All fibre lengths at which both pull equally, the longest first, from changes of sign between very many points; and how near the function comes to zero
    /// where it turns without crossing.
    fn equilibria(self, length: f64) -> (Vec<f64>, f64) {
        const MANY: usize = 40_000;
        let (least, most) = (0.01 * FIBRE, length - 0.98 * TENDON);
        let at = |k: usize| least + (most - least) * k as f64 / MANY as f64;
        let values: Vec<f64> = (0..=MANY).map(|k| self.left(length, at(k))).collect();
        let (mut roots, mut grazing) = (Vec::new(), f64::INFINITY);
        for k in (1..=MANY).rev() {
            if (values[k] > 0.0) != (values[k - 1] > 0.0) {
                let (mut low, mut high) = (at(k - 1), at(k));
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    *(if (self.left(length, middle) > 0.0) == (values[k] > 0.0) { &mut high } else { &mut low }) = middle;
                }
                roots.push(0.5 * (low + high));
            }
            if k < MANY && values[k].abs() <= values[k - 1].abs() && values[k].abs() <= values[k + 1].abs() {
                let crosses = [values[k - 1], values[k + 1]].iter().any(|near| (*near > 0.0) != (values[k] > 0.0));
                grazing = if crosses { grazing } else { grazing.min(values[k].abs()) };
            }
        }
        (roots, grazing)
    }
}

/// Over a range of lengths, and close beside those at which a pair of equilibria comes or goes: there both lie in one of the intervals that are searched.
#[test]
fn all_equilibria_on_the_descending_limb_are_counted() {
    let cases = [
        Steep { active_shape: 0.2, passive_strain: 2.0, tendon_strain: 0.3 },
        Steep { active_shape: 0.1, passive_strain: 1.5, tendon_strain: 0.35 },
        Steep { active_shape: 0.3, passive_strain: 2.5, tendon_strain: 0.4 },
    ];
    let (mut several, mut near) = (0, 0);
    for case in cases {
        let system = rig(&case.fields(), 1.0, "");
        let count = |length: f64| case.equilibria(length).0.len();
        let grid: Vec<f64> = (0..100).map(|k| TENDON + FIBRE * (1.0 + 0.02 * f64::from(k))).collect();
        let mut lengths = grid.clone();
        for pair in grid.windows(2).filter(|pair| count(pair[0]) != count(pair[1])) {
            let (mut one, mut more) = if count(pair[0]) < count(pair[1]) { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
            let inwards = (more - one).signum();
            let most = count(more);
            for _ in 0..20 {
                let middle = 0.5 * (one + more);
                *(if count(middle) == most { &mut more } else { &mut one }) = middle;
            }
            lengths.extend([3e-5, 1e-4, 3e-4].map(|part| more + inwards * part * FIBRE));
        }
        for length in lengths {
            let (roots, grazing) = case.equilibria(length);
            // Where it nearly touches zero, counting is a matter of rounding.
            if grazing < 1e-7 {
                continue;
            }
            let states = system.states_at(0.0, &[length]);
            let told = states.notes.iter().find_map(|(_, note)| match note {
                MuscleFault::SeveralEquilibria { roots, fibre } => Some((*roots, *fibre)),
                _ => None,
            });
            assert_eq!(told.map_or(1, |(roots, _)| roots), roots.len(), "{length}: {roots:?} {told:?}");
            assert!((states.z[1] * FIBRE - roots[0]).abs() < 1e-9 * FIBRE, "{length}: {} {roots:?}", states.z[1] * FIBRE);
            if let Some((_, fibre)) = told {
                assert!((fibre - roots[0]).abs() < 1e-9 * FIBRE);
                several += 1;
                // Closer to each other than half an interval of the search.
                near += usize::from(roots.windows(2).any(|pair| pair[0] - pair[1] < 0.025 * FIBRE));
            }
        }
    }
    assert!(several >= 9 && near >= 6, "{several} {near}");
}

/// A given fibre is taken as it is or refused, never changed.
#[test]
fn fibres_that_cannot_be_are_refused() {
    for law in ["thelen", "millard", "dgf"] {
        let fields = fields_of(law);
        let (_, size) = rig(fields, 1.0, "").numbers.forces.muscles()[0];
        let length = size.tendon_length + size.fibre_length;
        let with = |fibre: f64| rig(fields, 1.0, &format!("[initial]\ncoordinates = {{ x = {length} }}\nfibres = {{ m = {fibre} }}"));
        let told = |fibre: f64| with(fibre).states_at(0.0, &[length]).notes;
        assert!(
            matches!(told(0.9 * size.least_length)[..], [(_, MuscleFault::FibreTooShort { given, least })]
            if given == 0.9 * size.least_length && (least - size.least_length).abs() < 1e-15),
            "{law}: {:?}",
            told(0.9 * size.least_length)
        );
        assert!(matches!(told(1.1 * length)[..], [(_, MuscleFault::FibreTooLong { given, .. })] if given == 1.1 * length), "{law}");
        assert!(check(&with(1.1 * length)).has_errors(), "{law}");
        for good in [size.least_length, 0.9 * size.fibre_length, 1.1 * size.fibre_length] {
            assert!(told(good).is_empty(), "{law}: {:?}", told(good));
            let sigma = with(good).states_at(0.0, &[length]).z[1];
            let height = size.fibre_length * size.pennation.sin();
            assert!(((sigma * size.fibre_length).hypot(height) - good).abs() < 1e-15, "{law} {good}");
        }
    }
}

/// Codes and fields of what is said of a muscle or ligament in a file.
fn said(text: &str) -> Vec<(&'static str, String)> {
    let model = Model::parse("slip.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let mut found = match compile(&model) {
        Ok(system) => {
            let mut found = system.warnings.clone();
            found.merge(check(&system));
            found
        }
        Err(rejected) => rejected.findings,
    };
    found.locate(|_| None);
    found.iter().map(|found| (found.code, found.field.clone())).collect()
}

#[test]
fn slips_of_units_are_told_of_at_their_field() {
    let rail = "borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n[body.a]\nmass = 1\ninertia = 1\n[joint.x]\ntype = \"slider\"\nparent = \"world\"\n\
        child = \"a\"\n[path.p]\npoints = [\"world\", \"a\"]\n[initial]\ncoordinates = { x = 0.3 }\n";
    let muscle = |more: &str| {
        let lengths = if more.starts_with("fibre_length") { "" } else { "fibre_length = 0.1\n" };
        said(&format!("{rail}[muscle.m]\ntype = \"millard\"\npath = \"p\"\nforce = 1000\ntendon_length = 0.2\n{lengths}{more}\n"))
    };
    let ligament = |more: &str| said(&format!("{rail}[ligament.l]\npath = \"p\"\n{more}\n"));
    let one = |code: &'static str, field: &str| vec![(code, field.to_string())];
    assert_eq!(muscle("rise = 15"), one("slow-activation", "rise"));
    assert_eq!(muscle("fall = 50"), one("slow-activation", "fall"));
    assert_eq!(muscle("rise = \"15 ms\"\nfall = \"0.1 s\""), []);
    assert_eq!(muscle("tendon_strain = 4.9"), one("large-strain", "tendon_strain"));
    assert_eq!(muscle("tendon_strain = \"4.9 %\""), []);
    assert_eq!(muscle("tendon_toe = 2"), one("out-of-range", "tendon_toe"));
    assert_eq!(muscle("excitation = 0.005"), one("excitation-clipped", "excitation"));
    assert_eq!(muscle("excitation = { type = \"polynomial\", coefficients = [0.005, 1] }"), []);
    assert_eq!(muscle("fibre_length = 90"), one("muscle-never-taut", "fibre_length"));
    assert_eq!(muscle("excitation = { type = \"expression\", expression = \"ln(t - 1)\" }"), one("control-not-finite", "excitation"));
    assert_eq!(ligament("stiffness = 4000\nreference_strain = 5"), one("large-strain", "reference_strain"));
    assert_eq!(ligament("stiffness = 4000\nslack_length = 0.29\ntransition = 6"), one("large-strain", "transition"));
    assert_eq!(ligament("stiffness = 4000\nreference_strain = \"5 %\""), []);
    assert_eq!(ligament("toe = 4000"), one("given-alone", "toe"));
    assert_eq!(ligament("linear = 4000"), one("given-alone", "linear"));
    // Where the path itself is at fault, what pulls along it is not.
    let broken = rail.replace("\"world\", \"a\"]", "\"world\", \"b\"]");
    let told = said(&format!("{broken}[ligament.l]\npath = \"p\"\nstiffness = 4000\nslack_length = 0.29\n"));
    assert_eq!(told, one("unknown-body", "points"));
    assert!(parse(rail).names.paths == ["p"]);
}
