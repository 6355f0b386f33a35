//! Files that were cut off, changed at random, never filled, or are larger than memory: clear faults, no panic, bounded memory.
//! Not here: deviations that can be mended (`repairs`).

use super::builder::{File, Value, text, texts};
use super::{read_bytes, try_read};
use crate::explain::Explain;
use crate::format::TextFault;
use crate::format::c3d::{C3dOptions, Reader};
use crate::recording::{Frame, FrameSource};
use borelli_math::vec3;
use borelli_testkit::Random;
use std::io::{self, Read, Seek, SeekFrom};

/// A small file with a bit of everything.
fn rich() -> File {
    let mut file = File::small().with("EVENT", "USED", &[], Value::Words(vec![1])).with("EVENT", "LABELS", &[], texts(&["LHS"]));
    file = file.with("EVENT", "TIMES", &[2, 1], Value::Floats(vec![0.0, 0.02])).with("POINT", "ANGLES", &[], texts(&["B"]));
    (file.channels, file.samples) = (6, 1);
    file = file.with("ANALOG", "SCALE", &[6], Value::Floats(vec![1.0; 6])).with("ANALOG", "USED", &[], Value::Words(vec![6]));
    file = file.with("FORCE_PLATFORM", "USED", &[], Value::Words(vec![2])).with("FORCE_PLATFORM", "TYPE", &[2], Value::Words(vec![4, 2]));
    let corners = [0.0, 0.0, 0.0, 400.0, 0.0, 0.0, 400.0, 600.0, 0.0, 0.0, 600.0, 0.0];
    file = file.with("FORCE_PLATFORM", "CORNERS", &[3, 4, 2], Value::Floats([corners, corners].concat()));
    file = file.with("FORCE_PLATFORM", "ORIGIN", &[3, 2], Value::Floats(vec![0.0, 0.0, 40.0, 0.0, 0.0, -40.0]));
    file = file.with("FORCE_PLATFORM", "CHANNEL", &[6, 2], Value::Words(vec![1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1]));
    file = file.with("FORCE_PLATFORM", "ZERO", &[2], Value::Words(vec![1, 2]));
    let matrix: Vec<f32> = (0..72).map(|k| k as f32).collect();
    file = file.with("FORCE_PLATFORM", "CAL_MATRIX", &[6, 6, 2], Value::Floats(matrix));
    file.with("MANUFACTURER", "COMPANY", &[], text("nobody")).with("SUBJECTS", "BYTES", &[], Value::Bytes(vec![1, 2, 3]))
}

#[test]
fn a_file_cut_off_anywhere_gives_a_fault_or_what_is_there() {
    for file in [rich(), rich().whole(0.5)] {
        let bytes = file.bytes();
        read_bytes(&bytes);
        let mut faults = Vec::new();
        for end in 0..bytes.len() {
            match try_read(&bytes[..end], &C3dOptions::default()) {
                Ok(recording) => assert!(recording.clock.count <= 4),
                Err(fault) => {
                    assert!(!fault.to_string().is_empty());
                    faults.push(fault.kind.code());
                }
            }
        }
        faults.dedup();
        assert_eq!(faults, ["empty-table", "cut-off", "no-whole-frame"]);
    }
}

#[test]
fn random_changes_never_panic() {
    let mut random = Random::new(11);
    let mut readable = 0;
    for file in [rich(), rich().whole(0.5)] {
        let sound = file.bytes();
        for _ in 0..4000 {
            let mut bytes = sound.clone();
            for _ in 0..1 + random.bits() % 6 {
                // the section of parameters is where most can go wrong
                let at = if random.bits().is_multiple_of(3) { random.bits() as usize % 24 } else { random.bits() as usize % bytes.len() };
                bytes[at] = random.bits() as u8;
            }
            if random.bits().is_multiple_of(4) {
                bytes.truncate(random.bits() as usize % bytes.len());
            }
            readable += usize::from(try_read(&bytes, &C3dOptions::default()).is_ok());
        }
    }
    assert!(readable > 1000, "{readable}");
}

