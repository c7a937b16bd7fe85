//! Binary floating point (IEEE 754-2019; SA22-7832, chapters 9 and 19): each result is computed
//! exactly and rounded once.

use std::cmp::Ordering;

use super::wide::Wide;

/// A format of `bits` bits, of which `fraction` are the fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) bits: u32,
    fraction: u32,
}

pub(super) const SHORT: Format = Format { bits: 32, fraction: 23 };
pub(super) const LONG: Format = Format { bits: 64, fraction: 52 };
pub(super) const EXTENDED: Format = Format { bits: 128, fraction: 112 };

impl Format {
    fn bias(self) -> i32 {
        (1 << (self.bits - self.fraction - 2)) - 1
    }

    /// The exponent of the last place of subnormal numbers.
    fn least(self) -> i32 {
        1 - self.bias() - self.fraction as i32
    }

    pub(super) fn sign(self) -> u128 {
        1 << (self.bits - 1)
    }

    fn infinity(self) -> u128 {
        self.sign() - (1 << self.fraction)
    }

    fn quiet(self) -> u128 {
        1 << (self.fraction - 1)
    }

    fn with_sign(self, negative: bool, value: u128) -> u128 {
        if negative { value | self.sign() } else { value }
    }
}

/// A rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    Nearest,
    NearestAway,
    Zero,
    Up,
    Down,
    /// An inexact result becomes odd, for a later rounding to a shorter precision.
    Odd,
}

/// IEEE flags, as in the second byte of FPC.
pub(super) const INVALID: u8 = 0x80;
pub(super) const DIVISION: u8 = 0x40;
const OVERFLOW: u8 = 0x20;
const UNDERFLOW: u8 = 0x10;
pub(super) const INEXACT: u8 = 0x08;

/// Rounding mode and raised flags.
#[derive(Clone, Copy, Debug)]
pub(super) struct Control {
    pub(super) rounding: Rounding,
    pub(super) flags: u8,
}

/// A value in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) format: Format,
    pub(super) bits: u128,
}

/// A number that is neither infinite nor a NaN: a sign, and a mantissa times two to an exponent.
#[derive(Clone, Copy)]
struct Finite {
    negative: bool,
    mantissa: u128,
    exponent: i32,
}

impl Number {
    pub(super) fn new(format: Format, bits: u128) -> Number {
        Number { format, bits }
    }

    pub(super) fn is_negative(self) -> bool {
        self.bits & self.format.sign() != 0
    }

    fn magnitude(self) -> u128 {
        self.bits & !self.format.sign()
    }

    pub(super) fn is_nan(self) -> bool {
        self.magnitude() > self.format.infinity()
    }

    pub(super) fn is_signalling(self) -> bool {
        self.is_nan() && self.bits & self.format.quiet() == 0
    }

    fn is_infinite(self) -> bool {
        self.magnitude() == self.format.infinity()
    }

    pub(super) fn is_zero(self) -> bool {
        self.magnitude() == 0
    }

    fn is_subnormal(self) -> bool {
        !self.is_zero() && self.magnitude() >> self.format.fraction == 0
    }

    fn finite(self) -> Finite {
        let exponent = (self.magnitude() >> self.format.fraction) as i32;
        let fraction = self.magnitude() & ((1 << self.format.fraction) - 1);
        let hidden = if exponent == 0 { 0 } else { 1 << self.format.fraction };
        let exponent = self.format.least() + (exponent - 1).max(0);
        Finite { negative: self.is_negative(), mantissa: hidden | fraction, exponent }
    }

    fn same(self, bits: u128) -> Number {
        Number { bits, ..self }
    }

    pub(super) fn quieted(self) -> Number {
        self.same(self.bits | self.format.quiet())
    }

    pub(super) fn negated(self) -> Number {
        self.same(self.bits ^ self.format.sign())
    }

    /// The bit of TEST DATA CLASS: zero, normal, subnormal, infinity, quiet and signalling NaN,
    /// each with one bit for plus and one for minus.
    pub(super) fn class(self) -> u32 {
        let pair = match () {
            () if self.is_zero() => 0,
            () if self.is_signalling() => 5,
            () if self.is_nan() => 4,
            () if self.is_infinite() => 3,
            () if self.is_subnormal() => 2,
            () => 1,
        };
        0x800 >> (2 * pair + u32::from(self.is_negative()))
    }
}

