//! The parameter section of a C3D file while it is written: Intel, records one after the other.
//! Not here: which parameters a file needs (`writer`).
//! In: groups, names and values. Out: the bytes of the section, and where values stand that are known only at the end.

/// Most entries of a parameter along its last dimension; longer lists go on in `NAME2`, `NAME3`.
const MOST: usize = 255;

/// A section being written.
pub(super) struct Section {
    bytes: Vec<u8>,
    groups: u8,
}

impl Section {
    pub fn new() -> Section {
        Section { bytes: vec![1, 0x50, 0, 84], groups: 0 }
    }

    /// Begins a group; what follows belongs to it. False when there are as many groups as the format can number.
    pub fn group(&mut self, name: &str) -> bool {
        if self.groups == 127 {
            return false;
        }
        self.groups += 1;
        self.head(name, (self.groups as i8).wrapping_neg());
        self.bytes.extend([3, 0, 0]); // to the next record, and no description
        true
    }

    /// Texts, all of the width of the longest.
    pub fn texts<T: AsRef<str>>(&mut self, name: &str, texts: &[T]) {
        let width = texts.iter().map(|text| cut(text.as_ref()).len()).max().unwrap_or(0).max(1);
        for (part, texts) in parts(texts, MOST) {
            let mut data = Vec::new();
            for (k, text) in texts.iter().enumerate() {
                data.extend(cut(text.as_ref()).bytes());
                data.resize((k + 1) * width, b' ');
            }
            self.record(&numbered(name, part), -1, &[width as u8, texts.len() as u8], &data);
        }
    }

    /// One text.
    pub fn text(&mut self, name: &str, text: &str) {
        let text = cut(text);
        self.record(name, -1, &[text.len() as u8], text.as_bytes());
    }

    /// Floats; `inner` are the sizes of one entry, none for a plain list.
    pub fn floats(&mut self, name: &str, inner: &[u8], values: &[f64]) {
        let entry: usize = inner.iter().map(|size| usize::from(*size)).product();
        for (part, values) in parts(values, MOST * entry) {
            let data: Vec<u8> = values.iter().flat_map(|value| (*value as f32).to_le_bytes()).collect();
            let sizes = [inner, &[(values.len() / entry) as u8]].concat();
            self.record(&numbered(name, part), 4, &sizes, &data);
        }
    }

    /// One float; its place in the section.
    pub fn float(&mut self, name: &str, value: f64) -> usize {
        self.record(name, 4, &[], &(value as f32).to_le_bytes())
    }

    /// Whole numbers without sign; as for [`Section::floats`].
    pub fn words(&mut self, name: &str, inner: &[u8], values: &[u16]) {
        let entry: usize = inner.iter().map(|size| usize::from(*size)).product();
        for (part, values) in parts(values, MOST * entry) {
            let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            self.record(&numbered(name, part), 2, &[inner, &[(values.len() / entry) as u8]].concat(), &data);
        }
    }

    /// One whole number; its place in the section.
    pub fn word(&mut self, name: &str, value: u16) -> usize {
        self.record(name, 2, &[], &value.to_le_bytes())
    }

    /// Two words that make a large number, the low one first; their place in the section.
    pub fn wide(&mut self, name: &str, value: u64) -> usize {
        self.record(name, 2, &[2], &(value.min(u64::from(u32::MAX)) as u32).to_le_bytes())
    }

    /// Sets a byte pair that was written before.
    pub fn patch(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// The section in whole blocks, with at least the two zeros that end it.
    pub fn finish(mut self) -> Vec<u8> {
        let blocks = (self.bytes.len() + 2).div_ceil(512);
        self.bytes.resize(512 * blocks, 0);
        self.bytes[2] = blocks.min(255) as u8;
        self.bytes
    }

    /// Blocks that the section takes as it is now.
    pub fn blocks(&self) -> usize {
        (self.bytes.len() + 2).div_ceil(512)
    }

    fn head(&mut self, name: &str, id: i8) {
        self.bytes.extend([name.len() as u8, id as u8]);
        self.bytes.extend(name.bytes());
    }

    /// One parameter of the group begun last; the place of its data.
    fn record(&mut self, name: &str, kind: i8, sizes: &[u8], data: &[u8]) -> usize {
        self.head(name, self.groups as i8);
        let next = 2 + 2 + sizes.len() + data.len() + 1;
        self.bytes.extend((next as u16).to_le_bytes());
        self.bytes.extend([kind as u8, sizes.len() as u8]);
        self.bytes.extend(sizes);
        let at = self.bytes.len();
        self.bytes.extend(data);
        self.bytes.push(0);
        at
    }
}

/// A list in parts; one empty part for an empty list.
fn parts<T>(list: &[T], most: usize) -> impl Iterator<Item = (usize, &[T])> {
    let empty = list.is_empty().then_some((0, list));
    empty.into_iter().chain(list.chunks(most.max(1)).enumerate())
}

/// The name of a part: `LABELS`, `LABELS2`.
fn numbered(name: &str, part: usize) -> String {
    if part == 0 { name.to_string() } else { format!("{name}{}", part + 1) }
}

/// As much of a text as a parameter can hold.
fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(255)]
}