#[test]
fn what_is_no_c3d_file_is_said_to_be_none() {
    let fault = |bytes: &[u8]| try_read(bytes, &C3dOptions::default()).expect_err("a fault");
    assert_eq!(fault(&[]).kind, TextFault::EmptyTable);
    assert_eq!(fault(&[0; 3000]).kind, TextFault::OnlyZeros { scanned: 3000, length: 3000 });
    let mut bytes = File::small().bytes();
    bytes[1] = 0x51;
    let message = fault(&bytes).to_string();
    assert!(message.starts_with("trial.c3d: error[wrong-mark]: byte 1 is 0x51, expected 0x50") && message.contains("hint:"), "{message}");
    let nonsense = File { processor: 3, points: 60000, ..File::small() };
    assert_eq!(fault(&nonsense.bytes()).kind, TextFault::UnknownProcessor { byte: 515, found: 3 });
    let empty = File { points: 0, channels: 0, ..File::small() }.with("POINT", "USED", &[], Value::Words(vec![0]));
    assert_eq!(fault(&empty.bytes()).kind, TextFault::NothingMeasured { byte: 0 });
}

/// A file that exists only as a rule: some bytes, then the same frame over and over.
struct Endless {
    head: Vec<u8>,
    frame: Vec<u8>,
    length: u64,
    at: u64,
}

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let head = self.head.len() as u64;
        let left = (self.length - self.at.min(self.length)) as usize;
        let part: &[u8] = if self.at < head {
            &self.head[self.at as usize..]
        } else {
            &self.frame[((self.at - head) % self.frame.len() as u64) as usize..]
        };
        let count = part.len().min(out.len()).min(left);
        out[..count].copy_from_slice(&part[..count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Endless {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(by) => self.length.saturating_add_signed(by),
            SeekFrom::Current(by) => self.at.saturating_add_signed(by),
        };
        Ok(self.at)
    }
}

#[test]
fn two_gigabytes_of_zeros_are_refused_at_once() {
    let file = Endless { head: Vec::new(), frame: vec![0; 4096], length: 2 << 30, at: 0 };
    let fault = Reader::new(file, "sparse.c3d").err().expect("a fault");
    assert_eq!(fault.kind, TextFault::OnlyZeros { scanned: 1 << 20, length: 2 << 30 });
}

#[test]
fn a_gigabyte_is_read_without_more_memory_than_a_frame() {
    let mut made = File::small();
    (made.points, made.channels, made.samples, made.last) = (100, 100, 90, u16::MAX);
    made.frames = vec![(vec![[1.0, 2.0, 3.0, 0.0]; 100], vec![0.5; 9000])];
    let frame_bytes = 4 * (400 + 9000);
    let frames = (1u64 << 30) / frame_bytes;
    let made = made.with("POINT", "LONG_FRAMES", &[], Value::Floats(vec![frames as f32]));
    let bytes = made.bytes();
    let (head, frame) = bytes.split_at(bytes.len() - frame_bytes as usize);
    let file = Endless { head: head.to_vec(), frame: frame.to_vec(), length: head.len() as u64 + frames * frame_bytes, at: 0 };
    let mut reader = Reader::new(file, "large.c3d").expect("a reader");
    let mut frame = Frame::default();
    assert!(reader.next_frame(&mut frame).expect("a frame"));
    let held = |frame: &Frame| [frame.points.capacity(), frame.residuals.capacity(), frame.derived.capacity(), frame.samples.capacity()];
    let (before, repairs) = (held(&frame), reader.repairs().len());
    let mut count = 1;
    while reader.next_frame(&mut frame).expect("a frame") {
        count += 1;
    }
    assert_eq!(count, frames);
    assert_eq!((held(&frame), reader.repairs().len()), (before, repairs));
    assert_eq!((frame.points[99], frame.samples[100]), (Some(vec3(1e-3, 2e-3, 3.0 * 1e-3)), 0.5));
}
