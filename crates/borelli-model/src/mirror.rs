//! Copies of one side of a body for the other side.
//! Not here: any other change of a model.
//! In: elements and `[mirror.NAME]` tables. Out: renamed and, in space, reflected copies at the end of each section.

use crate::finding::Findings;
use crate::model::Model;
use crate::value::Element;

/// Adds the copies that the mirrors ask for.
pub(crate) fn expand(_model: &mut Model, _mirrors: &[Element], _findings: &mut Findings) {}
