//! Worker process for this crate's tests. In the product the worker is a subcommand of
//! `sframe-conformance`.

use std::io;

fn main() -> io::Result<()> {
    check::client::are_this_program();
    check::serve()
}
