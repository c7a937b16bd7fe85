//! Interning: strings and lists of numbers are written once and referenced by number, which keeps
//! fifty thousand trials small.

use std::collections::HashMap;

use super::text::clean;

/// Values by number, in order of first use. Number 0 is the empty value.
#[derive(Debug)]
pub(super) struct Interner<T> {
    numbers: HashMap<T, u64>,
    values: Vec<T>,
}

impl<T: Clone + Default + Eq + std::hash::Hash> Interner<T> {
    /// Creates an interner with only the empty value.
    pub(super) fn new() -> Interner<T> {
        Interner { numbers: HashMap::from([(T::default(), 0)]), values: vec![T::default()] }
    }

    pub(super) fn number(&mut self, value: T) -> u64 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let number = self.values.len() as u64;
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        number
    }

    pub(super) fn values(&self) -> &[T] {
        &self.values
    }
}

impl Interner<String> {
    /// The number of a cleaned text.
    pub(super) fn text(&mut self, text: &str) -> u64 {
        self.number(clean(text))
    }
}

#[cfg(test)]
mod tests {
    use super::Interner;

    #[test]
    fn the_same_value_has_the_same_number_and_the_empty_one_is_zero() {
        let mut strings: Interner<String> = Interner::new();
        assert_eq!([strings.text("a"), strings.text("b"), strings.text("a"), strings.text("")], [1, 2, 1, 0]);
        assert_eq!(strings.values(), ["", "a", "b"]);
    }
}
