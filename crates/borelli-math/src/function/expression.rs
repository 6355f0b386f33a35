//! Expressions: text such as `0.6*sin(2*pi*0.9*x)` read into a flat program that runs on a small stack of jets.
//! Not here: the derivatives of the single operators (`jet`).
//! In: text of bounded length and nesting; out: value and three derivatives at a point, or what is wrong with the text and where.

use super::Continuity;
use super::jet::Jet;
use std::fmt;

/// Longest text in bytes.
const LONGEST: usize = 8192;
/// Deepest nesting of parentheses, signs and powers; bounds the recursion of the reader.
const NESTING: usize = 64;
/// Most intermediate results at once; the size of the stack at evaluation.
const DEPTH: usize = 32;

/// What is wrong with the text of an expression. Positions count bytes from zero.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionFault {
    /// Something else should stand here.
    Unexpected {
        /// Where.
        position: usize,
        /// What stands there.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// Neither the variable nor a constant nor a function.
    UnknownName {
        /// Where.
        position: usize,
        /// The name.
        name: String,
    },
    /// Both `x` and `t` are used, though there is one variable only.
    MixedVariables {
        /// Where the second one stands.
        position: usize,
    },
    /// A number beyond the largest one.
    NumberTooLarge {
        /// Where.
        position: usize,
        /// The number as written.
        text: String,
    },
    /// Too deeply nested, or too many intermediate results at once.
    TooDeep {
        /// Where the limit is passed.
        position: usize,
        /// The limit.
        limit: usize,
    },
    /// Text too long.
    TooLong {
        /// Bytes given.
        length: usize,
        /// Most bytes.
        limit: usize,
    },
}

impl fmt::Display for ExpressionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpressionFault::Unexpected { position, found, expected } => {
                write!(f, "byte {position}: found {found}, expected {expected}\n  hint: operators are + - * / ^; products need their *")
            }
            ExpressionFault::UnknownName { position, name } => {
                write!(f, "byte {position}: unknown name `{name}`\n  hint: known are x (or t) pi e")?;
                UNARY.iter().map(|(name, _)| name).chain(BINARY.iter().map(|(name, _)| name)).try_for_each(|name| write!(f, " {name}"))
            }
            ExpressionFault::MixedVariables { position } => {
                write!(f, "byte {position}: both x and t are used\n  hint: there is one variable; call it either x or t")
            }
            ExpressionFault::NumberTooLarge { position, text } => {
                write!(f, "byte {position}: number `{text}` is too large\n  hint: the largest is {:e}", f64::MAX)
            }
            ExpressionFault::TooDeep { position, limit } => {
                write!(f, "byte {position}: more than {limit} levels deep\n  hint: drop parentheses or split the expression")
            }
            ExpressionFault::TooLong { length, limit } => {
                write!(f, "expression has {length} bytes, at most {limit} are read\n  hint: use a table")
            }
        }
    }
}

impl std::error::Error for ExpressionFault {}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Unary {
    Negate,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Sqrt,
    Abs,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max,
    Atan2,
}

const UNARY: [(&str, Unary); 13] = [
    ("sin", Unary::Sin),
    ("cos", Unary::Cos),
    ("tan", Unary::Tan),
    ("asin", Unary::Asin),
    ("acos", Unary::Acos),
    ("atan", Unary::Atan),
    ("sinh", Unary::Sinh),
    ("cosh", Unary::Cosh),
    ("tanh", Unary::Tanh),
    ("exp", Unary::Exp),
    ("ln", Unary::Ln),
    ("sqrt", Unary::Sqrt),
    ("abs", Unary::Abs),
];

const BINARY: [(&str, Binary); 3] = [("min", Binary::Min), ("max", Binary::Max), ("atan2", Binary::Atan2)];

impl Unary {
    fn of(self, a: Jet) -> Jet {
        match self {
            Unary::Negate => -a,
            Unary::Sin => a.sin(),
            Unary::Cos => a.cos(),
            Unary::Tan => a.tan(),
            Unary::Asin => a.asin(),
            Unary::Acos => a.acos(),
            Unary::Atan => a.atan(),
            Unary::Sinh => a.sinh(),
            Unary::Cosh => a.cosh(),
            Unary::Tanh => a.tanh(),
            Unary::Exp => a.exp(),
            Unary::Ln => a.ln(),
            Unary::Sqrt => a.sqrt(),
            Unary::Abs => a.abs(),
        }
    }
}

impl Binary {
    fn of(self, a: Jet, b: Jet) -> Jet {
        match self {
            Binary::Add => a + b,
            Binary::Subtract => a - b,
            Binary::Multiply => a * b,
            Binary::Divide => a / b,
            Binary::Power => a.pow(b),
            Binary::Min => a.min(b),
            Binary::Max => a.max(b),
            Binary::Atan2 => a.atan2(b),
        }
    }
}

/// One step of the program.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Number(f64),
    Variable,
    Unary(Unary),
    Binary(Binary),
}

/// A function given by text.
///
/// One variable, `x` or `t`; constants `pi`, `e`; operators `+ - * / ^` (`^` binds to the right and before the sign: `-x^2` is
/// `-(x^2)`); `sin cos tan asin acos atan sinh cosh tanh exp ln sqrt abs`, `min(a,b) max(a,b) atan2(y,x)`. Angles in radians.
/// Outside the domain of its functions the value is infinite or not a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    program: Vec<Op>,
    /// Units of the text: the value is `value` times the program at `x / argument`.
    value: f64,
    argument: f64,
}

