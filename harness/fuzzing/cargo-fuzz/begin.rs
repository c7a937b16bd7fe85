//! What every target begins with.

/// Serves and ends, where the program was called as a worker of itself.
pub fn begin() {
    match fuzzing::serve_if_worker() {
        None => {}
        Some(Ok(())) => std::process::exit(0),
        Some(Err(error)) => panic!("a worker: {error}"),
    }
}
