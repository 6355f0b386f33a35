//! A mutation harness for readers: spoiled inputs, those kept that made the reader say something new, panics caught with their input.
//! Not here: the readers; seeds and a dictionary are the caller's.
//! In: seeds, words of the format, a number. Out: how many inputs were tried, or the one that made the reader panic.

use borelli_math::random::Random;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The longest input, bytes.
const LONGEST: usize = 1 << 16;
/// Inputs kept because they were answered in a new way.
const KEPT: usize = 4000;

/// An input that made the reader panic.
#[derive(Clone, Debug)]
pub struct Crash {
    /// The input.
    pub input: Vec<u8>,
    /// How many inputs had been tried.
    pub executions: u64,
    /// What the panic said.
    pub said: String,
}

/// Inputs and how they are spoiled. The same seed gives the same inputs.
pub struct Fuzzer {
    random: Random,
    inputs: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
    answers: BTreeSet<String>,
}

impl Fuzzer {
    /// A harness with some sound inputs and words that mean something to the reader.
    pub fn new(seed: u64, seeds: Vec<Vec<u8>>, words: &[&[u8]]) -> Fuzzer {
        let inputs = if seeds.is_empty() { vec![Vec::new()] } else { seeds };
        Fuzzer { random: Random::new(seed), inputs, words: words.iter().map(|word| word.to_vec()).collect(), answers: BTreeSet::new() }
    }

    /// Inputs kept so far, seeds included.
    pub fn kept(&self) -> usize {
        self.inputs.len()
    }

    /// Tries inputs while `go_on` (asked with the number of tries) allows it. `reader` answers with a few words; inputs with new answers are kept and
    /// spoiled further.
    pub fn run(&mut self, mut go_on: impl FnMut(u64) -> bool, reader: impl Fn(&[u8]) -> String) -> Result<u64, Crash> {
        let mut executions = 0;
        while go_on(executions) {
            let seeds = self.inputs.len() as u64;
            // every input itself once, then spoiled ones
            let input = if executions < seeds && self.answers.len() < seeds as usize {
                self.inputs[executions as usize].clone()
            } else {
                self.spoiled()
            };
            executions += 1;
            match catch_unwind(AssertUnwindSafe(|| reader(&input))) {
                Ok(answer) => {
                    if self.answers.insert(answer) && self.inputs.len() < KEPT {
                        self.inputs.push(input);
                    }
                }
                Err(panic) => {
                    let words =
                        panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
                    return Err(Crash { input, executions, said: words.unwrap_or_default() });
                }
            }
        }
        Ok(executions)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.random.bits() % limit.max(1) as u64) as usize
    }

    /// One of the inputs with a few places changed.
    fn spoiled(&mut self) -> Vec<u8> {
        let k = self.below(self.inputs.len());
        let mut bytes = self.inputs[k].clone();
        for _ in 0..1 << self.below(4) {
            self.spoil(&mut bytes);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn spoil(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len() + 1);
        let length = 1 + self.below(16);
        let end = (at + length).min(bytes.len());
        match self.below(10) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            3 if at < bytes.len() => bytes[at] = self.random.bits() as u8,
            4 if at + 1 < bytes.len() => {
                let word = [0_u16, 1, 0x7fff, 0x8000, 0xffff, 255, 256][self.below(7)];
                bytes[at..at + 2].copy_from_slice(&word.to_le_bytes());
            }
            5 => {
                let copy = bytes[at..end].to_vec();
                let to = self.below(bytes.len() + 1);
                drop(bytes.splice(to..to, copy));
            }
            6 => {
                let other = self.below(self.inputs.len());
                let from = self.below(self.inputs[other].len() + 1);
                let piece = self.inputs[other][from..].to_vec();
                bytes.truncate(at);
                bytes.extend(piece);
            }
            7 => bytes.splice(at..at, std::iter::repeat_n(self.random.bits() as u8, length)).for_each(drop),
            _ if !self.words.is_empty() => {
                let word = self.below(self.words.len());
                let over = if self.below(2) == 0 { at } else { (at + self.words[word].len()).min(bytes.len()) };
                let word = self.words[word].clone();
                drop(bytes.splice(at..over, word));
            }
            _ => bytes.reverse(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(bytes: &[u8]) -> String {
        let depth = b"fuzz".iter().zip(bytes).take_while(|(a, b)| a == b).count();
        assert!(depth < 4, "found");
        depth.to_string()
    }

    #[test]
    fn a_hidden_panic_is_found_by_steps_and_the_same_seed_finds_it_again() {
        let hunt = || Fuzzer::new(1, vec![b"....".to_vec()], &[]).run(|tries| tries < 2_000_000, reader).expect_err("a crash");
        let (first, second) = (hunt(), hunt());
        assert!(first.input.starts_with(b"fuzz") && first.said == "found");
        assert_eq!((first.input, first.executions), (second.input, second.executions));
    }

    #[test]
    fn a_sound_reader_is_tried_as_often_as_wished() {
        let mut fuzzer = Fuzzer::new(1, Vec::new(), &[b"word"]);
        assert_eq!(fuzzer.run(|tries| tries < 1000, |bytes| (bytes.len() % 3).to_string()).ok(), Some(1000));
        assert!(fuzzer.kept() <= 4);
    }
}
