//! Evenly spaced samples of a list.

/// At most `most` of the elements, evenly spaced.
pub(super) fn spread<T: Clone>(all: &[T], most: usize) -> Vec<T> {
    let most = most.min(all.len());
    (0..most).filter_map(|index| all.get(index * all.len() / most).cloned()).collect()
}
