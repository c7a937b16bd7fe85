//! Directives of random texts, macros and expressions mean what the assembler on PATH writes.

mod assembled;
mod texts;