impl Expression {
    /// Reads an expression. Parts without the variable are computed at once.
    pub fn parse(text: &str) -> Result<Expression, ExpressionFault> {
        if text.len() > LONGEST {
            return Err(ExpressionFault::TooLong { length: text.len(), limit: LONGEST });
        }
        let mut reader = Reader { text, start: 0, end: 0, token: Token::End, program: Vec::new(), depth: 0, nesting: 0, variable: None };
        reader.advance()?;
        reader.sum()?;
        match reader.token {
            Token::End => Ok(Expression { program: reader.program, value: 1.0, argument: 1.0 }),
            _ => Err(reader.unexpected("an operator or the end")),
        }
    }

    /// The expression `e` read in other units: `f(x) = value e(x/argument)`, hence `f' = value/argument e'` and so on.
    ///
    /// `value` and `argument` are what one unit of either is worth; `argument` is not zero. Scaling again multiplies.
    pub fn scaled(self, value: f64, argument: f64) -> Expression {
        Expression { value: self.value * value, argument: self.argument * argument, ..self }
    }

    /// Value and three derivatives at `x`.
    pub fn derivatives(&self, x: f64) -> [f64; 4] {
        let z = x / self.argument;
        let mut stack = [Jet::ZERO; DEPTH];
        let mut top = 0;
        for op in &self.program {
            match *op {
                Op::Number(value) => {
                    stack[top] = Jet::constant(value);
                    top += 1;
                }
                Op::Variable => {
                    stack[top] = Jet::variable(z);
                    top += 1;
                }
                Op::Unary(unary) => stack[top - 1] = unary.of(stack[top - 1]),
                Op::Binary(binary) => {
                    top -= 1;
                    stack[top - 1] = binary.of(stack[top - 1], stack[top]);
                }
            }
        }
        let mut scale = self.value;
        stack[0].0.map(|derivative| {
            let scaled = derivative * scale;
            scale /= self.argument;
            scaled
        })
    }

    /// C0 with `abs`, `min` or `max`, else smooth; inside the domain of the functions and away from poles and the cut of `atan2`.
    pub fn continuity(&self) -> Continuity {
        let kink = |op: &Op| matches!(op, Op::Unary(Unary::Abs) | Op::Binary(Binary::Min | Binary::Max));
        if self.program.iter().any(kink) { Continuity::C0 } else { Continuity::Smooth }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Number(f64),
    Name(&'a str),
    Symbol(char),
    End,
}

/// Recursive descent; every cycle of the recursion passes `signed`, where the nesting is counted.
struct Reader<'a> {
    text: &'a str,
    /// Extent of the current token.
    start: usize,
    end: usize,
    token: Token<'a>,
    program: Vec<Op>,
    /// Results on the stack after the program so far.
    depth: usize,
    nesting: usize,
    /// Name of the variable, once seen.
    variable: Option<&'a str>,
}

impl<'a> Reader<'a> {
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
                let length = count(|b| b.is_ascii_alphanumeric() || *b == b'_', rest);
                (Token::Name(&rest[..length]), length)
            }
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
        self.program.push(op);
        Ok(())
    }

    fn apply_unary(&mut self, unary: Unary) {
        match self.program.last_mut() {
            Some(Op::Number(a)) => *a = unary.of(Jet::constant(*a)).value(),
            _ => self.program.push(Op::Unary(unary)),
        }
    }

    fn apply_binary(&mut self, binary: Binary) {
        self.depth -= 1;
        match self.program[..] {
            [.., Op::Number(a), Op::Number(b)] => {
                self.program.truncate(self.program.len() - 2);
                self.program.push(Op::Number(binary.of(Jet::constant(a), Jet::constant(b)).value()));
            }
            _ => self.program.push(Op::Binary(binary)),
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
            self.advance()?;
            self.product()?;
            self.apply_binary(binary);
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
            self.advance()?;
            self.signed()?;
            self.apply_binary(binary);
        }
    }

    /// A power with or without a sign in front.
    fn signed(&mut self) -> Result<(), ExpressionFault> {
        if self.nesting == NESTING {
            return Err(ExpressionFault::TooDeep { position: self.start, limit: NESTING });
        }
        self.nesting += 1;
        if self.token == Token::Symbol('-') {
            self.advance()?;
            self.signed()?;
            self.apply_unary(Unary::Negate);
        } else {
            self.primary()?;
            if self.token == Token::Symbol('^') {
                self.advance()?;
                self.signed()?;
                self.apply_binary(Binary::Power);
            }
        }
        self.nesting -= 1;
        Ok(())
    }

    fn primary(&mut self) -> Result<(), ExpressionFault> {
        match self.token {
            Token::Number(value) => self.push(Op::Number(value))?,
            Token::Name(name) => return self.name(name),
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
        let position = self.start;
        match name {
            "pi" => self.push(Op::Number(std::f64::consts::PI))?,
            "e" => self.push(Op::Number(std::f64::consts::E))?,
            "x" | "t" => {
                if *self.variable.get_or_insert(name) != name {
                    return Err(ExpressionFault::MixedVariables { position });
                }
                self.push(Op::Variable)?;
            }
            _ => return self.call(name),
        }
        self.advance()
    }

    fn call(&mut self, name: &str) -> Result<(), ExpressionFault> {
        let unary = UNARY.iter().find(|(known, _)| *known == name);
        let binary = BINARY.iter().find(|(known, _)| *known == name);
        if unary.is_none() && binary.is_none() {
            return Err(ExpressionFault::UnknownName { position: self.start, name: name.into() });
        }
        self.advance()?;
        self.require('(', "`(`")?;
        self.sum()?;
        if let Some((_, binary)) = binary {
            self.require(',', "an operator or `,`")?;
            self.sum()?;
            self.apply_binary(*binary);
        }
        if let Some((_, unary)) = unary {
            self.apply_unary(*unary);
        }
        self.require(')', "an operator or `)`")
    }
}
