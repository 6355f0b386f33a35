//! C3D among the formats: a recording, whole or frame by frame; no table with named columns.
//! Not here: reading and writing themselves.
//! In and out: what [`Format`] asks for.

use super::{C3dOptions, Reader, Writer, read_from};
use crate::format::{Format, FormatFault, Input, Place, RecordingOptions};
use crate::recording::{FrameSink, FrameSource, Outline, Recording};
use std::io;

/// C3D files.
pub(in crate::format) struct C3d;

impl Format for C3d {
    fn name(&self) -> &'static str {
        "c3d"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["c3d"]
    }

    fn streams(&self) -> bool {
        true
    }

    fn record(&self, input: &mut dyn Input, file: &str, options: &RecordingOptions<'_>) -> Result<Recording, FormatFault> {
        let plates = C3dOptions { baseline: options.baseline, threshold: options.threshold };
        read_from(&mut Reader::new(input, file)?, &plates)
    }

    fn open<'i>(
        &self,
        input: Box<dyn Input + 'i>,
        file: &str,
        _options: &RecordingOptions<'_>,
    ) -> Result<Box<dyn FrameSource + 'i>, FormatFault> {
        Ok(Box::new(Reader::new(input, file)?))
    }

    fn sink<'o>(&self, outline: &Outline, out: Box<dyn Place + 'o>) -> io::Result<Box<dyn FrameSink + 'o>> {
        Ok(Box::new(Writer::new(out, outline)?))
    }

    fn left_out(&self, _outline: &Outline) -> Vec<String> {
        Vec::new()
    }
}
