//! The worker process of this crate's tests. The product's worker is a subcommand of
//! `sframe-conformance`.

use std::io;

fn main() -> io::Result<()> {
    check::client::are_this_program();
    check::serve()
}
