//! The main loop of a worker: reads requests from standard input and writes answers to standard
//! output, until the input ends.

use std::io::{self, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use machine::position;
use rustix::process::{Resource, Rlimit, Signal, getpid, getrlimit, kill_process, setrlimit};
use types::{Bytes, FileError};

use super::stopped::{Stops, Survived};
use super::{check_until, corefile, measure, trace, words};
use crate::protocol::{Request, WorkerReply, decode, encode, read_frame, write_frame};

/// Maximum address space of a worker in bytes: a guest may have one GiB, the emulator reserves one
/// for generated code, and exploration two for each of its two stacks.
const MEMORY: u64 = 11 << 30;

/// Serves the client that started this process ([`crate::client`]). Standard error is a file in
/// memory that begins with the position of the execution; `survived` determines which instruction
/// killed an earlier worker.
pub fn serve(survived: Survived<'_>) -> io::Result<()> {
    let alone = |error| io::Error::other(format!("a worker is started by this program, not by hand ({error})"));
    position::share(io::stderr()).map_err(alone)?;
    bound(Resource::As, MEMORY)?;
    bound(Resource::Core, 0)?;
    let (sender, requests) = channel();
    thread::spawn(move || take_requests(&sender));
    answer_all(&requests, survived, &mut BufWriter::new(io::stdout().lock()))
}

/// Sets a limit, unless this process has a lower one that cannot be raised.
fn bound(resource: Resource, most: u64) -> io::Result<()> {
    let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
    Ok(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}

/// Reads requests, and ends the process at the end of the input, even while the emulator is busy or
/// hangs: the client is gone.
fn take_requests(sender: &Sender<(Bytes, Bytes)>) {
    let mut input = io::stdin().lock();
    let mut frame = move || read_frame(&mut input).ok().flatten();
    while let Some(request) = frame().zip(frame()) {
        if sender.send(request).is_err() {
            break;
        }
    }
    // Not `exit`, which would run exit handlers of libraries concurrently with the emulator.
    let _ = kill_process(getpid(), Signal::KILL);
}

fn answer_all(requests: &Receiver<(Bytes, Bytes)>, survived: Survived<'_>, out: &mut impl Write) -> io::Result<()> {
    while let Ok((request, bytes)) = requests.recv() {
        position::begin_counting();
        let mut put = |answer: &WorkerReply| -> io::Result<()> {
            write_frame(out, &encode(answer)?)?;
            out.flush()
        };
        // The client reports the panic; the message on standard error is discarded.
        let done = catch_unwind(AssertUnwindSafe(|| answer(decode(&request)?, &bytes, survived, &mut put)));
        match done {
            Ok(done) => done?,
            Err(payload) => put(&WorkerReply::Panicked(panic_message(payload.as_ref())))?,
        }
    }
    Ok(())
}

fn answer(
    request: Request,
    bytes: &Bytes,
    survived: Survived<'_>,
    put: &mut impl FnMut(&WorkerReply) -> io::Result<()>,
) -> io::Result<()> {
    let until = |all| Stops { all, survived: Some(survived) };
    match request {
        Request::Check { name, options, stops } => {
            let checked = check_until(&name, bytes, &options, until(&stops));
            put(&WorkerReply::Checked(Box::new(checked)))
        }
        Request::Trace { name, options, stops, from } => {
            let mut sent = Ok(());
            let traced = trace::trace(&name, bytes, &options, until(&stops), from, |steps| {
                if sent.is_ok() {
                    sent = put(&WorkerReply::Steps(steps));
                }
            });
            sent.and_then(|()| put(&WorkerReply::Traced(traced.map_err(FileError::from))))
        }
        Request::Measure { name, options, stops } => {
            let measured = measure::measure(&name, bytes, &options, until(&stops));
            put(&WorkerReply::Measured(measured.map(Box::new).map_err(FileError::from)))
        }
        Request::Core { name, options, stops } => {
            let written = corefile::write(&name, bytes, &options, until(&stops));
            put(&WorkerReply::CoreWritten(written.map_err(FileError::from)))
        }
        Request::Words { abi, words } => {
            words.iter().try_for_each(|word| put(&WorkerReply::Word(words::execute(abi, word))))
        }
    }
}

fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
