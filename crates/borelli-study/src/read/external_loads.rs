//! Files of external loads of OpenSim (`.xml`), as far as they are simple: forces in ground axes on bodies, columns of one table.
//! Not here: the table itself (`recording`), anything else that such files may hold; that is refused.
//! In: text. Out: the table's path and which prefix of columns loads which body; or why not.

/// A file of external loads.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExternalLoads {
    /// Path of the table, seen from the file.
    pub table: String,
    /// Prefixes of columns (`ground_force_`), and bodies.
    pub loads: Vec<(String, String)>,
}

/// The text between the first opening and closing tag of a name; tags may have attributes.
fn inside<'t>(text: &'t str, tag: &str) -> Option<(&'t str, &'t str)> {
    let mut rest = text;
    loop {
        let start = rest.find(&format!("<{tag}"))?;
        let after = &rest[start + tag.len() + 1..];
        if !after.starts_with(|c: char| c == '>' || c.is_whitespace()) {
            rest = after;
            continue;
        }
        let body = &after[after.find('>')? + 1..];
        let end = body.find(&format!("</{tag}>"))?;
        return Some((body[..end].trim(), &body[end..]));
    }
}

/// Without what stands between `<!--` and `-->`.
fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(start) = rest.find("<!--") {
        out.push_str(&rest[..start]);
        rest = rest[start..].find("-->").map_or("", |end| &rest[start + end + 3..]);
    }
    out + rest
}

/// Reads such a file; why not is told as text.
pub(super) fn read(text: &str) -> Result<ExternalLoads, String> {
    let text = without_comments(text);
    let (whole, _) = inside(&text, "ExternalLoads").ok_or("it holds no `ExternalLoads`")?;
    let table = inside(whole, "datafile").map(|(name, _)| name).filter(|name| !name.is_empty() && *name != "Unassigned");
    let table = table.ok_or("it names no `datafile`")?.to_string();
    let (mut loads, mut rest) = (Vec::new(), whole);
    while let Some((force, after)) = inside(rest, "ExternalForce") {
        rest = after;
        let of = |tag: &str| inside(force, tag).map_or("", |(value, _)| value);
        if of("isDisabled") == "true" || of("appliesForce") == "false" {
            continue;
        }
        for tag in ["force_expressed_in_body", "point_expressed_in_body"] {
            if !matches!(of(tag).trim_start_matches('/'), "" | "ground") {
                return Err(format!("`{tag}` is `{}`, only `ground` can be read", of(tag)));
            }
        }
        let prefix =
            of("force_identifier").strip_suffix('v').ok_or("a `force_identifier` does not end with `v`, as in `ground_force_v`")?;
        loads.push((prefix.to_string(), of("applied_to_body").rsplit('/').next().unwrap_or_default().to_string()));
    }
    if loads.is_empty() { Err("it holds no `ExternalForce`".into()) } else { Ok(ExternalLoads { table, loads }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "<?xml version=\"1.0\"?>\n<OpenSimDocument><ExternalLoads name=\"walk\"><!-- a <ExternalForce> in words --><objects>\
        <ExternalForce name=\"right\"><isDisabled>false</isDisabled><applied_to_body>/bodyset/calcn_r</applied_to_body>\
        <force_expressed_in_body>ground</force_expressed_in_body><force_identifier>ground_force_v</force_identifier></ExternalForce>\
        <ExternalForce name=\"left\"><applied_to_body>calcn_l</applied_to_body><force_identifier>1_ground_force_v</force_identifier></ExternalForce>\
        </objects><datafile>walk.mot</datafile></ExternalLoads></OpenSimDocument>";

    #[test]
    fn a_simple_file_says_which_columns_load_which_body() {
        let read = read(FILE).unwrap_or_else(|why| panic!("{why}"));
        let expected = [("ground_force_", "calcn_r"), ("1_ground_force_", "calcn_l")].map(|(a, b)| (a.to_string(), b.to_string()));
        assert_eq!((read.table.as_str(), read.loads.as_slice()), ("walk.mot", &expected[..]));
    }

    #[test]
    fn what_is_not_simple_is_refused() {
        assert!(read(&FILE.replace(">ground<", ">pelvis<")).is_err_and(|why| why.contains("pelvis")));
        assert!(read(&FILE.replace("walk.mot", "")).is_err_and(|why| why.contains("datafile")));
        assert!(read("<OpenSimDocument/>").is_err() && read("<ExternalLoads>").is_err() && read("<!--").is_err());
    }
}
