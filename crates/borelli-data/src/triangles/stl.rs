//! STL, as text and binary. Binary: 80 bytes of anything, the number n of triangles (32 bits), then n times twelve 32-bit numbers (normal and three
//! corners, little endian) and two bytes. Text: `vertex x y z` three times between `outer loop` and `endloop`.
//! Not here: normals, which follow from the order of the corners.
//! In: bytes. Out: triangles.

use super::{Gathered, TriangleFault, Triangles};

const HEAD: usize = 84;
const EACH: usize = 50;

pub(super) fn read(bytes: &[u8]) -> Result<Triangles, TriangleFault> {
    // A binary file may begin with the word of a text, but has the length that it tells.
    let count = bytes.get(80..HEAD).and_then(|word| word.try_into().ok()).map(|word| u32::from_le_bytes(word) as usize);
    match count {
        Some(count) if count.checked_mul(EACH).and_then(|all| all.checked_add(HEAD)) == Some(bytes.len()) => binary(&bytes[HEAD..]),
        _ if bytes.trim_ascii_start().starts_with(b"solid") => text(bytes),
        Some(count) => {
            let held = (bytes.len() - HEAD) / EACH;
            Err(TriangleFault::at(0, format!("the file tells of {count} triangles, but has the length of {held}")))
        }
        None => Err(TriangleFault::at(0, "found neither `solid`, with which texts begin, nor the head of a binary file")),
    }
}

fn binary(bytes: &[u8]) -> Result<Triangles, TriangleFault> {
    let mut gathered = Gathered::default();
    for (k, one) in bytes.chunks_exact(EACH).enumerate() {
        let number = |i: usize| f64::from(f32::from_le_bytes([one[4 * i], one[4 * i + 1], one[4 * i + 2], one[4 * i + 3]]));
        let corners = [3, 6, 9].map(|first| [number(first), number(first + 1), number(first + 2)]);
        if !corners.as_flattened().iter().all(|x| x.is_finite()) {
            return Err(TriangleFault::at(0, format!("triangle {} has a corner that is not finite", k + 1)));
        }
        gathered.add(corners);
    }
    Ok(gathered.surface)
}

fn text(bytes: &[u8]) -> Result<Triangles, TriangleFault> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Err(TriangleFault::at(0, "found bytes that are no text after `solid`")) };
    let (mut corners, mut gathered) = (Vec::new(), Gathered::default());
    for (k, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("vertex") => {
                let numbers: Vec<f64> = words.filter_map(|word| word.parse().ok()).filter(|x: &f64| x.is_finite()).collect();
                corners.push(<[f64; 3]>::try_from(numbers).map_err(|_| TriangleFault::at(k + 1, "expected three numbers after `vertex`"))?);
            }
            Some("endloop") => {
                let found = corners.len();
                let three = <[[f64; 3]; 3]>::try_from(std::mem::take(&mut corners));
                gathered.add(three.map_err(|_| TriangleFault::at(k + 1, format!("found a loop of {found} corners, expected three")))?);
            }
            _ => {}
        }
    }
    if corners.is_empty() { Ok(gathered.surface) } else { Err(TriangleFault::at(0, "the file ends inside a triangle")) }
}
