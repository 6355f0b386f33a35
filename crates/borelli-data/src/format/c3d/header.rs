//! The header of a C3D file: one block of 512 bytes, and how it is found.
//! Not here: parameters, which may contradict it (`layout` decides).
//! In: a file from its beginning. Out: the header's numbers, the way numbers are stored, the place of the first block.

use super::bytes::Processor;
use crate::format::TextFault;
use crate::recording::Repair;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes of a block.
pub(super) const BLOCK: u64 = 512;

/// How far a header is looked for behind leading zeros, bytes.
const LONGEST_LEAD: u64 = 1 << 20;

/// What the first block says.
#[derive(Clone, Debug)]
pub(super) struct Header {
    /// Place of the header in the file; all block numbers count from it.
    pub base: u64,
    /// Length of the whole file.
    pub length: u64,
    /// How numbers are stored.
    pub processor: Processor,
    /// Block of the parameters, from one.
    pub parameter_block: u8,
    /// Number of points.
    pub points: u16,
    /// Analog values in a frame: channels times samples.
    pub analog: u16,
    /// First frame.
    pub first: u16,
    /// Last frame.
    pub last: u16,
    /// Scale of whole numbers; negative where the data are floats.
    pub scale: f64,
    /// Block of the data, from one.
    pub data_block: u16,
    /// Analog samples in a frame.
    pub samples: u16,
    /// Frames per second.
    pub rate: f64,
    /// Events: time, s, and label.
    pub events: Vec<(f64, String)>,
}

impl Header {
    /// Place of the parameters in the file.
    pub fn parameters_at(&self) -> u64 {
        self.base + (u64::from(self.parameter_block).max(1) - 1) * BLOCK
    }

    /// Place of the data in the file, as the header has it.
    pub fn data_at(&self) -> u64 {
        self.base + (u64::from(self.data_block).max(1) - 1) * BLOCK
    }

    /// Finds and reads the header.
    pub fn read(file: &mut (impl Read + Seek), repairs: &mut Vec<Repair>) -> Result<Header, TextFault> {
        let length = file.seek(SeekFrom::End(0)).map_err(|error| unreadable(0, &error))?;
        let base = first_byte(file, length)?;
        if base > 0 {
            repairs.push(Repair::new(
                "header",
                format!("{base} zero bytes before it"),
                "skipped; blocks are counted from the first byte that is not zero",
            ));
        }
        let block = take(file, base, BLOCK, length, "the header")?;
        if block[1] != 0x50 {
            return Err(TextFault::WrongMark { byte: base + 1, found: block[1], expected: 0x50, what: "the mark of a C3D header" });
        }
        let at = base + (u64::from(block[0]) - 1) * BLOCK;
        let prefix = take(file, at, 4, length, "the first block of parameters")?;
        let processor = match Processor::of(prefix[3]) {
            Some(processor) => processor,
            None => {
                let guess = decode(&block, Processor::Intel, base, length);
                if !plausible(file, &guess, length) {
                    return Err(TextFault::UnknownProcessor { byte: at + 3, found: prefix[3] });
                }
                let found = format!("{}, expected 84 (Intel), 85 (DEC) or 86 (SGI)", prefix[3]);
                repairs.push(Repair::new("parameters: processor", found, "read as Intel, which gives a plausible file"));
                Processor::Intel
            }
        };
        Ok(decode(&block, processor, base, length))
    }
}

/// Place of the first byte that is not zero.
fn first_byte(file: &mut (impl Read + Seek), length: u64) -> Result<u64, TextFault> {
    let limit = length.min(LONGEST_LEAD);
    file.seek(SeekFrom::Start(0)).map_err(|error| unreadable(0, &error))?;
    let mut chunk = [0u8; 4096];
    let mut at = 0;
    while at < limit {
        let wanted = (limit - at).min(chunk.len() as u64) as usize;
        file.read_exact(&mut chunk[..wanted]).map_err(|error| unreadable(at, &error))?;
        if let Some(k) = chunk[..wanted].iter().position(|byte| *byte != 0) {
            return Ok(at + k as u64);
        }
        at += wanted as u64;
    }
    Err(if length == 0 { TextFault::EmptyTable } else { TextFault::OnlyZeros { scanned: limit, length } })
}

/// Bytes at a place, all of them.
pub(super) fn take(file: &mut (impl Read + Seek), at: u64, count: u64, length: u64, what: &'static str) -> Result<Vec<u8>, TextFault> {
    let held = length.saturating_sub(at);
    if held < count {
        return Err(TextFault::CutOff { byte: at, what, needed: count, held });
    }
    let mut bytes = vec![0; count as usize];
    file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut bytes)).map_err(|error| unreadable(at, &error))?;
    Ok(bytes)
}

/// A failure of the file system.
pub(super) fn unreadable(byte: u64, error: &io::Error) -> TextFault {
    TextFault::CannotReadBytes { byte, reason: error.to_string() }
}

/// Whether a header of unknown make looks like one when read as Intel: points or channels, data behind the parameters, and a first
/// record that is a group or a parameter with a name of letters.
fn plausible(file: &mut (impl Read + Seek), guess: &Header, length: u64) -> bool {
    let record = take(file, guess.parameters_at() + 4, 3, length, "");
    let named = record.is_ok_and(|r| {
        let letters = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        (r[0] as i8).unsigned_abs() <= 64 && r[0] != 0 && r[1] != 0 && letters(r[2])
    });
    named
        && guess.points <= 10_000
        && (guess.points > 0 || guess.analog > 0)
        && guess.data_at() > guess.parameters_at()
        && guess.data_at() < length
}

/// The numbers of the block. Words are counted from one in the format's description; word w begins at byte 2 (w - 1).
fn decode(block: &[u8], processor: Processor, base: u64, length: u64) -> Header {
    let word = |w: usize| processor.unsigned(block, 2 * (w - 1));
    let float = |w: usize| processor.float(block, 2 * (w - 1));
    let count = if word(150) == 12345 { usize::from(word(151)).min(18) } else { 0 };
    let label = |k: usize| String::from_utf8_lossy(&block[396 + 4 * k..400 + 4 * k]).trim_matches(['\0', ' ']).to_string();
    Header {
        base,
        length,
        processor,
        parameter_block: block[0],
        points: word(2),
        analog: word(3),
        first: word(4),
        last: word(5),
        scale: float(7),
        data_block: word(9),
        samples: word(10),
        rate: float(11),
        events: (0..count).map(|k| (float(153 + 2 * k), label(k))).collect(),
    }
}
