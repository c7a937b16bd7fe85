//! Start-up code of every target.

/// Serves and exits if the program was called as a worker of itself.
pub fn begin() {
    match fuzzing::serve_if_worker() {
        None => {}
        Some(Ok(())) => std::process::exit(0),
        Some(Err(error)) => panic!("a worker: {error}"),
    }
}
