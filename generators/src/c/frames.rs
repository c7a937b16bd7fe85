//! Memory in the frame: fixed, over-aligned, of variable size, up to frames above 1 M.

use std::ops::ControlFlow;

use types::Abi;

use super::helper::Helper;
use super::result::Run;
use super::statement::{Construct, Flow, Statement};
use super::writer::Writer;

/// An array in the frame, whose first and last words are written by a callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Kind of allocation.
    pub form: Form,
    /// Alignment in bytes, a power of two of at least 4.
    pub align: u32,
}

/// The kind of allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An array of this many bytes.
    Fixed(u32),
    /// An array whose length is known at run time.
    Variable,
    /// `__builtin_alloca_with_align`.
    Alloca,
}

impl Construct for Memory {
    fn write(&self, to: &mut Writer) {
        to.uses(Helper::Touch);
        // The s390x ABI guarantees only 8 bytes.
        let mask = match to.target.abi {
            Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be => self.align - 1,
            Abi::S390x => self.align.min(8) - 1,
        };
        let aligned = if self.align > 4 { format!(" __attribute__((aligned({})))", self.align) } else { String::new() };
        to.open("{");
        let last = match self.form {
            Form::Fixed(bytes) => {
                let words = (bytes / 4).max(1);
                to.line(&format!("unsigned v[{words}]{aligned};"));
                (words - 1).to_string()
            }
            Form::Variable => {
                to.line("unsigned long last = x & 31u;");
                to.line(&format!("unsigned v[last + 1]{aligned};"));
                "last".to_owned()
            }
            Form::Alloca => {
                to.line("unsigned long last = x & 63u;");
                let bits = self.align.max(8) * 8;
                to.line(&format!("unsigned *v = __builtin_alloca_with_align((last + 1) * 4, {bits});"));
                "last".to_owned()
            }
        };
        to.line(&format!("x += touch(v, {mask}, x) * 3u;"));
        to.line(&format!("x ^= touch(v + {last}, 3, x + 1u);"));
        to.close();
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        let x = x.wrapping_add(x.wrapping_mul(3));
        ControlFlow::Continue(x ^ x.wrapping_add(1))
    }

    fn kind(&self) -> String {
        let form = match self.form {
            Form::Fixed(_) => "array",
            Form::Variable => "vla",
            Form::Alloca => "alloca",
        };
        if self.align > 16 { format!("{form} aligned") } else { form.to_owned() }
    }

    fn fixes_frame(&self) -> bool {
        !matches!(self.form, Form::Fixed(_)) || self.align > 16
    }

    fn smaller(&self) -> Vec<Statement> {
        let mut all = Vec::new();
        if let Form::Fixed(bytes) = self.form {
            let less = [4, 64, 256, 512, 1024, 4096, 32_768, 65_536, bytes / 2];
            let less = less.into_iter().filter(|less| *less < bytes);
            all.extend(less.map(|bytes| Statement::Memory(Memory { form: Form::Fixed(bytes), ..*self })));
        }
        if self.align > 4 {
            all.push(Statement::Memory(Memory { align: 4, ..*self }));
        }
        if self.align > 32 {
            all.push(Statement::Memory(Memory { align: 32, ..*self }));
        }
        all
    }
}
