//! Clauses of walking the stack.

use super::{ALL, consumer, producer};
use crate::Clause;
use crate::Feature::{Executed, FpUnchanged, Meaning, Row};
use crate::RuleId;

const GENERATING_STACK_TRACES_USING_SFRAME: &str = "Generating Stack Traces using SFrame";

pub(super) const CLAUSES: &[Clause] = &[
    producer(
        "v2e1/trace/chain",
        GENERATING_STACK_TRACES_USING_SFRAME,
        ALL,
        "The rows lead from each frame to its true caller.",
        &[RuleId::ChainMatchesTruth],
        &[Executed, Row],
    ),
    producer(
        "v2e1/trace/fp-unchanged",
        GENERATING_STACK_TRACES_USING_SFRAME,
        ALL,
        "A row without a word for FP stands where the frame has not changed FP.",
        &[RuleId::RowFpMatchesTruth, RuleId::CfiFpDiffers],
        &[FpUnchanged, Meaning],
    ),
    consumer(
        "v2e1/trace/first-frame",
        GENERATING_STACK_TRACES_USING_SFRAME,
        ALL,
        "A stack tracer starts with PC, SP and FP of the machine.",
    ),
    consumer(
        "v2e1/trace/base-register",
        GENERATING_STACK_TRACES_USING_SFRAME,
        ALL,
        "A stack tracer counts the CFA from FP or SP, as the row says.",
    ),
    consumer(
        "v2e1/trace/caller-sp",
        GENERATING_STACK_TRACES_USING_SFRAME,
        ALL,
        "The caller's SP is the CFA (s390x: less 160).",
    ),
    consumer(
        "v2e1/trace/load-ra",
        GENERATING_STACK_TRACES_USING_SFRAME,
        ALL,
        "The caller's PC is loaded from the CFA plus the row's or the header's offset of the return address.",
    ),
    consumer(
        "v2e1/trace/load-fp",
        GENERATING_STACK_TRACES_USING_SFRAME,
        ALL,
        "The caller's FP is loaded from the CFA plus the row's or the header's offset of FP.",
    ),
    consumer(
        "v2e1/trace/keep-fp",
        GENERATING_STACK_TRACES_USING_SFRAME,
        ALL,
        "Where nothing gives an offset for FP, the caller's FP is the frame's own.",
    ),
    consumer(
        "v2e1/trace/no-row",
        GENERATING_STACK_TRACES_USING_SFRAME,
        ALL,
        "An address without a row is reported as an error; nothing is guessed.",
    ),
];
