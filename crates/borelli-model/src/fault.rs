//! Everything that can be wrong with a file before mechanics is asked.
//! Not here: faults of mechanics (unknown bodies, broken trees); the compiler has its own list.
//! In: facts. Out: code, message and hint through [`Explain`].

use crate::field::Range;
use borelli_data::Dim;
use borelli_data::Explain;
use borelli_data::UnitFault;
use borelli_data::suggest;
use borelli_math::with_unit;

/// A fault of reading. Each variant carries the facts; its code is its name in kebab-case.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum ReadFault {
    /// The file could not be opened or read.
    CannotReadFile { path: String, reason: String },
    /// The file is not UTF-8.
    NotUtf8 { path: String, byte: usize },
    /// There is nothing in the file.
    EmptyFile { path: String },
    /// The text breaks the rules of TOML.
    Syntax { what: String, open_bracket: bool },
    /// Values nest deeper than any model needs.
    NestedTooDeep { limit: usize },
    /// `borelli = 1` is missing, or is not the first key.
    VersionMissing { elsewhere: bool },
    /// `borelli` is something other than 1.
    VersionUnsupported { found: String },
    /// A table of unknown name.
    UnknownTable { name: String, known: Vec<&'static str> },
    /// A top-level key of unknown name.
    UnknownKey { name: String, known: Vec<&'static str> },
    /// A table reserved for parts to come.
    /// A name that is not `[A-Za-z][A-Za-z0-9_-]*`, or a place that is not `body` or `body.spot`.
    BadName { name: String },
    /// `world` is taken.
    ReservedName { name: String },
    /// The same name twice in one kind.
    DuplicateName { name: String, first: Option<String> },
    /// No file says whether the model is planar or spatial.
    DimensionMissing,
    /// `dimension` is neither `planar` nor `spatial`, or two files disagree.
    BadDimension { found: String, other: Option<String> },
    /// An included file cannot be read.
    MissingInclude { path: String, reason: String },
    /// A file of numbers cannot be opened.
    MissingDataFile { path: String, reason: String },
    /// A file of numbers cannot be read, for the reason its reader gives.
    BadDataFile { path: String, line: Option<usize>, reason: String, advice: Option<String> },
    /// A file of numbers is too large, alone or with all the others of the model.
    DataFileTooLarge { path: String, limit: usize },
    /// A file includes itself, directly or through others.
    IncludeCycle { chain: Vec<String> },
    /// Includes nest too deep.
    IncludeTooDeep { limit: usize },
    /// A file and all it includes are too large.
    FileTooLarge { limit: usize },
    /// Too many bodies.
    TooManyBodies { found: usize, limit: usize },
    /// Too many mirrors.
    TooManyMirrors { limit: usize },
    /// No name ends in `from`.
    MirrorNothing { from: String },
    /// The copy's name is taken.
    MirrorClash { copy: String, original: String },
    /// Something that cannot be reflected in space.
    MirrorImpossible { what: &'static str, instead: &'static str },
    /// A date or a time of day.
    Date,
    /// A value of the wrong kind.
    WrongType { expected: String, found: &'static str },
    /// A field nobody asks for.
    UnknownField { name: String, known: Vec<&'static str> },
    /// A field that must be there.
    MissingField { name: String, doc: String },
    /// A unit nobody knows.
    UnknownUnit { unit: String, nearest: Option<String> },
    /// Text that is no quantity.
    BadQuantity { text: String, unit: String, reason: UnitFault },
    /// A quantity of the wrong dimension.
    WrongUnit { found: Dim, expected: Dim },
    /// A bare number beside numbers with units, where no unit is declared for bare ones.
    MixedUnits { value: f64, entry: Option<usize>, declare: &'static str },
    /// A bare angle too large to be in radians.
    BareDegrees { value: f64 },
    /// NaN, infinity, or beyond what a number can hold.
    NotFinite { text: String },
    /// A number outside its range.
    OutOfRange { value: f64, range: Range, unit: String },
    /// A list of the wrong length.
    WrongLength { found: usize, expected: String },
    /// A text that is not one of the choices.
    BadChoice { found: String, choices: Vec<&'static str> },
    /// A kind that this dimension does not have.
    WrongDimension { kind: &'static str, dimension: &'static str },
    /// A direction of length zero.
    ZeroDirection,
}

use ReadFault::*;

/// An angle in degrees, as it is written: without the rounding of its conversion.
fn degrees(x: f64) -> f64 {
    let shown = x.to_degrees();
    if shown.abs() < 1e4 { (shown * 1e9).round() / 1e9 } else { shown }
}

/// A range in words, with its unit; angles in degrees, as they are written.
pub fn range_in_words(range: Range, unit: &str) -> String {
    match unit {
        "rad" => Range { min: degrees(range.min), max: degrees(range.max), ..range }.in_unit("deg"),
        _ => range.in_unit(unit),
    }
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}

fn did_you_mean(found: &str, known: &[&'static str], what: &str) -> Option<String> {
    let list = if known.is_empty() { String::new() } else { format!("{what}: {}", known.join(", ")) };
    match suggest(found, known.iter().copied()) {
        Some(near) => Some(format!("did you mean `{near}`? {list}").trim_end().to_string()),
        None if list.is_empty() => None,
        None => Some(list),
    }
}

/// How a value of the kind that was expected is written.
fn example_of(expected: &str) -> &'static str {
    match expected {
        e if e.starts_with("a list of numbers") => "write for instance `[0, -0.25]`; with units `[0, \"-25 cm\"]`",
        e if e.starts_with("a list of points") => "write for instance `[[0, 0], [\"1 cm\", 0], [\"2 cm\", 0]]`",
        e if e.starts_with("a list of tables") => "write a header such as `[[event]]` with lines `key = value` below, once per entry",
        "true or false" => "write `true` or `false`, without quotes",
        "a whole number" => "write for instance `50`",
        e if e.starts_with("a number") => "write for instance `2` or `\"2 kg\"`",
        e if e.contains("file") => "write for instance `include = [\"parts/leg.toml\"]`",
        e if e.contains("function") => "write the name of a `[function.NAME]`, a constant such as `\"3 N\"`, or `{ type = \"sine\", ... }`",
        e if e.contains("table") => "write a header such as `[body.rod]` with lines `key = value` below, or `{ key = value }` in one line",
        e if e.contains("rotations") => "write for instance `[{ axis = [0, 0, 1], function = \"f\" }]`",
        e if e.contains("directions") => "write for instance `[[1, 0, 0], [0, 1, 0]]`",
        e if e.contains("list") => "write for instance `[\"a\", \"b\"]`",
        _ => "put text in quotes: `\"rod\"`",
    }
}

impl Explain for ReadFault {
    fn code(&self) -> &'static str {
        match self {
            CannotReadFile { .. } => "cannot-read-file",
            NotUtf8 { .. } => "not-utf8",
            EmptyFile { .. } => "empty-file",
            Syntax { .. } => "syntax",
            NestedTooDeep { .. } => "nested-too-deep",
            VersionMissing { .. } => "version-missing",
            VersionUnsupported { .. } => "version-unsupported",
            UnknownTable { .. } => "unknown-table",
            UnknownKey { .. } => "unknown-key",
            BadName { .. } => "bad-name",
            ReservedName { .. } => "reserved-name",
            DuplicateName { .. } => "duplicate-name",
            DimensionMissing => "dimension-missing",
            BadDimension { .. } => "bad-dimension",
            MissingInclude { .. } => "missing-include",
            MissingDataFile { .. } => "missing-data-file",
            BadDataFile { .. } => "bad-data-file",
            DataFileTooLarge { .. } => "data-file-too-large",
            IncludeCycle { .. } => "include-cycle",
            IncludeTooDeep { .. } => "include-too-deep",
            FileTooLarge { .. } => "file-too-large",
            TooManyBodies { .. } => "too-many-bodies",
            TooManyMirrors { .. } => "too-many-mirrors",
            MirrorNothing { .. } => "mirror-nothing",
            MirrorClash { .. } => "mirror-clash",
            MirrorImpossible { .. } => "mirror-impossible",
            Date => "date",
            WrongType { .. } => "wrong-type",
            UnknownField { .. } => "unknown-field",
            MissingField { .. } => "missing-field",
            UnknownUnit { .. } => "unknown-unit",
            BadQuantity { .. } => "bad-quantity",
            WrongUnit { .. } => "wrong-unit",
            MixedUnits { .. } => "mixed-units",
            BareDegrees { .. } => "bare-degrees",
            NotFinite { .. } => "not-finite",
            OutOfRange { .. } => "out-of-range",
            WrongLength { .. } => "wrong-length",
            BadChoice { .. } => "bad-choice",
            WrongDimension { .. } => "wrong-dimension",
            ZeroDirection => "zero-direction",
        }
    }

    fn message(&self) -> String {
        match self {
            CannotReadFile { path, reason } => format!("cannot read `{path}`: {reason}"),
            NotUtf8 { path, byte } => format!("`{path}` is not UTF-8 text (byte {byte})"),
            EmptyFile { path } => format!("`{path}` is empty"),
            Syntax { what, .. } => format!("not valid TOML: {what}"),
            NestedTooDeep { limit } => format!("values nest more than {limit} deep"),
            VersionMissing { elsewhere: true } => "`borelli = 1` must be the first key of the file".into(),
            VersionMissing { elsewhere: false } => "the file does not begin with `borelli = 1`".into(),
            VersionUnsupported { found } => format!("format version {found} is not known here; this program reads version 1"),
            UnknownTable { name, .. } => format!("there is no table `{name}`"),
            UnknownKey { name, .. } => format!("there is no key `{name}` at the top level"),
            BadName { name } => format!("`{name}` is not a name"),
            ReservedName { name } => format!("`{name}` is the fixed body and cannot be defined"),
            DuplicateName { name, first: Some(first) } => format!("`{name}` is given twice; the first time at {first}"),
            DuplicateName { name, first: None } => format!("`{name}` is given twice"),
            DimensionMissing => "the file does not say whether the model is planar or spatial".into(),
            BadDimension { found, other: None } => format!("dimension `{found}` is neither planar nor spatial"),
            BadDimension { found, other: Some(other) } => format!("dimension `{found}` here, but `{other}` in another file of the model"),
            MissingInclude { path, reason } => format!("cannot include `{path}`: {reason}"),
            MissingDataFile { path, reason } => format!("cannot read `{path}`: {reason}"),
            BadDataFile { path, line: Some(line), reason, .. } => format!("`{path}`, line {line}: {reason}"),
            BadDataFile { path, line: None, reason, .. } => format!("`{path}`: {reason}"),
            DataFileTooLarge { path, limit } => {
                format!("`{path}` is too large: the files of a model together may have {} MiB", limit >> 20)
            }
            IncludeCycle { chain } => format!("files include each other in a circle: {}", chain.join(" -> ")),
            IncludeTooDeep { limit } => format!("includes nest more than {limit} deep"),
            FileTooLarge { limit } => format!("the file and all it includes are larger than {} MiB", limit >> 20),
            TooManyBodies { found, limit } => format!("{found} bodies are more than the limit of {limit}"),
            TooManyMirrors { limit } => format!("more than {limit} mirrors"),
            MirrorNothing { from } => format!("no name ends in `{from}`, so nothing is copied"),
            MirrorClash { copy, original } => format!("the copy of `{original}` would be called `{copy}`, which is taken"),
            MirrorImpossible { what, .. } => format!("{what} cannot be mirrored in space"),
            Date => "a date or a time of day means nothing here".into(),
            WrongType { expected, found } => format!("expected {expected}, found {found}"),
            UnknownField { name, .. } => format!("there is no field `{name}` here"),
            MissingField { name, .. } => format!("the field `{name}` is missing"),
            UnknownUnit { unit, .. } => format!("`{unit}` is not a unit"),
            BadQuantity { text, reason: UnitFault::BadExponent { text: e }, .. } => format!("`{text}` has a bad exponent `{e}`"),
            BadQuantity { text, reason: UnitFault::BadUnit { found, .. }, .. } if !found.is_empty() => {
                format!("`{text}` is not a quantity: `{found}` is out of place")
            }
            BadQuantity { text, .. } => format!("`{text}` is not a quantity"),
            WrongUnit { found, expected } => format!("expected {expected}, found {found}"),
            MixedUnits { value, entry: Some(k), .. } => format!("entry {k} is the bare number {value} beside numbers with a unit"),
            MixedUnits { value, .. } => format!("the bare number {value} stands beside numbers with a unit"),
            BareDegrees { value } => format!("{value} rad is more than a full turn"),
            NotFinite { text } => format!("`{text}` is not a finite number"),
            OutOfRange { value, range, unit } => {
                let found = if unit == "rad" { format!("{} deg ({value} rad)", degrees(*value)) } else { with_unit(value, unit) };
                format!("{found} is out of range; it must be {}", range_in_words(*range, unit))
            }
            WrongLength { found: 1, expected } => format!("1 entry where {expected} are expected"),
            WrongLength { found, expected } => format!("{found} entries where {expected} are expected"),
            BadChoice { found, choices } => format!("`{found}` is not one of {}", quoted(choices)),
            WrongDimension { kind, dimension } => format!("`{kind}` does not exist in a {dimension} model"),
            ZeroDirection => "a direction must not be zero".into(),
        }
    }

    fn hint(&self) -> Option<String> {
        let fixed = |s: &str| Some(s.to_string());
        match self {
            EmptyFile { .. } | VersionMissing { .. } => fixed("begin the file with the line `borelli = 1`"),
            VersionUnsupported { .. } => fixed("write `borelli = 1`, or use a newer program"),
            NotUtf8 { .. } => fixed("save the file as UTF-8"),
            Syntax { open_bracket: true, .. } => fixed("a bracket is not closed here or on a line above"),
            Syntax { what, .. } if what.contains("must be quoted") => {
                fixed("text goes in quotes, and so does a number with a unit: `\"2 kg\"`")
            }
            Syntax { what, .. } if what.contains("string") => fixed("close the quotes on the line where they open: `\"2 kg\"`"),
            Syntax { .. } => fixed("write lines `key = value` under headers such as `[body.rod]`"),
            CannotReadFile { .. } | FileTooLarge { .. } => fixed("give the path of a model or study file, such as `models/pendulum.toml`"),
            DuplicateName { .. } => fixed("take one of the two out, or give it another name"),
            IncludeTooDeep { .. } => fixed("include files side by side, not each from the one before"),
            TooManyBodies { limit, .. } => Some(format!("take bodies out, or split the model; {limit} are read")),
            TooManyMirrors { limit } => Some(format!("take mirrors out; {limit} are read, and one copies all names of one ending")),
            MirrorNothing { from } => Some(format!("let the names of what is to be copied end in `{from}`, such as `thigh{from}`")),
            UnknownTable { name, known } => did_you_mean(name, known, "tables"),
            UnknownKey { name, known } => did_you_mean(name, known, "keys"),
            UnknownField { name, known } => did_you_mean(name, known, "fields here"),
            BadChoice { found, choices } => Some(match (suggest(found, choices.iter().copied()), choices.first()) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, Some(first)) => format!("write one of these words, such as `\"{first}\"`"),
                (None, None) => "take the field out".into(),
            }),
            BadName { .. } => {
                fixed("a name begins with a letter and goes on with letters, digits, `_` and `-`; a place is `body` or `body.point`")
            }
            ReservedName { .. } => fixed("places on the ground go into `[world.point]` and `[world.frame]`"),
            DimensionMissing | BadDimension { .. } => fixed("write `dimension = \"planar\"` or `dimension = \"spatial\"`"),
            MirrorImpossible { instead, .. } => fixed(instead),
            MirrorClash { copy, original } if copy == original => {
                fixed("let the name end in the mirror's `from`, so that the copy gets a name of its own")
            }
            MirrorClash { copy, .. } => Some(format!("take `{copy}` out, since the mirror makes it, or give it another name")),
            NestedTooDeep { .. } => fixed("a model needs few levels; perhaps a bracket is not closed"),
            MissingInclude { .. } => fixed("paths of includes are relative to the file that includes"),
            MissingDataFile { .. } => fixed("paths of files are relative to the file that names them"),
            BadDataFile { advice: Some(advice), .. } => Some(advice.clone()),
            BadDataFile { advice: None, .. } => fixed("`borelli data FILE` shows what is in a file"),
            DataFileTooLarge { .. } => fixed("take a table with fewer rows, or a coarser mesh"),
            MissingField { doc, .. } if !doc.is_empty() => Some(doc.clone()),
            MissingField { name, .. } => Some(format!("add a line `{name} = ...`")),
            UnknownUnit { nearest: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            UnknownUnit { nearest: None, .. } => {
                fixed("known are m, in, ft, g, lb, t, s, min, h, Hz, rad, deg, rev, N, Pa, J, W, % and prefixes such as k, c, m")
            }
            BadQuantity { unit, .. } => Some(
                format!("write a number, or a number and a unit such as `\"1.5 {unit}\"`").replace(" *\"", " m\"").replace(" 1\"", " %\""),
            ),
            MixedUnits { declare, .. } => Some(format!("write its unit too, or declare the unit of all bare numbers with `{declare}`")),
            BareDegrees { value } => Some(format!("write `\"{value} deg\"` if degrees are meant, `\"{value} rad\"` if not")),
            IncludeCycle { .. } => fixed("take one of the includes out"),
            Date => fixed("put it in quotes if text is meant: `\"2020-02-29\"`"),
            WrongType { expected, .. } => fixed(example_of(expected)),
            WrongUnit { expected, .. } if *expected == Dim::NONE => {
                fixed("write a number without a unit, or a ratio such as `\"2 deg/deg\"`")
            }
            WrongUnit { expected, .. } => {
                Some(format!("write a quantity such as `\"1.5 {expected}\"`; a bare number is taken to be in {expected}"))
            }
            NotFinite { text } if text.to_ascii_lowercase().contains("nan") => {
                fixed("write a number; where it is not known, leave the field out if it may be, or write a rough one")
            }
            NotFinite { .. } => Some(format!("write a number below {:.1e} in size", f64::MAX)),
            OutOfRange { range, .. } => fixed(match *range {
                Range::FRACTION => "fractions are written as `0.5` or `\"50 %\"`",
                Range::POSITIVE => "write a number above zero; check its sign and its unit",
                Range::NON_NEGATIVE => "write zero or a number above it; check its sign",
                _ => "write a number between these bounds; check its unit",
            }),
            WrongLength { expected, .. } if expected.ends_with("names") => Some("a pair is a list of two: [\"asis_r\", \"asis_l\"]".into()),
            WrongLength { expected, .. } if expected.ends_with("more") => Some(format!("write {expected}, or leave the element out")),
            WrongLength { .. } => {
                fixed("vectors have two entries in a planar model, `[0.1, 0.2]`, and three in a spatial one, `[0.1, 0.2, 0]`")
            }
            WrongDimension { dimension, .. } => {
                let other = if *dimension == "planar" { "spatial" } else { "planar" };
                Some(format!("use another type, or write `dimension = \"{other}\"`"))
            }
            ZeroDirection => fixed("write a direction such as `[0, 1, 0]`; its length does not matter"),
        }
    }
}

impl ReadFault {
    /// What a bad quantity text means where `unit` is expected.
    pub fn of_unit(text: &str, unit: &str, fault: UnitFault) -> ReadFault {
        match fault {
            UnitFault::UnknownUnit { unit, nearest } => UnknownUnit { unit, nearest },
            UnitFault::NotFinite { text } => NotFinite { text },
            reason => BadQuantity { text: text.to_string(), unit: unit.to_string(), reason },
        }
    }
}
