//! Patterns of names: `coord.*.value` stands for the values of all coordinates.
//! Not here: which names there are, what is done with those that fit.
//! In: a pattern and a name. Out: whether they fit.

/// True where a name fits a pattern: `*` stands for any characters, also none and dots.
pub fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|head| name.strip_prefix(head)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(tail) = parts.pop() else { return rest.is_empty() };
    // Each part as early as it can stand leaves the most for those behind it.
    for part in parts {
        let Some(k) = rest.find(part) else { return false };
        rest = &rest[k + part.len()..];
    }
    rest.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, name, expected) in [
            ("coord.*", "coord.knee.value", true),
            ("coord.*", "body.knee.x", false),
            ("*.rate", "coord.knee.rate", true),
            ("coord.*.rate", "coord.knee.rate", true),
            ("coord.*.rate", "coord.rate", false),
            ("coord.*.value", "coord.hip.rate", false),
            ("coord.knee.rate", "coord.knee.rate", true),
            ("coord.knee", "coord.knee.rate", false),
            ("*knee*ra*", "coord.knee.rate", true),
            ("*ra*knee*", "coord.knee.rate", false),
            ("*", "anything", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "acb", false),
            ("a*b*b", "ab", false),
            ("a*a", "aa", true),
            ("a*a", "a", false),
            ("a.b", "a.bc", false),
            ("", "a", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
