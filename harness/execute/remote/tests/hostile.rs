//! Stubs that close the connection, send wrong data or never end: each gives an error, soon.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use remote::{Remote, RemoteError, StubSource};
use types::memo::NoMemo;
use types::{RunEnd, Step, StopReason};
use witness::{Backend as _, Plan, Run};

/// Runs with a stub that sends these bytes verbatim, one answer for each command, and then closes.
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
    let remote = Remote { target: StubSource::Address(address), file: file.into() };
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
    let remote = Remote { target: StubSource::Address("/nonexistent/socket".to_owned()), file: file.into() };
    let ran = remote.run(&Plan::new(&image), &mut NoMemo(&mut |_: &Step<'_>| {}));
    assert!(matches!(ran, Err(RemoteError::Connect { .. })));
}

/// The answer of a stub to a command.
enum Reply {
    Right,
    Packet(String),
    Bytes(Vec<u8>),
    /// This data, and then the connection is closed.
    Last(Vec<u8>),
    /// These bytes, endlessly repeated.
    Endless(&'static [u8]),
    Close,
}

fn packet(data: &str) -> Vec<u8> {
    let sum = data.bytes().fold(0_u8, |sum, byte| sum.wrapping_add(byte));
    format!("${data}#{sum:02x}").into_bytes()
}

/// Entry point of the program.
const ENTRY: u64 = 0x401000;

const REGISTERS: [&str; 17] = [
    "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip",
];

/// Runs with a stub whose program is an endless sequence of `nop`; `reply` replaces some answers.
/// The stub never acknowledges.
fn run_nops(reply: fn(command: &str, steps: u64) -> Reply) -> Result<Run, RemoteError> {
    let file = std::fs::read(testing::frozen("x86_64/gas-2.47.50--v3--gcc12-O0--exe")).expect("a frozen object");
    let image = elf::load("program", &file.clone().into()).expect("an executable");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let entry = image.entry.0;
    let stub = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut steps = 0;
        let mut received = Vec::new();
        loop {
            let mut bytes = [0; 4096];
            match stream.read(&mut bytes) {
                Ok(count @ 1..) => received.extend_from_slice(&bytes[..count]),
                _ => return,
            }
            while let Some(end) = received.iter().position(|byte| *byte == b'#').filter(|end| end + 2 < received.len())
            {
                let begin = received.iter().position(|byte| *byte == b'$').expect("a packet");
                let command = String::from_utf8_lossy(&received[begin + 1..end]).into_owned();
                received.drain(..end + 3);
                steps += u64::from(command == "s");
                let right = || match command.as_str() {
                    "g" => {
                        let words = (0..17_u64).map(|number| match number {
                            7 => 0x7fff_0000,
                            16 => entry + steps,
                            _ => 0,
                        });
                        packet(&words.map(|word| format!("{:016x}", word.swap_bytes())).collect::<String>())
                    }
                    "s" | "?" => packet("T05thread:1;"),
                    _ if command.starts_with('m') => packet(&"90".repeat(32)),
                    _ if command.starts_with("qXfer") => {
                        let all = REGISTERS.map(|name| format!("<reg name='{name}' bitsize='64'/>")).concat();
                        packet(&format!("l<t>{all}</t>"))
                    }
                    _ => packet(""),
                };
                let bytes = match reply(&command, steps) {
                    Reply::Right => right(),
                    Reply::Packet(data) => packet(&data),
                    Reply::Bytes(bytes) => bytes,
                    Reply::Last(bytes) => {
                        let _ = stream.write_all(&bytes);
                        return;
                    }
                    Reply::Endless(bytes) => {
                        let many = bytes.repeat(1000);
                        while stream.write_all(&many).is_ok() {}
                        return;
                    }
                    Reply::Close => return,
                };
                if stream.write_all(&bytes).is_err() {
                    return;
                }
            }
        }
    });
    let remote = Remote { target: StubSource::Address(address), file: file.into() };
    let plan = Plan { step_limit: 50, ..Plan::new(&image) };
    let began = Instant::now();
    let ran = remote.run(&plan, &mut NoMemo(&mut |_: &Step<'_>| {}));
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    stub.join().expect("the stub");
    ran
}

/// A reply at the 20th step of 50.
fn at_20(command: &str, steps: u64, reply: Reply) -> Reply {
    if command == "s" && steps == 20 { reply } else { Reply::Right }
}

#[test]
fn one_that_is_right_but_never_acknowledges() {
    let run = run_nops(|_, _| Reply::Right).expect("a run");
    assert_eq!(run.steps, 50);
    // The program's output arrives before the stop reply.
    fn written() -> Reply {
        Reply::Bytes([packet("O6869"), packet("T05thread:1;")].concat())
    }
    let run = run_nops(|command, _| if command == "s" { written() } else { Reply::Right }).expect("a run");
    assert_eq!(run.steps, 50);
}

#[test]
fn one_that_sends_what_was_not_asked() {
    // The stop reply that qemu-system sends when a client connects.
    let run = run_nops(|command, _| match command.starts_with("qSupported") {
        true => Reply::Bytes([packet("T02thread:01;"), packet("PacketSize=ffffffffff")].concat()),
        false => Reply::Right,
    });
    assert_eq!(run.expect("a run").steps, 50);
    // A notification.
    let run = run_nops(|command, steps| {
        let notified = [b"%Stop:T05thread:1;#de".to_vec(), packet("T05thread:1;")].concat();
        at_20(command, steps, Reply::Bytes(notified))
    });
    assert_eq!(run.expect("a run").steps, 50);
}

#[test]
fn one_with_another_order_of_registers_and_without_g() {
    let run = run_nops(|command, steps| {
        let value = |number: usize| match REGISTERS.len() - 1 - number {
            7 => 0x7fff_0000_u64,
            16 => ENTRY + steps,
            _ => 0,
        };
        if command.starts_with("qXfer") {
            let all = REGISTERS.iter().enumerate().map(|(number, name)| {
                format!("<reg name='{name}' bitsize='64' regnum='{}'/>", REGISTERS.len() - 1 - number)
            });
            return Reply::Packet(format!("l<t>{}</t>", all.collect::<String>()));
        }
        match (command, command.strip_prefix('p').and_then(|number| usize::from_str_radix(number, 16).ok())) {
            ("g", _) => Reply::Packet(String::new()),
            (_, Some(number)) => Reply::Packet(format!("{:016x}", value(number).swap_bytes())),
            _ => Reply::Right,
        }
    });
    assert_eq!(run.expect("a run").steps, 50);
}

#[test]
fn one_that_dies_in_mid_run() {
    let ran = run_nops(|command, steps| at_20(command, steps, Reply::Close));
    assert!(matches!(ran, Err(RemoteError::Closed | RemoteError::Connection(_))), "{ran:?}");
    // In the middle of a packet.
    let ran = run_nops(|command, steps| at_20(command, steps, Reply::Last(b"+$T05thr".to_vec())));
    assert!(matches!(ran, Err(RemoteError::Closed | RemoteError::Connection(_))), "{ran:?}");
}

#[test]
fn one_that_floods() {
    // Output of the program, and unrequested stop replies.
    let written = run_nops(|command, steps| at_20(command, steps, Reply::Endless(b"$O6869#2c")));
    assert!(matches!(written, Err(RemoteError::Answer { .. })), "{written:?}");
    let stops = run_nops(|command, _| match command {
        "g" => Reply::Endless(b"$T05#b9"),
        _ => Reply::Right,
    });
    assert!(matches!(stops, Err(RemoteError::Answer { .. })), "{stops:?}");
    // Notifications ("%", E.7), endless packets, acknowledgements.
    for flood in [b"%Stop:T05thread:1;#de".as_slice(), b"$aaaaaaaaaaaaaaaa", b"+++++++++++"] {
        let ran = match flood[0] {
            b'%' => run_nops(|command, steps| at_20(command, steps, Reply::Endless(b"%Stop:T05thread:1;#de"))),
            b'$' => run_nops(|command, steps| at_20(command, steps, Reply::Endless(b"$aaaaaaaaaaaaaaaa"))),
            _ => run_nops(|command, steps| at_20(command, steps, Reply::Endless(b"+++++++++++"))),
        };
        assert!(matches!(ran, Err(RemoteError::Answer { .. })), "{ran:?}");
    }
}

#[test]
fn one_whose_process_forks_or_runs_another_thread() {
    let other = |command: &str, steps| at_20(command, steps, Reply::Packet("T05thread:2;".to_owned()));
    let run = run_nops(other).expect("a run");
    assert!(matches!(run.end, RunEnd::Undecided { reason: StopReason::Thread, .. }), "{:?}", run.end);
    let forks = |command: &str, steps| at_20(command, steps, Reply::Packet("T05fork:p2.2;thread:p2.2;".to_owned()));
    let run = run_nops(forks).expect("a run");
    assert!(matches!(run.end, RunEnd::Undecided { reason: StopReason::Thread, .. }), "{:?}", run.end);
}

#[test]
fn one_that_lies_about_registers() {
    // Fewer bytes than described, text in place of digits, a size out of bounds.
    let short = run_nops(|command, _| match command {
        "g" => Reply::Packet("00".to_owned()),
        _ if command.starts_with('p') => Reply::Packet("0011".to_owned()),
        _ => Reply::Right,
    });
    assert!(matches!(short, Err(RemoteError::Answer { .. })), "{short:?}");
    let digits = run_nops(|command, _| if command == "g" { Reply::Packet("zz".repeat(136)) } else { Reply::Right });
    assert!(matches!(digits, Err(RemoteError::Answer { .. })), "{digits:?}");
    let huge = run_nops(|command, _| match command.starts_with("qXfer") {
        true => Reply::Packet(format!("l<t><reg name='rax' bitsize='{}'/></t>", u64::MAX)),
        false => Reply::Right,
    });
    assert!(matches!(huge, Err(RemoteError::Description(_))), "{huge:?}");
    // A program counter where no code is.
    let memory =
        run_nops(|command, _| if command.starts_with('m') { Reply::Packet("E01".to_owned()) } else { Reply::Right });
    assert!(memory.is_ok_and(|run| matches!(run.end, RunEnd::Undecided { .. })));
}
