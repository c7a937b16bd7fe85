//! The end of each command's help: examples to paste, at most 80 columns, and exit codes.

/// Of `check`.
pub(super) const CHECK: &str = "\
Examples:
  sframe-conformance check a.out lib.so foo.o     # programs are executed
  sframe-conformance check --explore lib.so       # every function, no inputs
  sframe-conformance check -q build/*.o           # only what is not clean
  sframe-conformance check --format json a.out | jq .verdict
  sframe-conformance check - <foo.o               # from standard input
  sframe-conformance check --known baseline a.out # with a ledger of your own

Exit codes: 0 clean; 1 a table is wrong; 2 undecided; 3 not an ELF64 file of
a known machine, no unwind table, or bad usage. Several files: 3 over 1 over
2 over 0.";

/// Of `sweep`.
pub(super) const SWEEP: &str = "\
Examples:
  sframe-conformance sweep /usr/lib               # everything below
  sframe-conformance sweep --only-bad foo.deb libx.a
  sframe-conformance sweep -q --known target/sweep --out target/now /usr/lib

Exit codes: 0 clean; 1 a table is wrong; 2 undecided, or a file cannot be
read; 3 as check, but only for files that were named: files found in folders
that cannot have a table are skipped and counted.";

/// Of `run`.
pub(super) const RUN: &str = "\
Examples:
  sframe-conformance run                          # every case, every tool here
  sframe-conformance run --as ../build/gas/as-new --ld ../build/ld/ld-new
  sframe-conformance run --filter frames::no-fp --keep
  sframe-conformance run --filter '^gas@2.4[04].*::c::' --list
  sframe-conformance run --producers my.yaml      # see ci/producers.md

Exit codes: 0 as the ledger expects; 1 a new finding or failure, or a known
bug that did not recur; 2 undecided, or interrupted; 3 bad usage, results
cannot be written, or a tool of your producers' file is missing.";

/// Of `report`.
pub(super) const REPORT: &str = "\
Examples:
  sframe-conformance report target/conformance
  sframe-conformance report target/conformance --format junit --out junit.xml
  sframe-conformance report --diff target/before target/after
  sframe-conformance report --merge shard-1 shard-2 --out all
  sframe-conformance report --site public nights/*

Exit codes: 0, 1, 2 as of the run; with --diff 0 unchanged, 1 changed, 2 a run
was not finished; 3 results cannot be read.";

/// Of `accept`.
pub(super) const ACCEPT: &str = "\
Examples:
  sframe-conformance accept 0890ae9509bb182e --entry gas-cfa --project gas \\
      --title 'gas: ... (AMD64)' --reason 'Byte 0x5e is ..., the clause ...' \\
      --link unfiled --expires 2027-06-30

Exit codes: 0 the entry was written; 3 it was not.";

/// Of `producers`.
pub(super) const PRODUCERS: &str = "\
Examples:
  sframe-conformance producers
  sframe-conformance producers --format json | jq '.[].version'

Exit codes: 0 listed; 3 the producers' file cannot be read.";

/// Of `dump`.
pub(super) const DUMP: &str = "\
Examples:
  sframe-conformance dump foo.o
  sframe-conformance dump --format json a.out | jq '.functions[].rows[].text'

Exit codes: 0 printed; 3 a file cannot be read, or has no .sframe.";

/// Of `trace`.
pub(super) const TRACE: &str = "\
Examples:
  sframe-conformance trace a.out | head
  sframe-conformance trace --entry parse --format json a.out

Exit codes: 0 it ran to its end; 2 it ended early; 3 it cannot be executed.";

/// Of `explain`.
pub(super) const EXPLAIN: &str = "\
Examples:
  sframe-conformance explain                      # every rule, a line each
  sframe-conformance explain row/cfa-matches-truth
  sframe-conformance explain 0890ae9509bb182e     # a finding of a run

Exit codes: 0 explained; 3 no such rule or finding.";

/// Of `reduce`.
pub(super) const REDUCE: &str = "\
Examples:
  sframe-conformance reduce gas@2.44::amd64::v2::frames::no-fp
  sframe-conformance reduce foo.s --assembler gas@2.44 --abi amd64
  sframe-conformance reduce foo.o

Exit codes: 0 reduced, also at a limit; 3 nothing is wrong, or it cannot be
reduced; 130 and 143 after a signal.";

/// Of `bundle`.
pub(super) const BUNDLE: &str = "\
Examples:
  sframe-conformance bundle 0890ae9509bb182e --out bundle
  sframe-conformance bundle target/conformance/results.jsonl --out bundles
  sframe-conformance bundle gas-outermost --out bundle    # a known bug

Exit codes: 0 written; 3 it cannot be written; 130 and 143 after a signal.
Nothing is ever sent.";

/// Of `generate`.
pub(super) const GENERATE: &str = "\
Examples:
  sframe-conformance generate --seed 1 --count 100 --out programs
  sframe-conformance generate --check --count 10000

Exit codes: 0 written, or judged right; 1 a program was judged wrongly; 3 bad
usage, or files cannot be written.";

/// Of `score`.
pub(super) const SCORE: &str = "\
Examples:
  sframe-conformance score
  sframe-conformance score --blind --seed 7

Exit codes: 0 every planted bug was found; 1 one was missed, or a false alarm;
3 bad usage, or files cannot be read.";

/// Of `consumers`.
pub(super) const CONSUMERS: &str = "\
Examples:
  sframe-conformance consumers --list             # which readers are here
  sframe-conformance consumers --consumer own --filter amd64

Exit codes: 0 as the ledger expects; 1 a new finding, or a known one that did
not recur; 2 a reader was not judged; 3 bad usage.";

/// Of `corpus`.
pub(super) const CORPUS: &str = "\
Examples:
  sframe-conformance corpus --out corpus
  sframe-conformance corpus --archive corpus.tar.gz --filter v3-amd64

Exit codes: 0 written; 3 it cannot be written.";

/// Of `fuzz`.
pub(super) const FUZZ: &str = "\
Examples:
  sframe-conformance fuzz --count 1000 --seed 7
  sframe-conformance fuzz --assembler gas@2.44 --abi amd64

Exit codes: 0 every finding is in a known class; 1 a new finding; 3 bad usage,
or no assembler.";

/// Of `completions`.
pub(super) const COMPLETIONS: &str = "\
Examples:
  sframe-conformance completions bash >sframe-conformance.bash
  sframe-conformance completions zsh >~/.zfunc/_sframe-conformance
  sframe-conformance completions fish >sframe-conformance.fish

Exit codes: 0 printed.";
