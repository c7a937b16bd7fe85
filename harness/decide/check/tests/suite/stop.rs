//! The stops of a run that killed workers.

use check::protocol::{At, Stop};
use types::StopReason;

fn stop(run: u64, at: At) -> Stop {
    Stop { run, at, reason: StopReason::EngineDied, cause: "died".to_owned(), last: 0 }
}

/// Each death makes the run end earlier than before, so repetition terminates.
#[test]
fn a_run_that_kills_again_ends_earlier() {
    use At::{After, Before, Start};
    let mut stops = vec![stop(2, After(4))];
    for (death, then) in [
        (After(7), After(7)),
        // The run reached the same position: the instruction itself caused the crash.
        (After(7), Before(7)),
        (After(5), After(5)),
        (Before(4), Before(4)),
        (After(4), Start),
        (Start, Start),
    ] {
        stop(1, death).add_to(&mut stops);
        assert_eq!(stops, [stop(2, After(4)), stop(1, then)], "{death:?}");
    }
}
