//! proptest strategies: programs of a target and version, shrinking towards few small functions.
//! Constructs that are rare in real programs, slow to execute or large to describe have a low
//! weight.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use types::{Abi, PacKey, SframeVersion};

use super::{
    ByRegister, CallTo, Ending, Exit, Frame, FunctionModel, Op, Program, Realigned, Shape, Signals, TableStyle,
};
use crate::arch::{arch, target};
use crate::elf::FileKind;
use crate::facts;
use crate::sample::TablePlace;

/// A strategy for programs of a target and version.
pub fn programs(abi: Abi, version: SframeVersion) -> impl Strategy<Value = Program> {
    let kind = prop_oneof![
        8 => Just(FileKind::Executable),
        1 => Just(FileKind::Shared),
        1 => Just(FileKind::Relocatable),
    ];
    let ending = prop_oneof![2 => Just(Ending::Exit), 1 => Just(Ending::Call), 1 => Just(Ending::CallNext)];
    // New choices must be last, so that old numbers keep their meaning.
    let signals = proptest::option::weighted(0.3, signals());
    let by_register = prop_oneof![2 => Just(Vec::new()), 1 => vec(by_register(), 1..4)];
    let last = (signals, by_register);
    (kind, tables(), vec(call(), 1..4), vec(function(abi), 1..8), any::<bool>(), ending, one_in(3), last).prop_map(
        move |(kind, tables, roots, functions, start_last, ending, got, (signals, by_register))| Program {
            abi,
            version,
            kind,
            tables,
            roots,
            functions,
            start_last,
            ending,
            got,
            signals,
            by_register,
        },
    )
}

fn by_register() -> impl Strategy<Value = ByRegister> {
    (0_u8..8, any::<u8>(), 0_u8..60, proptest::option::of(call()))
        .prop_map(|(function, place, register, call)| ByRegister { function, place, register, call })
}

fn signals() -> impl Strategy<Value = Signals> {
    (0_u8..8, any::<bool>(), vec((0_u8..8, any::<u8>()), 0..4)).prop_map(|(handler, nests, sent)| Signals {
        handler,
        nests,
        sent,
    })
}

/// The program of a seed and number, always the same.
pub fn numbered(abi: Abi, version: SframeVersion, seed: u64, number: u64) -> Program {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    bytes[16] = target(abi).seed;
    bytes[17] = facts::version(version).seed;
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, rng);
    let tree = programs(abi, version).new_tree(&mut runner);
    tree.unwrap_or_else(|reason| unreachable!("no strategy here filters: {reason}")).current()
}

/// A strategy that is true once in `draws` draws, and shrinks to false.
fn one_in(draws: u32) -> impl Strategy<Value = bool> {
    prop_oneof![draws - 1 => Just(false), 1 => Just(true)]
}

fn tables() -> impl Strategy<Value = TableStyle> {
    let place = prop_oneof![3 => Just(TablePlace::AfterText), 1 => Just(TablePlace::BeforeText)];
    let wider = || prop_oneof![4 => Just(0_u8), 1 => 1_u8..3];
    let gap = || prop_oneof![19 => Just(0_u8), 1 => 1_u8..9];
    let bytes = (gap(), gap(), gap());
    let choices = (one_in(4), one_in(5), any::<bool>(), one_in(2), one_in(2));
    (place, wider(), vec(wider(), 1..4), choices, bytes).prop_map(
        |(place, wider_starts, wider_words, choices, (aux, fde_gap, fre_gap))| {
            let (section_relative, flex, errata_2, rows_reversed, remember) = choices;
            TableStyle {
                place,
                section_relative,
                wider_starts,
                wider_words,
                flex,
                rows_reversed,
                errata_2,
                aux,
                gaps: (fde_gap, fre_gap),
                remember,
            }
        },
    )
}

fn call() -> impl Strategy<Value = CallTo> {
    (0_u8..8, 0_u8..4, one_in(3), one_in(4)).prop_map(|(callee, recursion, second_exit, by_stub)| CallTo {
        callee,
        recursion,
        second_exit,
        by_stub,
    })
}

fn function(abi: Abi) -> impl Strategy<Value = FunctionModel> {
    let exit = prop_oneof![
        4 => Just(Exit::One),
        1 => Just(Exit::ShrinkWrapped),
        1 => Just(Exit::Early),
        1 => Just(Exit::ColdReturn),
        1 => Just(Exit::ColdBack),
    ];
    let tail = prop_oneof![4 => Just(None), 1 => (0_u8..8).prop_map(Some)];
    let key = prop_oneof![2 => Just(None), 1 => Just(Some(PacKey::A)), 1 => Just(Some(PacKey::B))];
    let key = if target(abi).signs { key.boxed() } else { Just(None).boxed() };
    let skipped = prop_oneof![40 => Just(0_u32), 5 => 0x101_u32..0x400, 1 => 0x1_0001_u32..0x1_2000];
    let combined = if target(abi).signs { one_in(2).boxed() } else { Just(false).boxed() };
    (shape(abi), exit, one_in(4), vec(op(), 0..5), tail, (key, combined), skipped, one_in(12)).prop_map(
        |(shape, exit, recursive, body, tail, (key, returns_authenticated), skipped, signal)| FunctionModel {
            shape,
            exit,
            recursive,
            body,
            tail,
            key,
            returns_authenticated,
            skipped,
            signal,
        },
    )
}

fn shape(abi: Abi) -> BoxedStrategy<Shape> {
    let realigned = (4_u8..8, any::<u8>(), any::<bool>())
        .prop_map(|(align, locals, by_register)| Shape::Realigned(Realigned { align, locals, by_register }));
    let framed = frame().prop_map(Shape::Framed);
    arch(abi).shapes(framed.boxed(), realigned.boxed())
}

fn frame() -> impl Strategy<Value = Frame> {
    let locals = prop_oneof![
        3 => Just(0_u32),
        6 => 0_u32..0x200,
        1 => 0x200_u32..0x8000,
        1 => 0x8001_u32..0x1_0000,
        1 => 0x1_0001_u32..0x8_0000,
    ];
    let dynamic = prop_oneof![2 => Just(0_u32), 1 => 1_u32..0x7000];
    (any::<bool>(), vec(any::<u8>(), 0..5), 0_u8..4, locals, dynamic, any::<bool>(), 0_u8..6).prop_map(
        |(frame_pointer, saves, before, locals, dynamic, reuses_fp, variant)| Frame {
            frame_pointer,
            saves,
            before,
            locals,
            dynamic,
            reuses_fp,
            variant,
        },
    )
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => (0_u8..9).prop_map(Op::Work),
        6 => call().prop_map(Op::Call),
        1 => Just(Op::Throw),
        2 => (1_u8..4, 0_u8..4, proptest::option::of(call()))
            .prop_map(|(times, work, call)| Op::Loop { times, work, call }),
    ]
}
