//! What can be wrong with a pressure mat.
//! Not here: finding out (`mat_read`; for values that are set, whoever sets them).

use borelli_model::{Explain, Severity};

/// What is wrong with a mat; facts only.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // each variant's message says what its fields are
pub enum MatFault {
    NotAHalfSpace { surface: String },
    OnOtherBody { mat: String, surface: String, plane: String },
    Leans { degrees: f64 },
    TooManyCells { found: f64, limit: f64 },
    NotShown { contact: String },
    Empty { surface: String },
}

impl Explain for MatFault {
    fn code(&self) -> &'static str {
        match self {
            MatFault::NotAHalfSpace { .. } => "not-a-half-space",
            MatFault::OnOtherBody { .. } => "mat-on-other-body",
            MatFault::Leans { .. } => "mat-leans",
            MatFault::TooManyCells { .. } => "too-many-cells",
            MatFault::NotShown { .. } => "not-on-mat",
            MatFault::Empty { .. } => "nothing-on-mat",
        }
    }

    fn message(&self) -> String {
        match self {
            MatFault::NotAHalfSpace { surface } => format!("surface `{surface}` is no half-space, and a mat lies on a plane"),
            MatFault::OnOtherBody { mat, surface, plane } => {
                format!("the place is on `{mat}`, but the surface `{surface}` that the mat lies on belongs to `{plane}`")
            }
            MatFault::Leans { degrees } => format!("Y of the mat's place and the normal of its plane differ by {degrees:.4} deg"),
            MatFault::TooManyCells { found, limit } => format!("{found} cells are more than {limit}"),
            MatFault::NotShown { contact } => {
                format!("contact `{contact}` acts on this surface, too, but its normal law knows no pressure: the mat does not show it")
            }
            MatFault::Empty { surface } => {
                format!("no contact with the normal law `volumetric` acts on `{surface}`: the mat shows nothing")
            }
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            MatFault::NotAHalfSpace { .. } => "name a surface of type = \"half-space\"".into(),
            MatFault::OnOtherBody { plane, .. } => format!("name a place of `{plane}`, such as `{plane}` or a frame of it"),
            MatFault::Leans { .. } => {
                "the mat spans X and Z of its place: give it a frame whose Y is the normal out of the half-space, as in y = [0, 1, 0]"
                    .into()
            }
            MatFault::TooManyCells { .. } => "take fewer and larger cells; `samples` sets how finely each is summed".into(),
            MatFault::NotShown { .. } | MatFault::Empty { .. } => "say normal = { type = \"volumetric\", ... } in the contact".into(),
        })
    }

    fn severity(&self) -> Severity {
        match self {
            MatFault::NotShown { .. } | MatFault::Empty { .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }
}
