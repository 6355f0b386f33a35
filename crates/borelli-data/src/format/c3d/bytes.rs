//! Numbers as three makes of computers stored them.
//! Not here: what the numbers mean.
//! In: two or four bytes. Out: numbers.

/// How a file stores numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Processor {
    /// Low byte first, IEEE 754.
    Intel,
    /// Low byte first; floats of the VAX.
    Dec,
    /// High byte first, IEEE 754.
    Sgi,
}

impl Processor {
    /// The processor of the fourth byte of the parameters.
    pub fn of(byte: u8) -> Option<Processor> {
        match byte {
            84 => Some(Processor::Intel),
            85 => Some(Processor::Dec),
            86 => Some(Processor::Sgi),
            _ => None,
        }
    }

    /// A name for people.
    pub fn name(self) -> &'static str {
        match self {
            Processor::Intel => "Intel",
            Processor::Dec => "DEC",
            Processor::Sgi => "SGI",
        }
    }

    /// A whole number without sign at a place of `bytes`, which must be there.
    pub fn unsigned(self, bytes: &[u8], at: usize) -> u16 {
        let pair = [bytes[at], bytes[at + 1]];
        if self == Processor::Sgi { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
    }

    /// A whole number with sign.
    pub fn signed(self, bytes: &[u8], at: usize) -> i16 {
        self.unsigned(bytes, at) as i16
    }

    /// A float of four bytes.
    ///
    /// DEC: with the two words as stored, bits = w₀ 2¹⁶ + w₁ read as IEEE 754 are four times the number; zero where the exponent is zero.
    /// Exponent 255, no number in IEEE 754, is an ordinary one here, so the number is put together by hand.
    ///
    /// Tests: `dec_floats_are_those_of_the_vax`.
    pub fn float(self, bytes: &[u8], at: usize) -> f64 {
        let four = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        match self {
            Processor::Intel => f64::from(f32::from_le_bytes(four)),
            Processor::Sgi => f64::from(f32::from_be_bytes(four)),
            Processor::Dec => {
                let bits = u32::from(self.unsigned(bytes, at)) << 16 | u32::from(self.unsigned(bytes, at + 2));
                let exponent = (bits >> 23) & 0xff;
                if exponent == 0 {
                    return 0.0;
                }
                let sign = u64::from(bits >> 31) << 63;
                let raised = (u64::from(exponent) + 1023 - 127 - 2) << 52;
                f64::from_bits(sign | raised | u64::from(bits & 0x7f_ffff) << 29)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dec_floats_are_those_of_the_vax() {
        // from the handbook of the VAX: 1.0 is 0x00004080 as a little-endian long word, -1.5 is 0x0000c0c0
        assert_eq!(Processor::Dec.float(&[0x80, 0x40, 0, 0], 0), 1.0);
        assert_eq!(Processor::Dec.float(&[0xc0, 0xc0, 0, 0], 0), -1.5);
        assert_eq!(Processor::Dec.float(&[0, 0, 0, 0], 0), 0.0);
        assert_eq!(Processor::Dec.float(&[0x7f, 0x00, 1, 0], 0), 0.0);
        let largest = Processor::Dec.float(&[0xff, 0x7f, 0xff, 0xff], 0);
        assert!((largest / 2f64.powi(127) - 1.0).abs() < 1e-7, "{largest}");
    }

    #[test]
    fn words_follow_their_order() {
        assert_eq!(Processor::Intel.unsigned(&[1, 2], 0), 0x0201);
        assert_eq!(Processor::Sgi.unsigned(&[1, 2], 0), 0x0102);
        assert_eq!(Processor::Dec.signed(&[0xff, 0xff], 0), -1);
        assert_eq!(Processor::Sgi.float(&1.5f32.to_be_bytes(), 0), 1.5);
        assert_eq!(Processor::Intel.float(&1.5f32.to_le_bytes(), 0), 1.5);
    }
}
