//! What an instruction stores to memory, and where: enough to prove that two stores do not hit the
//! same word.

mod aarch64;
mod amd64;
mod s390x;

use types::{Abi, Reg};

/// What an instruction does to memory and to the registers that addresses are made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// What it stores; none if that is not certain.
    pub stores: Option<Vec<Store>>,
    /// General registers that it may write, among others that it does not; none if any may be.
    pub writes: Option<Vec<Reg>>,
}

/// Bytes that an instruction stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// The first byte, by the registers before the instruction.
    pub address: Address,
    /// Bytes.
    pub size: u64,
    /// The general register whose 64 bits are stored; none for everything else.
    pub value: Option<Reg>,
}

/// An address that an instruction names. Two are equal where all registers hold the same and the
/// fields are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Where it counts from; none: from 0.
    pub base: Option<Reg>,
    /// A register that is added, and the ABI's code for how it is extended and scaled.
    pub index: Option<(Reg, u8)>,
    /// Added to both.
    pub offset: i64,
}

impl Effects {
    /// Nothing is certain.
    const UNKNOWN: Effects = Effects { stores: None, writes: None };

    /// It stores nothing, and writes these registers at most.
    fn writing(registers: impl IntoIterator<Item = Reg>) -> Effects {
        Effects { stores: Some(Vec::new()), writes: Some(registers.into_iter().collect()) }
    }

    /// It stores this, and writes no general register.
    fn storing(stores: Vec<Store>) -> Effects {
        Effects { stores: Some(stores), writes: Some(Vec::new()) }
    }
}

/// What the instruction that these bytes begin with does.
pub fn effects(abi: Abi, code: &[u8], pc: u64) -> Effects {
    match abi {
        Abi::Amd64 => amd64::effects(code, pc),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::effects(code),
        Abi::S390x => s390x::effects(code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What one instruction stores, as `offset(base,index):size=value`; `?` where that is not
    /// certain.
    fn stores(abi: Abi, code: &str) -> String {
        let digits: String = code.split_whitespace().collect();
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits");
        let mut bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
        if abi != Abi::Amd64 && abi != Abi::S390x {
            bytes.reverse();
        }
        let register = |register: Option<Reg>| register.map_or(String::new(), |register| register.0.to_string());
        let text = |store: Store| {
            let Address { base, index, offset } = store.address;
            let index = index.map_or(String::new(), |(index, _)| format!(",{}", index.0));
            let value = store.value.map_or(String::new(), |value| format!("={}", value.0));
            format!("{offset}({}{index}):{}{value}", register(base), store.size)
        };
        let stores = effects(abi, &bytes, 0x1000).stores;
        stores.map_or("?".to_owned(), |all| all.into_iter().map(text).collect::<Vec<_>>().join(" "))
    }

    /// As GNU as encodes them.
    #[test]
    fn stores_are_listed_with_their_addresses() {
        let table = [
            (Abi::Amd64, "55", "-8(7):8=6"),                                // push %rbp
            (Abi::Amd64, "6a01", "-8(7):8"),                                // push $1
            (Abi::Amd64, "49 89 09", "0(9):8=2"),                           // mov %rcx,(%r9)
            (Abi::Amd64, "48 89 4c d0 08", "8(0,1):8=2"),                   // mov %rcx,8(%rax,%rdx,8)
            (Abi::Amd64, "0f 29 47 10", "16(5):16"),                        // movaps %xmm0,16(%rdi)
            (Abi::Amd64, "48 89 05 10 00 00 00", "4119():8=0"),             // mov %rax,16(%rip)
            (Abi::Amd64, "64 48 89 07", "?"),                               // mov %rax,%fs:(%rdi)
            (Abi::Amd64, "aa", "0(5):1"),                                   // stosb
            (Abi::Amd64, "f3 aa", "?"),                                     // rep stosb
            (Abi::Amd64, "8f 04 24", "?"),                                  // pop (%rsp)
            (Abi::Amd64, "48 8b 07", ""),                                   // mov (%rdi),%rax
            (Abi::Amd64, "48 01 07", "0(5):8"),                             // add %rax,(%rdi)
            (Abi::Amd64, "e8 00 00 00 00", "-8(7):8"),                      // call
            (Abi::Amd64, "0f 05", "?"),                                     // syscall
            (Abi::Aarch64, "f9000121", "0(9):8=1"),                         // str x1, [x9]
            (Abi::Aarch64, "f9000521", "8(9):8=1"),                         // str x1, [x9, #8]
            (Abi::Aarch64, "f81f0ffe", "-16(31):8=30"),                     // str x30, [sp, #-16]!
            (Abi::Aarch64, "f8008521", "0(9):8=1"),                         // str x1, [x9], #8
            (Abi::Aarch64, "f8226921", "0(9,2):8=1"),                       // str x1, [x9, x2]
            (Abi::Aarch64, "a9be7bfd", "-32(31):8=29 -24(31):8=30"),        // stp x29, x30, [sp, #-32]!
            (Abi::Aarch64, "a9007c1f", "0(0):8 8(0):8"),                    // stp xzr, xzr, [x0]
            (Abi::Aarch64, "ad010420", "32(1):16 48(1):16"),                // stp q0, q1, [x1, #32]
            (Abi::Aarch64, "3d800420", "16(1):16"),                         // str q0, [x1, #16]
            (Abi::Aarch64, "39000020", "0(1):1"),                           // strb w0, [x1]
            (Abi::Aarch64, "b81fc020", "-4(1):4"),                          // stur w0, [x1, #-4]
            (Abi::Aarch64, "f9400020", ""),                                 // ldr x0, [x1]
            (Abi::Aarch64, "c8027c20", "?"),                                // stxr w2, x0, [x1]
            (Abi::Aarch64, "c85f7c20", ""),                                 // ldxr x0, [x1]
            (Abi::Aarch64, "c8e07c41", "?"),                                // casa x0, x1, [x2]
            (Abi::Aarch64, "f8200021", "?"),                                // ldadd x0, x1, [x1]
            (Abi::Aarch64, "d50b7420", "?"),                                // dc zva, x0
            (Abi::Aarch64, "4c007020", "?"),                                // st1 {v0.16b}, [x1]
            (Abi::S390x, "e3 10 20 08 00 24", "8(2):8=1"),                  // stg %r1,8(%r2)
            (Abi::S390x, "e3 e0 f0 70 00 24", "112(15):8=14"),              // stg %r14,112(%r15)
            (Abi::S390x, "e3 13 2f f8 ff 24", "-8(2,3):8=1"),               // stg %r1,-8(%r3,%r2)
            (Abi::S390x, "eb ef f0 70 00 24", "112(15):8=14 120(15):8=15"), // stmg %r14,%r15,112(%r15)
            (Abi::S390x, "50 10 20 04", "4(2):4"),                          // st %r1,4(%r2)
            (Abi::S390x, "d2 07 10 00 20 00", "0(1):8"),                    // mvc 0(8,%r1),0(%r2)
            (Abi::S390x, "e5 48 f0 a0 00 05", "160(15):8"),                 // mvghi 160(%r15),5
            (Abi::S390x, "0a 01", "?"),                                     // svc 1
            (Abi::S390x, "e7 00 10 00 00 0e", "?"),                         // vst %v0,0(%r1)
            (Abi::S390x, "eb 6f f0 30 00 04", ""),                          // lmg %r6,%r15,48(%r15)
        ];
        for (abi, code, expected) in table {
            assert_eq!(stores(abi, code), expected, "{abi} {code}");
        }
    }
}
