//! The numbers of system calls, which are in `numbers.txt`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use types::Abi;

use crate::arch::kernel_abi;
use crate::call::Call;
use crate::errno::Errno;

const TEXT: &str = include_str!("numbers.txt");

/// The system calls of a target.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Calls {
    Amd64,
    Aarch64,
    S390x,
}

static NUMBERS: LazyLock<[BTreeMap<u64, Call>; 3]> =
    LazyLock::new(|| [Calls::Amd64, Calls::Aarch64, Calls::S390x].map(|calls| calls.read()));

impl Calls {
    /// The system call of a number.
    pub(crate) fn get(self, number: u64) -> Option<Call> {
        NUMBERS.get(self as usize)?.get(&number).copied()
    }

    fn read(self) -> BTreeMap<u64, Call> {
        let rows = rows().filter_map(|row| Some((call(row[4])?, row[self as usize + 1])));
        rows.flat_map(|(call, text)| numbers(text).into_iter().flatten().map(move |number| (number, call))).collect()
    }
}

/// A call's name, its numbers on each target, and what serves it.
fn rows() -> impl Iterator<Item = [&'static str; 5]> {
    let rows = TEXT.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| row.split_whitespace().collect::<Vec<_>>().try_into().ok())
}

/// The numbers of a system call by its name in Linux, in ascending order; none if the target has no
/// such call.
pub fn call_numbers(abi: Abi, name: &str) -> Vec<u64> {
    let column = kernel_abi(abi).calls as usize + 1;
    rows().filter(|row| row[0] == name).filter_map(|row| numbers(row[column])).flatten().collect()
}

fn call(name: &str) -> Option<Call> {
    Some(match name {
        "ENOSYS" => Call::Refused(Errno::NoSystemCall),
        "EOPNOTSUPP" => Call::Refused(Errno::NotSupported),
        "EAFNOSUPPORT" => Call::Refused(Errno::NoFamily),
        "EPERM" => Call::Refused(Errno::NotPermitted),
        "ENOTSOCK" => Call::Refused(Errno::NotSocket),
        name => match name.strip_prefix('=') {
            Some(value) => Call::Returns(value.parse().ok()?),
            None => Call::NAMED.iter().find(|(other, _)| *other == name)?.1,
        },
    })
}

/// Numbers and ranges of them, separated by commas; `-` is none.
fn numbers(text: &str) -> Option<Vec<u64>> {
    if text == "-" {
        return Some(Vec::new());
    }
    let number = |text: &str| text.parse::<u64>().ok();
    let mut all = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        all.extend(number(first)?..=number(last)?);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_means_what_the_table_of_its_target_has() {
        use Calls::{Aarch64, Amd64, S390x};
        assert_eq!(
            [Amd64, Aarch64, S390x].map(|calls| calls.get(93)),
            [Some(Call::Returns(0)), Some(Call::ExitThread), Some(Call::Ftruncate)]
        );
        assert_eq!([Amd64.get(41), S390x.get(90)], [Some(Call::Refused(Errno::NoFamily)), Some(Call::MmapStruct)]);
        assert_eq!([Amd64, Aarch64, S390x].map(|calls| calls.get(u64::MAX)), [None; 3]);
        assert_eq!(
            (call_numbers(Abi::S390x, "faccessat"), call_numbers(Abi::Aarch64, "open")),
            (vec![300, 439], vec![])
        );
    }

    #[test]
    fn every_row_is_read_and_every_call_has_a_number() {
        let lines = TEXT.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count();
        assert_eq!(rows().count(), lines, "a row has five fields");
        for row in rows() {
            assert!(call(row[4]).is_some() && row[1..4].iter().all(|text| numbers(text).is_some()), "{row:?}");
        }
        for (name, _) in Call::NAMED {
            assert!(rows().any(|row| row[4] == *name && row[1..4] != ["-"; 3]), "{name}");
        }
        let all = [Calls::Amd64, Calls::Aarch64, Calls::S390x].map(|calls| {
            rows().flat_map(|row| numbers(row[calls as usize + 1])).map(|numbers| numbers.len()).sum::<usize>()
        });
        assert_eq!(NUMBERS.each_ref().map(BTreeMap::len), all, "no number is twice");
    }
}
