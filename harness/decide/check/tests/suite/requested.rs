//! Signals and bytes as they are requested and sent to a worker.

use check::signals::{Due, SignalAt};
use check::supplies::Bytes;

#[test]
fn a_signal_is_read_as_it_is_written() {
    let at = |text: &str| text.parse::<SignalAt>().ok().map(|at| (at.due, at.signal));
    assert_eq!(at("0x401000"), Some((Due::Address(0x40_1000), None)));
    assert_eq!(at("0x401000:SIGUSR1"), Some((Due::Address(0x40_1000), Some(10))));
    assert_eq!(at("main"), Some((Due::Symbol("main".into(), 0), None)));
    assert_eq!(at("main+0x10:14"), Some((Due::Symbol("main".into(), 16), Some(14))));
    assert_eq!(at("a::b+2:USR2"), Some((Due::Symbol("a::b".into(), 2), Some(12))));
    assert_eq!(at("random:100:7"), Some((Due::Random { count: 100, seed: 7 }, None)));
    assert_eq!(at("random:100:7:ALRM"), Some((Due::Random { count: 100, seed: 7 }, Some(14))));
    for wrong in ["", ":10", "main:0", "main:65", "main:NAME", "main+x", "random:", "random:1", "random:1:2:3:4"] {
        assert_eq!(at(wrong), None, "{wrong}");
    }
}

#[test]
fn every_byte_comes_back_and_takes_two() {
    let bytes = Bytes((0..=u8::MAX).collect());
    let text = serde_json::to_string(&bytes).expect("JSON");
    assert_eq!(text.len(), 2 * 256 + 2);
    assert_eq!(serde_json::from_str::<Bytes>(&text).expect("bytes"), bytes);
    // Neither is accepted.
    for text in ["\"a\"", "\"\u{200}\"", "[0]"] {
        assert!(serde_json::from_str::<Bytes>(text).is_err(), "{text}");
    }
}
