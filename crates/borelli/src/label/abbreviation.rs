//! Short words of names and what they stand for.
//! Not here: words for axes, which depend on what they are axes of (`coordinate`, `column`).

/// Short words in names of bodies, joints and coordinates, in the order of the alphabet.
const ABBREVIATIONS: [(&str, &str); 25] = [
    ("abd", "abduction"),
    ("accel", "acceleration"),
    ("acl", "ACL"),
    ("add", "adduction"),
    ("ang", "angle"),
    ("atol", "absolute tolerance"),
    ("bend", "bending"),
    ("cop", "centre of pressure"),
    ("dev", "deviation"),
    ("ev", "eversion"),
    ("ext", "extension"),
    ("flex", "flexion"),
    ("grf", "ground force"),
    ("hat", "head, arms and trunk"),
    ("inv", "inversion"),
    ("lcl", "LCL"),
    ("mcl", "MCL"),
    ("mtp", "metatarsophalangeal"),
    ("pcl", "PCL"),
    ("pron", "pronation"),
    ("rot", "rotation"),
    ("rtol", "relative tolerance"),
    ("th", "angle"),
    ("upperarm", "upper arm"),
    ("vel", "velocity"),
];

/// A word and the number behind it: `th1` is `th` and `1`.
pub(super) fn numbered(word: &str) -> (&str, &str) {
    word.split_at(word.trim_end_matches(|c: char| c.is_ascii_digit()).len())
}

/// A word spelt out where it is an abbreviation, with the number behind it.
pub(super) fn spelt(word: &str) -> String {
    let (stem, number) = numbered(word);
    let found = ABBREVIATIONS.iter().find(|(short, _)| short.eq_ignore_ascii_case(stem));
    match found {
        Some((_, long)) if number.is_empty() => long.to_string(),
        Some((_, long)) => format!("{long} {number}"),
        None => word.to_string(),
    }
}
