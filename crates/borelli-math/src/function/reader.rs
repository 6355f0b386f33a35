//! From the text of an expression to a program: recursive descent over tokens, parts without variables computed at once.
//! Not here: which names are variables; the caller says. Running a program (`program`).
//! In: text of bounded length and nesting; out: steps and where in the text each stood, or what is wrong and where.

use super::expression_fault::ExpressionFault;
use super::jet::Jet;
use super::program::{BINARY, Binary, DEPTH, Op, UNARY, Unary};

/// Longest text in bytes.
const LONGEST: usize = 8192;
/// Deepest nesting of parentheses, signs and powers; bounds the recursion of the reader.
const NESTING: usize = 64;

/// A name that is neither a constant nor a function, and what stands after it.
pub(super) struct Word<'a> {
    /// Where it stands, bytes from zero.
    pub position: usize,
    /// The name, without brackets.
    pub name: &'a str,
    /// All of the text after it.
    pub rest: &'a str,
}

/// Which variable a name is.
pub(super) type Resolve<'r> = &'r mut dyn FnMut(Word) -> Result<usize, ExpressionFault>;

/// What was read.
pub(super) struct Reading {
    pub program: Vec<Op>,
    /// Where each step stood, bytes from zero.
    pub places: Vec<usize>,
    /// The sign of a comparison at the top, `<` or `>`; the program is then left side minus right side.
    pub comparison: Option<char>,
}

