//! Stubs that close, lie or never end: each is an error, soon.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use backend::{Backend as _, Plan};
use remote::{Remote, RemoteError, Target};
use types::Step;
use types::memo::NoMemo;

/// A run under a stub that gives these answers, as they are, one for each command; then it closes.
fn run(answers: &'static [&'static [u8]]) -> RemoteError {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let stub = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        for answer in answers {
            let mut bytes = [0; 4096];
            if stream.read(&mut bytes).is_err() || stream.write_all(answer).is_err() {
                return;
            }
            // The acknowledgement.
            let _ = stream.read(&mut bytes[..1]);
        }
    });
    let file = std::fs::read(testing::frozen("x86_64/gas-2.47.50--v3--gcc12-O0--exe")).expect("a frozen object");
    let image = elf::load("program", &file.clone().into()).expect("an executable");
    let remote = Remote { target: Target::Address(address), file: file.into() };
    let ran = remote.run(&Plan::new(&image), &mut NoMemo(&mut |_: &Step<'_>| {}));
    stub.join().expect("the stub");
    ran.expect_err("no run")
}

#[test]
fn one_that_closes() {
    assert!(matches!(run(&[]), RemoteError::Closed | RemoteError::Connection(_)));
    assert!(matches!(run(&[b"+$PacketSize=1000#f1"]), RemoteError::Closed | RemoteError::Connection(_)));
}

#[test]
fn one_that_lies() {
    // A wrong checksum; no PacketSize, no thread, and then an error in place of a description.
    assert!(matches!(run(&[b"+$OK#00"]), RemoteError::Answer { command, .. } if command.starts_with("qSupported")));
    let refused: &[&[u8]] = &[b"+$#00", b"+$S05#b8", b"+$#00", b"+$E01#a6"];
    assert!(matches!(run(refused), RemoteError::Answer { command, .. } if command.starts_with("qXfer")));
    let none: &[&[u8]] = &[b"+$#00", b"+$S05#b8", b"+$#00", b"+$#00"];
    assert!(matches!(run(none), RemoteError::Description(_)));
}

#[test]
fn one_of_another_architecture() {
    // `l<target/>`
    let other: &[&[u8]] = &[b"+$#00", b"+$S05#b8", b"+$#00", b"+$l<target/>#9c"];
    assert!(matches!(run(other), RemoteError::OtherAbi { register: "rax", .. }), "{:?}", run(other));
}

#[test]
fn a_description_that_includes_itself() {
    const FILE: &[u8] = b"+$l<t><xi:include href=\"a\"/></t>#c6";
    let mut answers: Vec<&[u8]> = vec![b"+$#00", b"+$S05#b8", b"+$#00"];
    answers.extend(std::iter::repeat_n(FILE, 40));
    let error = run(answers.leak());
    assert!(matches!(&error, RemoteError::Description(what) if what.contains("files")), "{error:?}");
}

#[test]
fn nobody_there() {
    let file = std::fs::read(testing::frozen("x86_64/gas-2.47.50--v3--gcc12-O0--exe")).expect("a frozen object");
    let image = elf::load("program", &file.clone().into()).expect("an executable");
    let remote = Remote { target: Target::Address("/nonexistent/socket".to_owned()), file: file.into() };
    let ran = remote.run(&Plan::new(&image), &mut NoMemo(&mut |_: &Step<'_>| {}));
    assert!(matches!(ran, Err(RemoteError::Connect { .. })));
}
