//! Lists of numbers as text: little-endian bytes in base 64 (RFC 4648, section 4). Bit for bit, and shorter than digits.
//! Not here: what the lists mean.
//! In: numbers. Out: `{"f64":"…"}`, and back.

use serde_json::Value;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Adds bytes in base 64, with padding.
fn add_base64(out: &mut String, bytes: &[u8]) {
    out.reserve(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = u32::from(chunk[0]) << 16 | u32::from(*chunk.get(1).unwrap_or(&0)) << 8 | u32::from(*chunk.get(2).unwrap_or(&0));
        for k in 0..4 {
            // n bytes are n + 1 digits
            out.push(if k <= chunk.len() { DIGITS[(word >> (18 - 6 * k) & 63) as usize] as char } else { '=' });
        }
    }
}

/// Bytes from base 64; nothing where the text is none.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(4) {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3);
    for (k, chunk) in digits.chunks(4).enumerate() {
        let known = chunk.iter().take_while(|digit| **digit != b'=').count();
        let last = 4 * (k + 1) == digits.len();
        if known < 2 || (known < 4 && !last) || chunk[known..].iter().any(|digit| *digit != b'=') {
            return None;
        }
        let mut word = 0_u32;
        for digit in &chunk[..known] {
            word = word << 6 | DIGITS.iter().position(|known| known == digit)? as u32;
        }
        word <<= 6 * (4 - known);
        bytes.extend(word.to_be_bytes().into_iter().skip(1).take(known - 1));
    }
    Some(bytes)
}

fn packed<const WIDTH: usize>(kind: &str, list: impl Iterator<Item = [u8; WIDTH]>) -> String {
    let bytes: Vec<u8> = list.flatten().collect();
    let mut out = format!("{{\"{kind}\":\"");
    add_base64(&mut out, &bytes);
    out.push_str("\"}");
    out
}

/// Numbers with all their bits; missing is NaN.
pub(in crate::report) fn f64s(list: impl Iterator<Item = f64>) -> String {
    packed("f64", list.map(f64::to_le_bytes))
}

/// Indices.
pub(in crate::report) fn u32s(list: impl Iterator<Item = u32>) -> String {
    packed("u32", list.map(u32::to_le_bytes))
}

/// Numbers with seven digits; missing is NaN.
pub(in crate::report) fn f32s(list: impl Iterator<Item = f32>) -> String {
    packed("f32", list.map(f32::to_le_bytes))
}

/// Parts of 65535.
pub(in crate::report) fn u16s(list: impl Iterator<Item = u16>) -> String {
    packed("u16", list.map(u16::to_le_bytes))
}

/// A list as a value of a larger piece of JSON.
fn value<const WIDTH: usize>(kind: &str, list: impl Iterator<Item = [u8; WIDTH]>) -> Value {
    let bytes: Vec<u8> = list.flatten().collect();
    let mut text = String::new();
    add_base64(&mut text, &bytes);
    serde_json::json!({ kind: text })
}

/// Numbers as such a value.
pub fn f64s_value(list: &[f64]) -> Value {
    value("f64", list.iter().map(|x| x.to_le_bytes()))
}

/// The same with seven digits.
pub fn f32s_value(list: &[f32]) -> Value {
    value("f32", list.iter().map(|x| x.to_le_bytes()))
}

/// Indices as such a value.
pub(super) fn u32s_value(list: &[u32]) -> Value {
    value("u32", list.iter().map(|x| x.to_le_bytes()))
}

/// Bytes of a packed list of a kind; nothing where it is none.
pub(super) fn bytes_of(value: &Value, kind: &str) -> Option<Vec<u8>> {
    from_base64(value.get(kind)?.as_str()?)
}

/// Numbers out of such a value; nothing where it is none.
pub fn f64s_of(value: &Value) -> Option<Vec<f64>> {
    let bytes = bytes_of(value, "f64")?;
    let (list, rest) = bytes.as_chunks::<8>();
    rest.is_empty().then(|| list.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect())
}

/// Numbers with seven digits out of such a value; nothing where it is none.
pub fn f32s_of(value: &Value) -> Option<Vec<f32>> {
    let bytes = bytes_of(value, "f32")?;
    let (list, rest) = bytes.as_chunks::<4>();
    rest.is_empty().then(|| list.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect())
}

/// Indices out of such a value; nothing where it is none.
pub(super) fn u32s_of(value: &Value) -> Option<Vec<u32>> {
    let bytes = bytes_of(value, "u32")?;
    let (list, rest) = bytes.as_chunks::<4>();
    rest.is_empty().then(|| list.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        let mut out = String::new();
        add_base64(&mut out, bytes);
        out
    }

    #[test]
    fn the_examples_of_the_standard_come_out_and_back() {
        // RFC 4648, section 10
        for (bytes, digits) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(text(bytes.as_bytes()), digits);
            assert_eq!(from_base64(digits).as_deref(), Some(bytes.as_bytes()));
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(from_base64(&text(&all)), Some(all));
        for wrong in ["Zg=", "Z===", "Zg==Zg==", "Zm9!", "Zm\u{e9}", "====", "Z=8="] {
            assert_eq!(from_base64(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_keep_every_bit() {
        // 1.0 is 3ff0 0000 0000 0000, lowest byte first
        assert_eq!(f64s([1.0].into_iter()), "{\"f64\":\"AAAAAAAA8D8=\"}");
        assert_eq!(u32s([1, 256].into_iter()), "{\"u32\":\"AQAAAAABAAA=\"}");
        assert_eq!(f32s([1.0].into_iter()), "{\"f32\":\"AACAPw==\"}");
        assert_eq!(u16s([65535].into_iter()), "{\"u16\":\"//8=\"}");
        let list = [0.0, -0.0, 1.0 / 3.0, f64::MAX, 5e-324, f64::NAN, f64::INFINITY];
        let back = f64s_of(&f64s_value(&list)).expect("numbers");
        assert!(back.iter().map(|x| x.to_bits()).eq(list.iter().map(|x| x.to_bits())));
        assert_eq!(f64s_of(&serde_json::json!({ "f64": "AAAA" })), None);
        assert_eq!(f64s_of(&serde_json::json!([1.0])), None);
    }
}
