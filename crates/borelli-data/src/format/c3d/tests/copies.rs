//! Copies of Intel files for the other two processors, made by a converter that shares nothing with the reader.
//! Not here: anything but equality of what is read.

use super::builder::{File, Value, texts};
use super::{read_bytes, try_read};
use crate::format::c3d::C3dOptions;
use crate::recording::Recording;
use borelli_testkit::reference;

/// Turns an Intel file into one of another processor: walks header, records and data and turns every number.
struct Converter {
    bytes: Vec<u8>,
    dec: bool,
}

impl Converter {
    fn word(&self, at: usize) -> usize {
        usize::from(self.bytes[at]) + 256 * usize::from(self.bytes[at + 1])
    }

    fn turn_word(&mut self, at: usize) {
        if !self.dec {
            self.bytes.swap(at, at + 1);
        }
    }

    fn turn_float(&mut self, at: usize) {
        let four: [u8; 4] = self.bytes[at..at + 4].try_into().expect("four bytes");
        let turned = if self.dec {
            let bits = (f32::from_le_bytes(four) * 4.0).to_bits();
            let (high, low) = ((bits >> 16) as u16, bits as u16);
            let (h, l) = (high.to_le_bytes(), low.to_le_bytes());
            [h[0], h[1], l[0], l[1]]
        } else {
            [four[3], four[2], four[1], four[0]]
        };
        self.bytes[at..at + 4].copy_from_slice(&turned);
    }

    fn convert(mut self) -> Vec<u8> {
        let parameters = 512 * (usize::from(self.bytes[0]) - 1);
        assert_eq!(self.bytes[parameters + 3], 84, "an Intel file");
        let (data, points) = (512 * (self.word(16) - 1), self.word(2));
        let float = f32::from_le_bytes(self.bytes[12..16].try_into().expect("four bytes")) < 0.0;
        self.bytes[parameters + 3] = if self.dec { 85 } else { 86 };
        let mut at = parameters + 4;
        while self.bytes[at] != 0 {
            let name = usize::from((self.bytes[at] as i8).unsigned_abs());
            let group = (self.bytes[at + 1] as i8) < 0;
            let offset_at = at + 2 + name;
            let offset = self.word(offset_at);
            if !group {
                let kind = self.bytes[offset_at + 2];
                let sizes = usize::from(self.bytes[offset_at + 3]);
                let start = offset_at + 4 + sizes;
                let count: usize = self.bytes[offset_at + 4..start].iter().map(|size| usize::from(*size)).product();
                match kind {
                    2 => (0..count).for_each(|k| self.turn_word(start + 2 * k)),
                    4 => (0..count).for_each(|k| self.turn_float(start + 4 * k)),
                    _ => {}
                }
            }
            self.turn_word(offset_at);
            if offset == 0 {
                break;
            }
            at = offset_at + offset;
        }
        let width = if float { 4 } else { 2 };
        for at in (data..self.bytes.len() - width + 1).step_by(width) {
            if float { self.turn_float(at) } else { self.turn_word(at) }
        }
        assert!(points > 0);
        for at in [12, 20].into_iter().chain((304..376).step_by(4)) {
            self.turn_float(at);
        }
        for at in (2..12).chain(16..20).chain(24..304).step_by(2).filter(|at| at % 2 == 0) {
            self.turn_word(at);
        }
        self.bytes
    }
}

/// What must not depend on the processor.
fn essence(mut recording: Recording) -> Recording {
    recording.facts.retain(|(key, _)| key != "C3D:PROCESSOR");
    recording
}

fn assert_copies_read_alike(bytes: &[u8], what: &str) {
    let original = essence(read_bytes(bytes));
    for dec in [false, true] {
        let copy = Converter { bytes: bytes.to_vec(), dec }.convert();
        assert_ne!(copy, bytes);
        let copy = essence(try_read(&copy, &C3dOptions::default()).unwrap_or_else(|fault| panic!("{what}: {fault}")));
        assert_eq!(copy, original, "{what}, DEC: {dec}");
    }
}

#[test]
fn dec_and_sgi_copies_read_like_the_intel_file() {
    let mut file = File::small();
    file.events = vec![(0.02, *b"LHS "), (0.03, *b"RTO ")];
    assert_copies_read_alike(&file.bytes(), "floats");
    let mut whole = File::small().whole(0.1).with("EVENT", "USED", &[], Value::Words(vec![1]));
    whole = whole.with("EVENT", "LABELS", &[], texts(&["Foot Off"])).with("EVENT", "TIMES", &[2, 1], Value::Floats(vec![0.0, 0.03]));
    assert_copies_read_alike(&whole.bytes(), "whole numbers");
    let unsigned = File::small().whole(0.1).with("ANALOG", "FORMAT", &[], super::builder::text("UNSIGNED"));
    assert_copies_read_alike(&unsigned.bytes(), "whole numbers without sign");
}

#[test]
fn copies_of_files_of_laboratories_read_like_them() {
    for path in ["data/c3d-small/FP_Type3.c3d", "data/c3d-walking/walking5.c3d"] {
        let Some(path) = reference(path) else { return };
        assert_copies_read_alike(&std::fs::read(path).expect("a file"), "a file of a laboratory");
    }
}
