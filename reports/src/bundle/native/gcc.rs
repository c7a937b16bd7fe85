//! A source that GCC's tests compile, and what they scan its assembly for.

use results::bundle::{Bundle, Check, Fault};

use super::{options, unanchored};
use crate::bundle::words::machine_of_gcc;

/// The source with its directives.
pub(super) fn of_gcc(bundle: &Bundle, source: &str) -> Option<String> {
    let Check::Directive { after, directive, earlier: false, fault, .. } = &bundle.check else { return None };
    let words = options(bundle, bundle.commands.first()?);
    let scan = match fault {
        Fault::Absent => "scan-assembler",
        Fault::Early => "scan-assembler-not",
    };
    // Between braces nothing is replaced, and a backslash stays one. GCC parts words by tabs and
    // blanks.
    let (after, directive) = (tcl(after), tcl(directive));
    let name = machine_of_gcc(bundle.abi);
    Some(format!(
        "/* {{ dg-do compile {{ target {name} }} }} */\n/* {{ dg-options \"{words}\" }} */\n{source}\n\
         /* {{ dg-final {{ {scan} {{(?n)^\\s*{after}\\s*\\n(\\s*\\..*\\n)*\\s*{directive}}} }} }} */\n"
    ))
}

/// An expression over lines of words with one blank between them, for assembly as GCC writes it.
fn tcl(expression: &str) -> String {
    let (core, rest) = unanchored(expression);
    core.replace(", ", r",\s*").replace(' ', r"\s+") + rest
}
