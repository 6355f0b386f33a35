//! C3D files made byte by byte, Intel; shares nothing with reader and writer.
//! Not here: what is expected of them.

/// Values of a parameter.
#[derive(Clone)]
pub enum Value {
    /// Texts of a width.
    Texts(usize, Vec<String>),
    /// One text.
    Text(String),
    Bytes(Vec<u8>),
    Words(Vec<u16>),
    Floats(Vec<f32>),
}

/// Texts of the width of the longest.
pub fn texts(list: &[&str]) -> Value {
    Value::Texts(list.iter().map(|t| t.len()).max().unwrap_or(0).max(1), list.iter().map(|t| t.to_string()).collect())
}

/// One text.
pub fn text(text: &str) -> Value {
    Value::Text(text.into())
}

/// A parameter: group, name, sizes (none: as the values have them), values.
pub type Entry = (&'static str, &'static str, Vec<u8>, Value);

/// A file to be.
#[derive(Clone)]
pub struct File {
    pub lead: usize,
    pub processor: u8,
    pub float: bool,
    pub scale: f32,
    pub points: u16,
    pub channels: u16,
    pub samples: u16,
    pub first: u16,
    pub last: u16,
    pub rate: f32,
    pub data_block: Option<u16>,
    pub blocks: Option<u8>,
    pub events: Vec<(f32, [u8; 4])>,
    pub entries: Vec<Entry>,
    /// Points (x, y, z, fourth word) and then samples of each frame, as they are stored.
    pub frames: Vec<(Vec<[f32; 4]>, Vec<f32>)>,
}

impl File {
    /// Two markers A and B, two channels with three samples a frame, four frames at 100 Hz, floats in mm.
    pub fn small() -> File {
        let frame = |k: usize| {
            let t = k as f32;
            let points = vec![[100.0 + t, 200.5, -300.25 * t, 3.0], [-1.0, 2000.0 + t, 4.0, 0.0]];
            (points, (0..6).map(|s| 10.0 * t + s as f32 + 0.5).collect())
        };
        let entries: Vec<Entry> = vec![
            ("POINT", "USED", vec![], Value::Words(vec![2])),
            ("POINT", "FRAMES", vec![], Value::Words(vec![4])),
            ("POINT", "SCALE", vec![], Value::Floats(vec![-0.1])),
            ("POINT", "RATE", vec![], Value::Floats(vec![100.0])),
            ("POINT", "UNITS", vec![], text("mm")),
            ("POINT", "LABELS", vec![], texts(&["A", "B"])),
            ("ANALOG", "USED", vec![], Value::Words(vec![2])),
            ("ANALOG", "LABELS", vec![], texts(&["EMG1", "EMG2"])),
            ("ANALOG", "UNITS", vec![], texts(&["V", "mV"])),
            ("ANALOG", "GEN_SCALE", vec![], Value::Floats(vec![2.0])),
            ("ANALOG", "SCALE", vec![2], Value::Floats(vec![0.5, 0.25])),
            ("ANALOG", "OFFSET", vec![2], Value::Words(vec![0, 1])),
            ("ANALOG", "RATE", vec![], Value::Floats(vec![300.0])),
        ];
        File {
            lead: 0,
            processor: 84,
            float: true,
            scale: -0.1,
            points: 2,
            channels: 2,
            samples: 3,
            first: 1,
            last: 4,
            rate: 100.0,
            data_block: None,
            blocks: None,
            events: Vec::new(),
            entries,
            frames: (0..4).map(frame).collect(),
        }
    }

    /// Whole numbers instead of floats.
    pub fn whole(mut self, scale: f32) -> File {
        self.float = false;
        self.scale = scale;
        self
    }

    /// Sets a parameter, or adds it.
    pub fn with(mut self, group: &'static str, name: &'static str, sizes: &[u8], value: Value) -> File {
        self.entries.retain(|(g, n, ..)| (*g, *n) != (group, name));
        self.entries.push((group, name, sizes.to_vec(), value));
        self
    }

