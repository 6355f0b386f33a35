//! One file of the program: from bytes to top-level entries, after size, encoding, syntax and version were checked.
//! Not here: what the entries mean; models, studies and whatever else begins with `borelli = 1` say that.
//! In: a path or a text. Out: [`Document`], or [`Rejected`] with every fault found.

use crate::fault::ReadFault;
use crate::finding::Findings;
use crate::model::Rejected;
use crate::parse::parse;
use crate::source::{Sources, Span};
use crate::value::Entry;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// Bytes of a file and all it includes.
pub const MAX_BYTES: usize = 32 << 20;

/// A file whose entries can be looked at.
#[derive(Clone, Debug)]
pub struct Document {
    /// Top-level entries in the order of the file, `borelli` among them.
    pub entries: Vec<Entry>,
    /// The text, for positions; it is file 0.
    pub sources: Sources,
    /// Faults that leave the rest readable: keys given twice, dates, numbers that are not finite, a version that is not the first key.
    pub findings: Findings,
}

impl Document {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Document, Rejected> {
        let name = path.to_string_lossy();
        match read_bytes(path) {
            Ok(bytes) => Document::of(&name, bytes),
            Err(error) => Err(cannot_read(&name, &error)),
        }
    }

    /// Takes the bytes of a file; `name` stands for its path.
    pub fn of(name: &str, bytes: Vec<u8>) -> Result<Document, Rejected> {
        let (mut sources, mut findings) = (Sources::default(), Findings::new());
        let entries = if bytes.len() > MAX_BYTES {
            let at = start_of(sources.add(name, ""));
            findings.push(at, "", "", &ReadFault::FileTooLarge { limit: MAX_BYTES });
            None
        } else {
            open(name, bytes, &mut sources, &mut findings)
        };
        match entries {
            Some(entries) => Ok(Document { entries, sources, findings }),
            None => Err(Rejected { findings, sources: Arc::new(sources) }),
        }
    }
}

/// The refusal of a file that cannot be opened.
pub(crate) fn cannot_read(name: &str, error: &io::Error) -> Rejected {
    let (mut findings, mut sources) = (Findings::new(), Sources::default());
    if error.kind() == io::ErrorKind::FileTooLarge {
        findings.push(start_of(sources.add(name, "")), "", "", &ReadFault::FileTooLarge { limit: MAX_BYTES });
    } else {
        findings.push(None, "", "", &ReadFault::CannotReadFile { path: name.to_string(), reason: error.to_string() });
    }
    Rejected { findings, sources: Arc::new(sources) }
}

/// A file's bytes. A file that is known to be larger than allowed is refused before it is read, as `FileTooLarge`; of others at most one byte more is read.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, io::Error> {
    let file = std::fs::File::open(path)?;
    if file.metadata()?.len() > MAX_BYTES as u64 {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("the file is larger than {} MiB", MAX_BYTES >> 20)));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The beginning of a file.
pub(crate) fn start_of(file: u32) -> Span {
    Span { file, start: 0, end: 0 }
}

/// Adds a file to the sources and gives its entries; nothing when its text cannot be understood at all.
pub(crate) fn open(path: &str, bytes: Vec<u8>, sources: &mut Sources, findings: &mut Findings) -> Option<Vec<Entry>> {
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let byte = error.utf8_error().valid_up_to();
            // what comes before the bad byte stays as it is, so the place is right in the repaired text
            let file = sources.add(path, &String::from_utf8_lossy(error.as_bytes()));
            let at = Span { file, start: byte as u32, end: byte as u32 + 1 };
            findings.push(at, "", "", &ReadFault::NotUtf8 { path: path.into(), byte });
            return None;
        }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let file = sources.add(path, text);
    if text.trim().is_empty() {
        findings.push(start_of(file), "", "", &ReadFault::EmptyFile { path: path.into() });
        return None;
    }
    let root = parse(sources, file, findings)?;
    version(file, &root, sources, findings).then_some(root)
}

fn version(file: u32, root: &[Entry], sources: &Sources, findings: &mut Findings) -> bool {
    let Some(entry) = root.iter().find(|e| e.key == "borelli") else {
        findings.push(start_of(file), "", "", &ReadFault::VersionMissing { elsewhere: false });
        return false;
    };
    if entry.value.as_number() != Some(1.0) {
        let found = sources.slice(entry.value.at).to_string();
        findings.push(entry.value.at, "", "", &ReadFault::VersionUnsupported { found });
        return false;
    }
    if root[0].key != "borelli" {
        findings.push(entry.key_at, "", "", &ReadFault::VersionMissing { elsewhere: true });
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(result: Result<Document, Rejected>) -> Vec<&'static str> {
        match result {
            Ok(document) => document.findings.iter().map(|f| f.code).collect(),
            Err(rejected) => rejected.findings.iter().map(|f| f.code).collect(),
        }
    }

    #[test]
    fn a_document_gives_its_entries_in_order_with_their_places() {
        let document = Document::of("a.toml", "\u{feff}borelli = 1\nb = \"x\"\n[a]\nc = 2\n".as_bytes().to_vec()).expect("a document");
        let keys: Vec<&str> = document.entries.iter().map(|e| e.key.as_str()).collect();
        assert_eq!(keys, ["borelli", "b", "a"]);
        assert_eq!(document.sources.locate(document.entries[2].key_at).line, 3);
        assert!(document.findings.is_empty());
    }

    #[test]
    fn what_is_no_document_is_refused_with_its_reason() {
        assert_eq!(codes(Document::read(Path::new("no/such/file.toml"))), ["cannot-read-file"]);
        for (text, code) in [
            (&b"borelli = 1\nx = \"\xff\"\n"[..], "not-utf8"),
            (b" \n", "empty-file"),
            (b"borelli = \n", "syntax"),
            (b"x = 1\n", "version-missing"),
            (b"x = 1\nborelli = 1\n", "version-missing"),
            (b"borelli = 2\n", "version-unsupported"),
            (b"borelli = 1\nx = 1\nx = 2\n", "duplicate-name"),
            (b"borelli = 1\nx = 2020-01-01\n", "date"),
        ] {
            assert_eq!(codes(Document::of("a.toml", text.to_vec())), [code], "{}", String::from_utf8_lossy(text));
        }
        assert_eq!(codes(Document::of("a.toml", vec![b' '; MAX_BYTES + 1])), ["file-too-large"]);
    }
}
