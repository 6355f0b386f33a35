//! Arrays of numbers as an NPZ file, which NumPy reads with `numpy.load`: a ZIP archive of NPY files, nothing compressed.
//! Not here: what the arrays mean.
//! In: names, shapes, values. Out: bytes, the same for the same input: the archive bears no time of day. And back.
//!
//! Source: NPY format version 1.0 (NumPy enhancement proposal 1); ZIP by PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12, 4.3.16.
//! Limits: below 4 GB, which the wider fields of ZIP64 would be needed for.

use std::io::{self, Write};

/// One array in C order.
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    /// Name under which it is found.
    pub name: &'a str,
    /// Lengths of its axes; their product is the number of values.
    pub shape: &'a [usize],
    /// Values.
    pub values: &'a [f64],
}

impl Array<'_> {
    /// What stands before the values of an NPY file: a multiple of 64 bytes.
    fn head(&self) -> Vec<u8> {
        let lengths: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        let comma = if lengths.len() == 1 { "," } else { "" };
        let mut text = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}{comma}), }}", lengths.join(", "));
        // Magic, version and the length of the text take ten bytes, its end one.
        while !(text.len() + 11).is_multiple_of(64) {
            text.push(' ');
        }
        text.push('\n');
        [b"\x93NUMPY\x01\x00", (text.len() as u16).to_le_bytes().as_slice(), text.as_bytes()].concat()
    }

    /// Hands out all bytes of the NPY file, piece by piece.
    fn each(&self, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        take(&self.head())?;
        self.values.iter().try_for_each(|x| take(&x.to_le_bytes()))
    }
}

/// Remainders of all bytes for the polynomial of ZIP, its bits in reverse.
const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut remainder, mut bit) = (byte as u32, 0);
        while bit < 8 {
            remainder = if remainder & 1 == 1 { 0xedb8_8320 ^ (remainder >> 1) } else { remainder >> 1 };
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
};

/// The running check sum of ZIP; begin with all ones, and invert at the end.
fn check_sum(sum: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(sum, |sum, byte| TABLE[((sum ^ u32::from(*byte)) & 0xff) as usize] ^ (sum >> 8))
}

/// Bytes of fields of two and four bytes, lowest byte first.
fn fields(list: &[(u32, usize)]) -> Vec<u8> {
    list.iter().flat_map(|(value, width)| value.to_le_bytes().into_iter().take(*width)).collect()
}

/// Writes the archive.
pub fn write_npz(arrays: &[Array], out: &mut dyn Write) -> io::Result<()> {
    // The first day that ZIP knows, 1 January 1980.
    const DAY: u32 = 1 << 5 | 1;
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, "an archive without ZIP64 ends below 4 GB");
    let (mut directory, mut place) = (Vec::new(), 0_u64);
    for array in arrays {
        let name = format!("{}.npy", array.name);
        let (mut sum, mut size) = (u32::MAX, 0_u64);
        array.each(|bytes| {
            (sum, size) = (check_sum(sum, bytes), size + bytes.len() as u64);
            Ok(())
        })?;
        let (at, length) = (u32::try_from(place).map_err(|_| too_large())?, u32::try_from(size).map_err(|_| too_large())?);
        // Version 2.0, no flags, stored, time, day, check sum, both sizes, length of the name, no further fields.
        let common =
            fields(&[(20, 2), (0, 2), (0, 2), (0, 2), (DAY, 2), (!sum, 4), (length, 4), (length, 4), (name.len() as u32, 2), (0, 2)]);
        let head = [fields(&[(0x0403_4b50, 4)]), common.clone(), name.clone().into_bytes()].concat();
        out.write_all(&head)?;
        array.each(|bytes| out.write_all(bytes))?;
        directory.push(
            [fields(&[(0x0201_4b50, 4), (20, 2)]), common, fields(&[(0, 2), (0, 2), (0, 2), (0, 4), (at, 4)]), name.into_bytes()].concat(),
        );
        place += head.len() as u64 + size;
    }
    let at = u32::try_from(place).map_err(|_| too_large())?;
    let (count, length) = (directory.len() as u32, directory.iter().map(Vec::len).sum::<usize>() as u32);
    directory.iter().try_for_each(|entry| out.write_all(entry))?;
    out.write_all(&fields(&[(0x0605_4b50, 4), (0, 2), (0, 2), (count, 2), (count, 2), (length, 4), (at, 4), (0, 2)]))
}