impl Control {
    fn invalid(&mut self, format: Format) -> Number {
        self.flags |= INVALID;
        Number::new(format, format.infinity() | format.quiet())
    }

    /// The NaN that results from the operands: the first signalling one, else the first; `None`
    /// without a NaN.
    pub(super) fn nan(&mut self, operands: &[Number]) -> Option<Number> {
        if let Some(signalling) = operands.iter().find(|one| one.is_signalling()) {
            self.flags |= INVALID;
            return Some(signalling.quieted());
        }
        operands.iter().find(|one| one.is_nan()).copied()
    }

    /// Returns true if rounding increments the magnitude. `half` compares the discarded rest, which
    /// is not zero, to half a place.
    fn goes_up(&self, negative: bool, is_odd: bool, half: Ordering) -> bool {
        match self.rounding {
            Rounding::Nearest => half == Ordering::Greater || half == Ordering::Equal && is_odd,
            Rounding::NearestAway => half != Ordering::Less,
            Rounding::Zero => false,
            Rounding::Up => !negative,
            Rounding::Down => negative,
            Rounding::Odd => !is_odd,
        }
    }

    /// A mantissa without its last bits, rounded, and whether it was exact. `more`: the true value
    /// is slightly larger than the mantissa.
    fn rounded(&self, negative: bool, mantissa: Wide, by: i32, more: bool) -> (Wide, bool) {
        let Ok(by) = u32::try_from(by) else { return (mantissa.shl(by.unsigned_abs()), !more) };
        if by == 0 && !more {
            return (mantissa, true);
        }
        let by_all = by.min(Wide::BITS - 1);
        let (kept, has_rest) = mantissa.shr(by_all);
        let is_far = by > mantissa.bits();
        let half = match by_all.checked_sub(1).filter(|_| !is_far).map(|at| (mantissa.bit(at), at)) {
            None | Some((false, _)) => Ordering::Less,
            Some((true, at)) if more || mantissa.shr(at).1 => Ordering::Greater,
            Some((true, _)) => Ordering::Equal,
        };
        if !has_rest && !more {
            return (kept, true);
        }
        let up = self.goes_up(negative, kept.bit(0), half);
        (if up { kept.plus(Wide::new(1)) } else { kept }, false)
    }

    /// A result, rounded to `format`.
    fn result(&mut self, format: Format, negative: bool, mantissa: Wide, exponent: i32, more: bool) -> Number {
        let sized = |value| Number::new(format, format.with_sign(negative, value));
        if mantissa.is_zero() && !more {
            return sized(0);
        }
        let precision = format.fraction as i32 + 1;
        let top = exponent + mantissa.bits() as i32;
        let last = (top - precision).max(format.least());
        let is_tiny = top - 1 < 1 - format.bias();
        let (kept, is_exact) = self.rounded(negative, mantissa, last - exponent, more);
        if !is_exact {
            self.flags |= INEXACT | if is_tiny { UNDERFLOW } else { 0 };
        }
        // A carry out of the mantissa increments the exponent by itself.
        let hidden = 1_u128 << format.fraction;
        let value = match kept.low() {
            subnormal if subnormal < hidden => subnormal,
            normal => (((last - format.least()) as u128) << format.fraction) + normal,
        };
        if value < format.infinity() {
            return sized(value);
        }
        self.flags |= OVERFLOW | INEXACT;
        let is_infinite = match self.rounding {
            Rounding::Nearest | Rounding::NearestAway => true,
            Rounding::Zero | Rounding::Odd => false,
            Rounding::Up => !negative,
            Rounding::Down => negative,
        };
        sized(if is_infinite { format.infinity() } else { format.infinity() - 1 })
    }

