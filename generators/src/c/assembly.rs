//! Assembly that moves SP within a function, with the directives for it.

use std::ops::ControlFlow;

use types::Abi;

use super::helper::Helper;
use super::result::Run;
use super::statement::{Construct, Flow};
use super::writer::Writer;

/// A push and a pop. The CFA is a callee-saved register meanwhile: no text can know which register
/// the compiler's own CFA is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push;

impl Construct for Push {
    fn write(&self, to: &mut Writer) {
        // Below the red zone.
        let (register, name, lines) = match to.target.abi {
            Abi::Amd64 => ("r12", "%r12", ["subq $128, %%rsp", "pushq %q0", "popq %q0", "subq $-128, %%rsp"]),
            Abi::Aarch64 | Abi::Aarch64Be => {
                ("x19", "x19", ["sub sp, sp, #144", "str %x0, [sp]", "ldr %x0, [sp]", "add sp, sp, #144"])
            }
            Abi::S390x => ("r9", "%r9", ["aghi %%r15, -16", "stg %0, 8(%%r15)", "lg %0, 8(%%r15)", "aghi %%r15, 16"]),
        };
        to.uses(Helper::Leaf);
        to.open("{");
        to.line("x = leaf(x);");
        to.line(&format!("register void *cfa asm (\"{register}\") = __builtin_dwarf_cfa();"));
        let escaped = name.replace('%', "%%");
        let lines = lines.join("\\n");
        to.line(&format!(
            "asm volatile (\".cfi_remember_state\\n.cfi_def_cfa {escaped}, 0\\n{lines}\\n.cfi_restore_state\" : \"+r\" (x) : \"r\" (cfa));"
        ));
        to.close();
    }

    fn value(&self, x: u32, _: &mut Run<'_>) -> Flow {
        ControlFlow::Continue(x.wrapping_add(1))
    }

    fn fixes_frame(&self) -> bool {
        true
    }

    fn kind(&self) -> String {
        "push".to_owned()
    }
}