/// An array that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// Name under which it was written.
    pub name: String,
    /// Lengths of its axes.
    pub shape: Vec<usize>,
    /// Values in C order.
    pub values: Vec<f64>,
}

/// Reads an archive that [`write_npz`] wrote: arrays of eight-byte numbers, stored. Says what is wrong with any other.
pub fn read_npz(bytes: &[u8]) -> Result<Vec<Read>, String> {
    let mut list = Vec::new();
    let mut at = 0;
    // files stand one after the other from the beginning, and the directory behind them
    while field(bytes, at, 4)? == 0x0403_4b50 {
        let (method, sum) = (field(bytes, at + 8, 2)?, field(bytes, at + 14, 4)?);
        let (size, name, more) = (field(bytes, at + 18, 4)?, field(bytes, at + 26, 2)?, field(bytes, at + 28, 2)?);
        if method != 0 {
            return Err("its arrays are compressed".into());
        }
        let (start, name_at) = (at + 30 + name + more, at + 30);
        let name = String::from_utf8_lossy(slice(bytes, name_at, name)?).into_owned();
        let file = slice(bytes, start, size)?;
        if !check_sum(u32::MAX, file) as usize != sum {
            return Err(format!("the check sum of `{name}` is wrong"));
        }
        list.push(read_npy(file, name.trim_end_matches(".npy")).ok_or_else(|| format!("`{name}` is no array of eight-byte numbers"))?);
        at = start + size;
    }
    if field(bytes, at, 4)? != 0x0201_4b50 {
        return Err("it is no archive of arrays".into());
    }
    Ok(list)
}

fn slice(bytes: &[u8], at: usize, length: usize) -> Result<&[u8], String> {
    at.checked_add(length).and_then(|end| bytes.get(at..end)).ok_or_else(|| "it ends too early".to_string())
}