    /// The sum of two values with mantissas of up to twice the width.
    fn sum(&mut self, format: Format, left: (bool, Wide, i32), right: (bool, Wide, i32)) -> Number {
        let top = |(_, mantissa, exponent): &(bool, Wide, i32)| *exponent + mantissa.bits() as i32;
        let is_zero = |(_, mantissa, _): &(bool, Wide, i32)| mantissa.is_zero();
        if is_zero(&left) && is_zero(&right) {
            let negative = if left.0 == right.0 { left.0 } else { self.rounding == Rounding::Down };
            return Number::new(format, format.with_sign(negative, 0));
        }
        let is_left = is_zero(&right) || !is_zero(&left) && top(&left) >= top(&right);
        let (large, small) = if is_left { (left, right) } else { (right, left) };
        // The smaller one is shifted so far that only its being nonzero matters for rounding.
        let room = (Wide::BITS - 2 - large.1.bits()) as i32;
        let down = if is_zero(&small) { 0 } else { (large.2 - small.2).clamp(0, room) };
        let (mantissa, exponent) = (large.1.shl(down as u32), large.2 - down);
        let up = small.2 - exponent;
        let (other, is_lost) = match u32::try_from(up) {
            _ if is_zero(&small) => (small.1, false),
            Ok(up) => (small.1.shl(up), false),
            Err(_) => small.1.shr(up.unsigned_abs().min(Wide::BITS - 1)),
        };
        if large.0 == small.0 {
            return self.result(format, large.0, mantissa.plus(other), exponent, is_lost);
        }
        // The lost bits make the difference smaller.
        let other = if is_lost { other.plus(Wide::new(1)) } else { other };
        let (difference, negative) = match mantissa.cmp(other) {
            Ordering::Less => (other.minus(mantissa), small.0),
            Ordering::Equal => (Wide::new(0), self.rounding == Rounding::Down),
            Ordering::Greater => (mantissa.minus(other), large.0),
        };
        self.result(format, negative, difference, exponent, is_lost)
    }

    pub(super) fn add(&mut self, left: Number, right: Number) -> Number {
        if let Some(nan) = self.nan(&[left, right]) {
            return nan;
        }
        match (left.is_infinite(), right.is_infinite()) {
            (true, true) if left.is_negative() != right.is_negative() => return self.invalid(left.format),
            (true, _) => return left,
            (false, true) => return right,
            (false, false) => {}
        }
        let terms =
            [left, right].map(|one| one.finite()).map(|one| (one.negative, Wide::new(one.mantissa), one.exponent));
        self.sum(left.format, terms[0], terms[1])
    }

    pub(super) fn subtract(&mut self, left: Number, right: Number) -> Number {
        self.add(left, if right.is_nan() { right } else { right.negated() })
    }

    pub(super) fn multiply(&mut self, left: Number, right: Number) -> Number {
        if let Some(nan) = self.nan(&[left, right]) {
            return nan;
        }
        let negative = left.is_negative() != right.is_negative();
        let format = left.format;
        if left.is_infinite() || right.is_infinite() {
            let is_invalid = left.is_zero() || right.is_zero();
            let infinity = Number::new(format, format.with_sign(negative, format.infinity()));
            return if is_invalid { self.invalid(format) } else { infinity };
        }
        let (left, right) = (left.finite(), right.finite());
        let product = Wide::product(left.mantissa, right.mantissa);
        self.result(format, negative, product, left.exponent + right.exponent, false)
    }

    /// The product of `left` and `right`, plus `addend`.
    pub(super) fn multiply_add(&mut self, left: Number, right: Number, addend: Number) -> Number {
        let is_invalid = left.is_infinite() && right.is_zero() || left.is_zero() && right.is_infinite();
        if is_invalid {
            return self.invalid(left.format);
        }
        if let Some(nan) = self.nan(&[right, left, addend]) {
            return nan;
        }
        let negative = left.is_negative() != right.is_negative();
        if left.is_infinite() || right.is_infinite() {
            let format = left.format;
            let infinity = Number::new(format, format.with_sign(negative, format.infinity()));
            return self.add(infinity, addend);
        }
        if addend.is_infinite() {
            return addend;
        }
        let (left_value, right_value, added) = (left.finite(), right.finite(), addend.finite());
        let product = Wide::product(left_value.mantissa, right_value.mantissa);
        let exponent = left_value.exponent + right_value.exponent;
        self.sum(
            left.format,
            (negative, product, exponent),
            (added.negative, Wide::new(added.mantissa), added.exponent),
        )
    }

    pub(super) fn divide(&mut self, left: Number, right: Number) -> Number {
        if let Some(nan) = self.nan(&[left, right]) {
            return nan;
        }
        let format = left.format;
        let negative = left.is_negative() != right.is_negative();
        let sized = |value| Number::new(format, format.with_sign(negative, value));
        if left.is_infinite() && right.is_infinite() || left.is_zero() && right.is_zero() {
            return self.invalid(format);
        }
        if left.is_infinite() || right.is_zero() {
            self.flags |= if left.is_infinite() { 0 } else { DIVISION };
            return sized(format.infinity());
        }
        if right.is_infinite() || left.is_zero() {
            return sized(0);
        }
        const MORE: u32 = 240;
        let (left, right) = (left.finite(), right.finite());
        let (quotient, has_rest) = Wide::new(left.mantissa).shl(MORE).divided(Wide::new(right.mantissa));
        self.result(format, negative, quotient, left.exponent - right.exponent - MORE as i32, has_rest)
    }