/// Reads an expression; with `compare` also two of them with `<` or `>` between.
pub(super) fn read(text: &str, compare: bool, resolve: Resolve) -> Result<Reading, ExpressionFault> {
    if text.len() > LONGEST {
        return Err(ExpressionFault::TooLong { length: text.len(), limit: LONGEST });
    }
    let reading = Reading { program: Vec::new(), places: Vec::new(), comparison: None };
    let mut reader = Reader { text, start: 0, end: 0, token: Token::End, reading, depth: 0, nesting: 0, resolve };
    reader.advance()?;
    reader.sum()?;
    if let Token::Symbol(sign @ ('<' | '>')) = reader.token
        && compare
    {
        let position = reader.start;
        reader.advance()?;
        reader.sum()?;
        reader.apply_binary(position, Binary::Subtract);
        reader.reading.comparison = Some(sign);
    }
    match reader.token {
        Token::End => Ok(reader.reading),
        _ => Err(reader.unexpected("an operator or the end")),
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Number(f64),
    Name(&'a str),
    /// A name in brackets, always a variable.
    Bracketed(&'a str),
    Symbol(char),
    End,
}

/// Recursive descent; every cycle of the recursion passes `signed`, where the nesting is counted.
struct Reader<'a, 'r> {
    text: &'a str,
    /// Extent of the current token.
    start: usize,
    end: usize,
    token: Token<'a>,
    reading: Reading,
    /// Results on the stack after the program so far.
    depth: usize,
    nesting: usize,
    resolve: Resolve<'r>,
}

impl<'a> Reader<'a, '_> {
    /// Goes to the next token.
    fn advance(&mut self) -> Result<(), ExpressionFault> {
        let rest = self.text[self.end..].trim_start();
        self.start = self.text.len() - rest.len();
        let count = |accept: fn(&u8) -> bool, text: &str| text.bytes().take_while(accept).count();
        let mut next = rest.chars();
        let (token, length) = match next.next() {
            None => (Token::End, 0),
            Some(c) if c.is_ascii_digit() || c == '.' && next.next().is_some_and(|c| c.is_ascii_digit()) => {
                let mut length = count(|b| b.is_ascii_digit() || *b == b'.', rest);
                // An exponent only if digits follow, since `e` is also a constant.
                let tail = &rest[length..];
                let sign = if tail.len() > 1 && matches!(tail.as_bytes()[1], b'+' | b'-') { 2 } else { 1 };
                if tail.starts_with(['e', 'E']) {
                    let digits = count(u8::is_ascii_digit, &tail[sign..]);
                    length += if digits > 0 { sign + digits } else { 0 };
                }
                (self.number(&rest[..length])?, length)
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let mut length = count(is_of_name, rest);
                // A point belongs to the name where the next part begins with a letter.
                while let [b'.', letter, ..] = &rest.as_bytes()[length..]
                    && letter.is_ascii_alphabetic()
                {
                    length += 1 + count(is_of_name, &rest[length + 1..]);
                }
                (Token::Name(&rest[..length]), length)
            }
            Some('[') => match rest.find(']') {
                Some(length) => (Token::Bracketed(rest[1..length].trim()), length + 1),
                None => {
                    let (position, found) = (self.start, "`[`".into());
                    return Err(ExpressionFault::Unexpected { position, found, expected: "a name closed by `]`" });
                }
            },
            Some(c) => (Token::Symbol(c), c.len_utf8()),
        };
        (self.token, self.end) = (token, self.start + length);
        Ok(())
    }

    fn number(&self, text: &str) -> Result<Token<'a>, ExpressionFault> {
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Token::Number(value)),
            Ok(_) => Err(ExpressionFault::NumberTooLarge { position: self.start, text: text.into() }),
            Err(_) => Err(ExpressionFault::Unexpected { position: self.start, found: format!("`{text}`"), expected: "a number" }),
        }
    }

    fn unexpected(&self, expected: &'static str) -> ExpressionFault {
        let found = match self.token {
            Token::End => "the end".into(),
            _ => format!("`{}`", &self.text[self.start..self.end]),
        };
        ExpressionFault::Unexpected { position: self.start, found, expected }
    }

    fn require(&mut self, symbol: char, expected: &'static str) -> Result<(), ExpressionFault> {
        if self.token != Token::Symbol(symbol) {
            return Err(self.unexpected(expected));
        }
        self.advance()
    }

    /// Puts a result on the stack.
    fn push(&mut self, op: Op) -> Result<(), ExpressionFault> {
        if self.depth == DEPTH {
            return Err(ExpressionFault::TooDeep { position: self.start, limit: DEPTH });
        }
        self.depth += 1;
        self.add(self.start, op);
        Ok(())
    }

    fn add(&mut self, position: usize, op: Op) {
        self.reading.program.push(op);
        self.reading.places.push(position);
    }

    fn apply_unary(&mut self, position: usize, unary: Unary) {
        match self.reading.program.last_mut() {
            Some(Op::Number(a)) => *a = unary.of(Jet::constant(*a)).value(),
            _ => self.add(position, Op::Unary(unary)),
        }
    }

    fn apply_binary(&mut self, position: usize, binary: Binary) {
        self.depth -= 1;
        match self.reading.program[..] {
            // the result stands where the first number stood
            [.., Op::Number(ref mut a), Op::Number(b)] => {
                *a = binary.of(Jet::constant(*a), Jet::constant(b)).value();
                self.reading.program.pop();
                self.reading.places.pop();
            }
            _ => self.add(position, Op::Binary(binary)),
        }
    }

    fn sum(&mut self) -> Result<(), ExpressionFault> {
        self.product()?;
        loop {
            let binary = match self.token {
                Token::Symbol('+') => Binary::Add,
                Token::Symbol('-') => Binary::Subtract,
                _ => return Ok(()),
            };
            let position = self.start;
            self.advance()?;
            self.product()?;
            self.apply_binary(position, binary);
        }
    }

    fn product(&mut self) -> Result<(), ExpressionFault> {
        self.signed()?;
        loop {
            let binary = match self.token {
                Token::Symbol('*') => Binary::Multiply,
                Token::Symbol('/') => Binary::Divide,
                _ => return Ok(()),
            };
            let position = self.start;
            self.advance()?;
            self.signed()?;
            self.apply_binary(position, binary);
        }
    }

    /// A power with or without a sign in front.
    fn signed(&mut self) -> Result<(), ExpressionFault> {
        if self.nesting == NESTING {
            return Err(ExpressionFault::TooDeep { position: self.start, limit: NESTING });
        }
        self.nesting += 1;
        let position = self.start;
        if self.token == Token::Symbol('-') {
            self.advance()?;
            self.signed()?;
            self.apply_unary(position, Unary::Negate);
        } else {
            self.primary()?;
            if self.token == Token::Symbol('^') {
                let position = self.start;
                self.advance()?;
                self.signed()?;
                self.apply_binary(position, Binary::Power);
            }
        }
        self.nesting -= 1;
        Ok(())
    }

    fn primary(&mut self) -> Result<(), ExpressionFault> {
        match self.token {
            Token::Number(value) => self.push(Op::Number(value))?,
            Token::Name(name) => return self.name(name),
            Token::Bracketed(name) => self.variable(name)?,
            Token::Symbol('(') => {
                self.advance()?;
                self.sum()?;
                return self.require(')', "an operator or `)`");
            }
            _ => return Err(self.unexpected("a number, a name, `-` or `(`")),
        }
        self.advance()
    }

    fn name(&mut self, name: &'a str) -> Result<(), ExpressionFault> {
        let function = |known: &str| known == name;
        if let Some((_, unary)) = UNARY.iter().find(|(known, _)| function(known)) {
            let position = self.open()?;
            self.sum()?;
            self.apply_unary(position, *unary);
            return self.require(')', "an operator or `)`");
        }
        if let Some((_, binary)) = BINARY.iter().find(|(known, _)| function(known)) {
            let position = self.open()?;
            self.sum()?;
            self.require(',', "an operator or `,`")?;
            self.sum()?;
            self.apply_binary(position, *binary);
            return self.require(')', "an operator or `)`");
        }
        match name {
            "pi" => self.push(Op::Number(std::f64::consts::PI))?,
            "e" => self.push(Op::Number(std::f64::consts::E))?,
            _ => self.variable(name)?,
        }
        self.advance()
    }

    fn variable(&mut self, name: &'a str) -> Result<(), ExpressionFault> {
        let index = (self.resolve)(Word { position: self.start, name, rest: &self.text[self.end..] })?;
        self.push(Op::Variable(index))
    }

    /// Passes the name of a function and its `(`; gives where the name stood.
    fn open(&mut self) -> Result<usize, ExpressionFault> {
        let position = self.start;
        self.advance()?;
        self.require('(', "`(`")?;
        Ok(position)
    }
}

/// Letters, digits and `_`.
pub(super) fn is_of_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}