fn field(bytes: &[u8], at: usize, width: usize) -> Result<usize, String> {
    Ok(slice(bytes, at, width)?.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
}

/// One NPY file.
fn read_npy(file: &[u8], name: &str) -> Option<Read> {
    let rest = file.strip_prefix(b"\x93NUMPY\x01\x00")?;
    let length = field(rest, 0, 2).ok()?;
    let head = std::str::from_utf8(slice(rest, 2, length).ok()?).ok()?;
    if !head.contains("'descr': '<f8'") || !head.contains("'fortran_order': False") {
        return None;
    }
    let shape = head.split_once("'shape': (")?.1.split_once(')')?.0;
    let shape: Option<Vec<usize>> =
        shape.split(',').map(str::trim).filter(|length| !length.is_empty()).map(|length| length.parse().ok()).collect();
    let (shape, values) = (shape?, rest.get(2 + length..)?);
    let count = shape.iter().try_fold(1_usize, |product, length| product.checked_mul(*length))?;
    let (values, rest) = values.as_chunks::<8>();
    let whole = rest.is_empty() && values.len() == count;
    whole.then(|| Read { name: name.to_string(), shape, values: values.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(bytes: &[u8], at: usize, width: usize) -> usize {
        bytes[at..at + width].iter().rev().fold(0, |sum, byte| sum << 8 | *byte as usize)
    }

    /// The check sum bit by bit, as long division.
    fn divided(bytes: &[u8]) -> u32 {
        let mut sum = u32::MAX;
        for byte in bytes {
            for bit in 0..8 {
                let odd = (sum ^ u32::from(*byte >> bit)) & 1 == 1;
                sum = if odd { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 };
            }
        }
        !sum
    }

    /// Reads an archive from its directory at the end: name, shape as written, values.
    fn read(bytes: &[u8]) -> Vec<(String, String, Vec<f64>)> {
        let end = bytes.len() - 22;
        assert_eq!(number(bytes, end, 4), 0x0605_4b50);
        let (count, mut entry) = (number(bytes, end + 10, 2), number(bytes, end + 16, 4));
        assert_eq!(entry + number(bytes, end + 12, 4), end, "the directory reaches to its end");
        let mut list = Vec::new();
        for _ in 0..count {
            assert_eq!(number(bytes, entry, 4), 0x0201_4b50);
            let (sum, size, length) = (number(bytes, entry + 16, 4), number(bytes, entry + 24, 4), number(bytes, entry + 28, 2));
            let (local, name) = (number(bytes, entry + 42, 4), &bytes[entry + 46..entry + 46 + length]);
            assert_eq!((number(bytes, local, 4), &bytes[local + 30..local + 30 + length]), (0x0403_4b50, name));
            assert_eq!(bytes[local + 4..local + 30], bytes[entry + 6..entry + 32], "both heads say the same");
            let file = &bytes[local + 30 + length..][..size];
            assert_eq!(divided(file) as usize, sum);
            assert_eq!(&file[..8], b"\x93NUMPY\x01\x00");
            let head = 10 + number(file, 8, 2);
            assert!(head.is_multiple_of(64) && file[head - 1] == b'\n');
            let text = String::from_utf8(file[10..head].to_vec()).unwrap();
            let shape = text.split_once("'shape': (").unwrap().1.split_once(')').unwrap().0.to_string();
            let values = file[head..].chunks(8).map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap())).collect();
            list.push((String::from_utf8(name.to_vec()).unwrap(), shape, values));
            entry += 46 + length;
        }
        list
    }

    #[test]
    fn an_archive_gives_back_every_bit() {
        let cube: Vec<f64> = (0..24).map(|k| (0.1 + f64::from(k)).exp() - 0.5).collect();
        let odd = [0.0, -0.0, 5e-324, f64::MAX, -1.0 / 3.0];
        let arrays = [
            Array { name: "time", shape: &[5], values: &odd },
            Array { name: "pressure", shape: &[2, 3, 4], values: &cube },
            Array { name: "none", shape: &[0, 3], values: &[] },
        ];
        let mut bytes = Vec::new();
        write_npz(&arrays, &mut bytes).unwrap();
        let back = read(&bytes);
        let shapes: Vec<(&str, &str)> = back.iter().map(|(name, shape, _)| (name.as_str(), shape.as_str())).collect();
        assert_eq!(shapes, [("time.npy", "5,"), ("pressure.npy", "2, 3, 4"), ("none.npy", "0, 3")]);
        for (array, (_, _, values)) in arrays.iter().zip(&back) {
            assert!(array.values.iter().map(|x| x.to_bits()).eq(values.iter().map(|x| x.to_bits())), "{}", array.name);
        }
        let own = read_npz(&bytes).expect("an archive");
        for (array, read) in arrays.iter().zip(&own) {
            assert_eq!((array.name, array.shape), (read.name.as_str(), &read.shape[..]));
            assert!(array.values.iter().map(|x| x.to_bits()).eq(read.values.iter().map(|x| x.to_bits())), "{}", array.name);
        }
    }

    #[test]
    fn damaged_archives_are_refused() {
        let mut bytes = Vec::new();
        write_npz(&[Array { name: "time", shape: &[3], values: &[1.0, 2.0, 3.0] }], &mut bytes).unwrap();
        for length in 0..bytes.len() {
            // the directory itself is not read, only that it begins
            let read = read_npz(&bytes[..length]);
            assert!(read.is_err() || read.is_ok_and(|list| list.len() == 1), "{length}");
        }
        assert!((0..120).all(|length| read_npz(&bytes[..length]).is_err()));
        for k in 0..160 {
            let mut broken = bytes.clone();
            broken[k] ^= 0x55;
            // what is not refused is the same array under another name
            if let Ok(list) = read_npz(&broken) {
                assert!(list.iter().all(|array| array.values == [1.0, 2.0, 3.0]), "{k}");
            }
        }
        assert!(read_npz(b"").is_err() && read_npz(&[0; 100]).is_err());
    }

    #[test]
    fn the_check_sum_is_that_of_zip() {
        // The value that catalogues of check sums give for these nine bytes.
        assert_eq!(!check_sum(u32::MAX, b"123456789"), 0xcbf4_3926);
        assert_eq!(divided(b"123456789"), 0xcbf4_3926);
    }
}