    pub(super) fn root(&mut self, of: Number) -> Number {
        if let Some(nan) = self.nan(&[of]) {
            return nan;
        }
        if of.is_zero() {
            return of;
        }
        if of.is_negative() {
            return self.invalid(of.format);
        }
        if of.is_infinite() {
            return of;
        }
        let value = of.finite();
        // The exponent must be even.
        let more = 256 + (value.exponent & 1) as u32;
        let (root, has_rest) = Wide::new(value.mantissa).shl(more).root();
        self.result(of.format, false, root, (value.exponent - more as i32) / 2, has_rest)
    }

    /// The order of two numbers; `None` if unordered. A signalling comparison raises the flag for
    /// quiet NaNs too.
    pub(super) fn compare(&mut self, left: Number, right: Number, signals: bool) -> Option<Ordering> {
        if left.is_nan() || right.is_nan() {
            let raises = signals || left.is_signalling() || right.is_signalling();
            self.flags |= if raises { INVALID } else { 0 };
            return None;
        }
        if left.is_zero() && right.is_zero() {
            return Some(Ordering::Equal);
        }
        let magnitudes = left.magnitude().cmp(&right.magnitude());
        Some(match (left.is_negative(), right.is_negative()) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => magnitudes,
            (true, true) => magnitudes.reverse(),
        })
    }

    /// The same value in another format.
    pub(super) fn converted(&mut self, from: Number, to: Format) -> Number {
        let negative = from.is_negative();
        if from.is_nan() {
            let nan = self.nan(&[from]).unwrap_or(from);
            let fraction = nan.magnitude() & ((1 << from.format.fraction) - 1);
            let moved = match to.fraction.checked_sub(from.format.fraction) {
                Some(wider) => fraction << wider,
                None => fraction >> (from.format.fraction - to.fraction),
            };
            return Number::new(to, to.with_sign(negative, to.infinity() | moved));
        }
        if from.is_infinite() {
            return Number::new(to, to.with_sign(negative, to.infinity()));
        }
        let value = from.finite();
        self.result(to, negative, Wide::new(value.mantissa), value.exponent, false)
    }

    /// The number of an integer.
    pub(super) fn number(&mut self, value: i128, to: Format) -> Number {
        self.result(to, value < 0, Wide::new(value.unsigned_abs()), 0, false)
    }

    /// A number rounded to an integer, in the same format. `quietly`: an inexact result raises no
    /// flag.
    pub(super) fn integral(&mut self, from: Number, quietly: bool) -> Number {
        if let Some(nan) = self.nan(&[from]) {
            return nan;
        }
        if from.is_infinite() || from.is_zero() {
            return from;
        }
        let value = from.finite();
        if value.exponent >= 0 {
            return from;
        }
        let (whole, is_exact) = self.rounded(value.negative, Wide::new(value.mantissa), -value.exponent, false);
        self.flags |= if is_exact || quietly { 0 } else { INEXACT };
        let flags = self.flags;
        let result = self.result(from.format, value.negative, whole, 0, false);
        self.flags = flags;
        result
    }

    /// A number rounded to an integer between `least` and `most`. Out of range it is the nearest
    /// bound, which is invalid and inexact; for a NaN it is `least`, which is invalid.
    pub(super) fn integer(&mut self, from: Number, least: i128, most: i128, quietly: bool) -> i128 {
        let out_of_range = INVALID | if quietly { 0 } else { INEXACT };
        if from.is_nan() {
            self.flags |= INVALID;
            return least;
        }
        let bound = if from.is_negative() { least } else { most };
        if from.is_infinite() {
            self.flags |= out_of_range;
            return bound;
        }
        let value = from.finite();
        let (whole, is_exact) =
            self.rounded(value.negative, Wide::new(value.mantissa), -value.exponent.min(256), false);
        let magnitude = if whole.bits() > 100 { i128::MAX } else { whole.low() as i128 };
        let signed = if value.negative { -magnitude } else { magnitude };
        if signed < least || signed > most {
            self.flags |= out_of_range;
            return bound;
        }
        self.flags |= if is_exact || quietly { 0 } else { INEXACT };
        signed
    }
}
