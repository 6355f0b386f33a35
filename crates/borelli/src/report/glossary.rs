//! Words of methods that a reader need not know, with what they mean; a page explains those that stand on it.
//! Not here: words of soft parts, which their section explains.
//! In: texts of a page. Out: a list of words and meanings.

use super::{Report, escape};
use borelli_dynamics::integrate::{INTEGRATORS, SCHEMES};

/// Words that are neither integrators nor plain English.
const TERMS: &[(&str, &str)] = &[
    ("rtol", "relative tolerance: the error that a step may make, as a part of the size of what is computed"),
    ("atol", "absolute tolerance: the error that a step may make, in the SI unit of each coordinate or speed"),
    ("Baumgarte", "drift control that draws gaps of loops back like a damped spring"),
    ("zeni", "foot strikes and foot offs from markers: where heel and toe are farthest before and behind the pelvis (Zeni 2008)"),
    ("de-leva", "masses and inertias of body segments after de Leva 1996"),
    ("winter", "masses and inertias of body segments after Winter"),
    ("harrington", "hip joint centres from the size of the pelvis after Harrington 2007"),
    ("Butterworth", "a filter that takes out fast wobble; zero-lag: run forth and back, so that nothing is delayed"),
    ("m or rad", "the larger of two kinds of gaps: metres where places should meet, radians where angles should agree"),
    ("rho", "how much of the fastest vibrations a step of the method keeps: 1 all, 0 none"),
    (
        "residual",
        "what is left when motion, masses and measured forces are put into the equations of motion: zero if all of them were exact",
    ),
];

/// Formulations: some of their names are words of other methods, too.
const FORMULATIONS: &[(&str, &str)] = &[
    ("articulated", "formulation in the coordinates of the joints, solved along the tree of bodies"),
    ("cartesian", "formulation in places and turns of all bodies, with every joint as a condition"),
    ("natural", "formulation in points and directions of all bodies, with every joint as a condition"),
    ("segment-chain", "formulation for a chain of rigid segments, in which any force or moment may be the unknown"),
    ("coupled", "formulation that solves rigid bodies and soft parts together"),
];

/// Whether a word stands in a text by itself.
fn stands_in(word: &str, text: &str) -> bool {
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_');
    text.match_indices(word).any(|(at, _)| edge(text[..at].chars().next_back()) && edge(text[at + word.len()..].chars().next()))
}

/// Words of a page that need a meaning, each once.
fn words_of(report: &Report) -> Vec<(&'static str, &'static str)> {
    let (mut texts, mut formulations): (Vec<&str>, Vec<&str>) = Default::default();
    for (key, value) in report.cases.iter().flat_map(|case| &case.method).chain(&report.method) {
        texts.extend([key.as_str(), value.as_str()]);
        if key == "formulation" {
            formulations.push(value);
        }
    }
    if let Some(page) = &report.gait {
        texts.extend(page.facts.iter().map(|(_, value)| value.as_str()));
        texts.extend(page.remarks.iter().map(|remark| remark.text.as_str()));
        texts.extend(page.quality.iter().flat_map(|table| table.rows.iter().flatten()).map(String::as_str));
    }
    texts.extend(report.cases.iter().flat_map(|case| &case.health).flat_map(|line| [line.label.as_str(), line.unit.as_str()]));
    let methods = INTEGRATORS.iter().map(|entry| (entry.name, entry.doc)).chain(SCHEMES.iter().map(|entry| (entry.name, entry.doc)));
    let stands = |texts: &[&str], word: &str| texts.iter().any(|text| stands_in(word, text));
    let known = methods.chain(TERMS.iter().copied()).filter(|(word, _)| stands(&texts, word));
    known.chain(FORMULATIONS.iter().copied().filter(|(word, _)| stands(&formulations, word))).collect()
}

/// The list; empty where no word needs it.
pub(super) fn html(report: &Report) -> String {
    let item = |(word, meaning): &(&str, &str)| format!("<dt>{}</dt><dd>{}</dd>\n", escape(word), escape(meaning));
    let list: String = words_of(report).iter().map(item).collect();
    if list.is_empty() { list } else { format!("<h3>What these words mean</h3>\n<dl class=\"terms\">\n{list}</dl>\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_explained_where_they_stand_by_themselves() {
        assert!(stands_in("rtol", "rtol 1e-9") && stands_in("zeni", "force, zeni -21 ms") && !stands_in("natural", "unnatural"));
        assert!(!stands_in("winter", "midwinter") && stands_in("de-leva", "de-leva"));
        assert_eq!(html(&Report { method: vec![("program".into(), "borelli 1".into())], ..Report::default() }), "");
        let told =
            html(&Report { method: vec![("integrator".into(), "dopri5".into()), ("rtol".into(), "1e-9".into())], ..Report::default() });
        let method = |key: &str, value: &str| html(&Report { method: vec![(key.into(), value.into())], ..Report::default() });
        assert!(method("formulation", "natural").contains("<dt>natural</dt>") && method("slopes", "natural quintic splines").is_empty());
        assert!(told.contains("<dt>dopri5</dt><dd>Dormand-Prince") && told.contains("<dt>rtol</dt>") && !told.contains("atol"), "{told}");
    }
}
