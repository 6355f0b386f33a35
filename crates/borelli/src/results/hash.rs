//! SHA-256 of files, in hexadecimal: what `sha256sum` prints.
//! Not here: which files are hashed, and what a difference means.
//! In: bytes, piece by piece, however many there are. Out: their hash.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// A writer that hashes what passes through it.
pub(super) struct Hashing<W> {
    inner: W,
    hasher: Sha256,
}

impl<W: Write> Hashing<W> {
    pub(super) fn new(inner: W) -> Hashing<W> {
        Hashing { inner, hasher: Sha256::new() }
    }

    /// What is written to.
    pub(super) fn inner(&self) -> &W {
        &self.inner
    }

    /// The hash of everything so far.
    pub(super) fn finish(self) -> String {
        hexadecimal(&self.hasher.finalize())
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The hash of some bytes.
pub(super) fn of_bytes(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The hash of a file, read piece by piece: it may be larger than the memory.
pub(super) fn of_file(path: &Path) -> io::Result<String> {
    let mut sink = Hashing::new(io::sink());
    io::copy(&mut File::open(path)?, &mut sink)?;
    Ok(sink.finish())
}

fn hexadecimal(digest: &[u8]) -> String {
    let mut text = String::with_capacity(2 * digest.len());
    for byte in digest {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that takes little at a time, as a pipe may do.
    struct Slow(Vec<u8>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(7);
            self.0.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_hash_is_that_of_what_was_written_however_it_was_cut() {
        // FIPS 180-4, example of the 448-bit message
        let message = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        let expected = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        let mut out = Hashing::new(Slow(Vec::new()));
        out.write_all(message).expect("written");
        assert_eq!(out.inner().0, message);
        assert_eq!((out.finish().as_str(), of_bytes(message).as_str()), (expected, expected));
    }
}
