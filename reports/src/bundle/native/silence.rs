//! A Tcl script test of gas: a `.d` file cannot express that either of two results is right.

use results::bundle::Bundle;

use super::{dump, options};
use crate::escape::one_line;

/// The test accepts a warning or an FDE.
pub(super) fn of_gas(bundle: &Bundle, functions: usize) -> Option<String> {
    let [command] = bundle.commands.as_slice() else { return None };
    let source = one_line(&bundle.sources.first()?.name);
    let title: String = one_line(&bundle.title).chars().filter(|c| !"{}\\".contains(*c)).collect();
    let (target, words) = (dump::target(bundle.abi), options(bundle, command));
    Some(format!(
        "if {{ ![istarget {target}] }} {{ return }}\n\n\
         set test {{SFrame: {title}}}\n\
         set assembled [remote_exec host \"$AS {words} -o repro.o $srcdir/$subdir/{source}\"]\n\
         set shown [remote_exec host \"$READELF --sframe repro.o\"]\n\
         if {{ [lindex $assembled 0] != 0 || ![regexp {{Num FDEs: ([0-9]+)}} [lindex $shown 1] all count] }} {{\n    \
             unresolved $test\n\
         }} elseif {{ $count >= {functions} || [string trim [lindex $assembled 1]] ne \"\" }} {{\n    \
             pass $test\n\
         }} else {{\n    \
             fail $test\n\
         }}\n"
    ))
}