    /// Takes a parameter out, or a whole group for the name `*`.
    pub fn without(mut self, group: &str, name: &str) -> File {
        self.entries.retain(|(g, n, ..)| *g != group || (*n != name && name != "*"));
        self
    }

    fn section(&self) -> Vec<u8> {
        let mut names: Vec<&str> = self.entries.iter().map(|(group, ..)| *group).collect();
        names.dedup();
        let mut known: Vec<&str> = Vec::new();
        names.retain(|name| {
            !known.contains(name) && {
                known.push(name);
                true
            }
        });
        let mut bytes = vec![1, 0x50, 0, self.processor];
        // parameters first: they may stand before their groups
        for (group, name, sizes, value) in &self.entries {
            let id = known.iter().position(|n| n == group).expect("a group") as u8 + 1;
            let (kind, own, data): (i8, Vec<u8>, Vec<u8>) = match value {
                Value::Texts(width, list) => {
                    let padded = list.iter().flat_map(|t| format!("{t:width$}").into_bytes()).collect();
                    (-1, vec![*width as u8, list.len() as u8], padded)
                }
                Value::Text(t) => (-1, vec![t.len() as u8], t.clone().into_bytes()),
                Value::Bytes(list) => (1, vec![list.len() as u8], list.clone()),
                Value::Words(list) => {
                    (2, if list.len() == 1 { vec![] } else { vec![list.len() as u8] }, list.iter().flat_map(|w| w.to_le_bytes()).collect())
                }
                Value::Floats(list) => {
                    (4, if list.len() == 1 { vec![] } else { vec![list.len() as u8] }, list.iter().flat_map(|x| x.to_le_bytes()).collect())
                }
            };
            let sizes = if sizes.is_empty() { own } else { sizes.clone() };
            bytes.push(name.len() as u8);
            bytes.push(id);
            bytes.extend(name.bytes());
            bytes.extend((5 + sizes.len() as u16 + data.len() as u16 + 2).to_le_bytes());
            bytes.push(kind as u8);
            bytes.push(sizes.len() as u8);
            bytes.extend(&sizes);
            bytes.extend(&data);
            bytes.extend([2, b'o', b'k']); // a description
        }
        for (k, name) in known.iter().enumerate() {
            bytes.push((name.len() as i8).wrapping_neg() as u8); // locked
            bytes.push((k as i8 + 1).wrapping_neg() as u8);
            bytes.extend(name.bytes());
            bytes.extend([3, 0, 0]);
        }
        bytes.extend([0, 0]);
        let blocks = bytes.len().div_ceil(512);
        bytes[2] = self.blocks.unwrap_or(blocks as u8);
        bytes.resize(512 * blocks, 0);
        bytes
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let section = self.section();
        let data_block = self.data_block.unwrap_or((2 + section.len() / 512) as u16);
        let mut header = vec![0u8; 512];
        let mut put = |word: usize, value: u16| header[2 * word - 2..2 * word].copy_from_slice(&value.to_le_bytes());
        put(1, 0x5002);
        put(2, self.points);
        put(3, self.channels * self.samples);
        put(4, self.first);
        put(5, self.last);
        put(9, data_block);
        put(10, self.samples);
        put(150, 12345);
        put(151, self.events.len() as u16);
        header[12..16].copy_from_slice(&self.scale.to_le_bytes());
        header[20..24].copy_from_slice(&self.rate.to_le_bytes());
        for (k, (time, label)) in self.events.iter().enumerate() {
            header[304 + 4 * k..308 + 4 * k].copy_from_slice(&time.to_le_bytes());
            header[396 + 4 * k..400 + 4 * k].copy_from_slice(label);
        }
        let mut bytes = vec![0; self.lead];
        bytes.extend(header);
        bytes.extend(section);
        for (points, samples) in &self.frames {
            for value in points.iter().flatten().chain(samples) {
                if self.float {
                    bytes.extend(value.to_le_bytes());
                } else {
                    bytes.extend((*value as i32 as u16).to_le_bytes());
                }
            }
        }
        bytes
    }
}
