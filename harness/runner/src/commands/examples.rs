//! What stands behind the options in the help of each command: calls to copy, and what its exit codes mean.

/// Of `check`.
pub(super) const CHECK: &str = "\
Examples:
  sframe-conformance check a.out lib.so foo.o         each file's verdict; executables are run
  sframe-conformance check --explore lib.so           every function, without its inputs
  sframe-conformance check -q build/*.o               only what is not clean, and the total
  sframe-conformance check --format json a.out | jq .verdict
  sframe-conformance check - <foo.o                   a file from standard input
  sframe-conformance check --known baseline a.out     what a ledger of yours has decides nothing

Exit codes: 0 clean; 1 a table is wrong; 2 something could not be decided; 3 no ELF64 file of a known machine, no table, or bad usage.
Of several files the worst: 3 over 1 over 2 over 0.";

/// Of `sweep`.
pub(super) const SWEEP: &str = "\
Examples:
  sframe-conformance sweep /usr/lib                   everything below, then what is wrong by cause
  sframe-conformance sweep --only-bad foo.deb libx.a
  sframe-conformance sweep -q --known target/sweep --out target/now /usr/lib
                                                      only what an earlier sweep did not find

Exit codes: 0, 1, 2, 3 as of check; but what was found, not named, and cannot be judged by its nature is passed by, and what cannot be read is 2.";

/// Of `run`.
pub(super) const RUN: &str = "\
Examples:
  sframe-conformance run                              every case, with each tool found here
  sframe-conformance run --as ../build/gas/as-new --ld ../build/ld/ld-new
                                                      your own builds, without any file to write
  sframe-conformance run --filter frames::no-fp --keep
  sframe-conformance run --filter '^gas@2.4[04].*::c::' --list
  sframe-conformance run --producers my.yaml          tools of your own, see ci/producers.md

Exit codes: 0 as the ledger expects; 1 something failed, or a known mistake did not recur; 2 something could not be decided, or the run was
ended before its time; 3 it could not be done: bad usage, or a tool that your own producers' file names is missing.";

/// Of `report`.
pub(super) const REPORT: &str = "\
Examples:
  sframe-conformance report target/conformance
  sframe-conformance report target/conformance --format junit --out junit.xml
  sframe-conformance report --diff target/before target/after
  sframe-conformance report --merge shard-1 shard-2 --out all
  sframe-conformance report --site public nights/*       a site of several runs

Exit codes: 0, 1, 2 as of the run; with --diff 0 nothing changed, 1 something did, 2 a run was not finished; 3 results cannot be read.";

/// Of `accept`.
pub(super) const ACCEPT: &str = "\
Example:
  sframe-conformance accept 0890ae9509bb182e --entry gas-cfa --project gas --title 'gas 2.44 does ...' \\
      --reason 'The byte at 0x5e is ..., the clause says ...' --link unfiled --expires 2027-06-30

Exit codes: 0 the entry was written; 3 it was not.";

/// Of `producers`.
pub(super) const PRODUCERS: &str = "\
Examples:
  sframe-conformance producers
  sframe-conformance producers --format json | jq '.[] | select(.version == null)'

Exit codes: 0; 3 where the producers' file cannot be read.";

/// Of `dump`.
pub(super) const DUMP: &str = "\
Examples:
  sframe-conformance dump foo.o
  sframe-conformance dump --format json a.out | jq '.functions[].rows[].text'

Exit codes: 0; 3 where a file cannot be read, or has no .sframe.";

/// Of `trace`.
pub(super) const TRACE: &str = "\
Examples:
  sframe-conformance trace a.out | head
  sframe-conformance trace --entry parse --format json a.out

Exit codes: 0 it ran to its end; 2 it ended early; 3 it could not be run.";

/// Of `explain`.
pub(super) const EXPLAIN: &str = "\
Examples:
  sframe-conformance explain                          every rule, a line each
  sframe-conformance explain row/cfa-matches-truth    what it means, with its clause and an example
  sframe-conformance explain 0890ae9509bb182e         a finding of a run, by its fingerprint

Exit codes: 0; 3 where there is no such rule or finding.";

/// Of `reduce`.
pub(super) const REDUCE: &str = "\
Examples:
  sframe-conformance reduce gas@2.44::amd64::v2::frames::no-fp --finding 0890ae9509bb182e
  sframe-conformance reduce foo.s --assembler gas@2.44 --abi amd64
  sframe-conformance reduce foo.o

Exit codes: 0, also at a limit; 3 where nothing is wrong or it cannot be done; 130 and 143 after a signal.";

/// Of `bundle`.
pub(super) const BUNDLE: &str = "\
Examples:
  sframe-conformance bundle 0890ae9509bb182e --out bundle
  sframe-conformance bundle target/conformance/results.jsonl --most 3 --out bundles
  sframe-conformance bundle gas-outermost --out bundle   a mistake that is known, without any tool

Exit codes: 0; 3 where it cannot be done; 130 and 143 after a signal. Nothing is ever sent.";

/// Of `generate`.
pub(super) const GENERATE: &str = "\
Examples:
  sframe-conformance generate --seed 1 --count 100 --out programs
  sframe-conformance generate --check --count 10000

Exit codes: 0; 1 a program was judged wrongly; 3 it could not be done.";

/// Of `score`.
pub(super) const SCORE: &str = "\
Examples:
  sframe-conformance score
  sframe-conformance score --blind --seed 7

Exit codes: 0 every mistake was caught; 1 one was missed; 3 it could not be done.";

/// Of `consumers`.
pub(super) const CONSUMERS: &str = "\
Examples:
  sframe-conformance consumers --list                 which readers are here, and how to get the rest
  sframe-conformance consumers --consumer own --filter amd64

Exit codes: 0; 1 a finding that is new, or a known one that did not recur; 2 a reader was not judged; 3 it could not be done.";

/// Of `corpus`.
pub(super) const CORPUS: &str = "\
Example:
  sframe-conformance corpus --out corpus

Exit codes: 0; 3 where it cannot be written.";

/// Of `fuzz`.
pub(super) const FUZZ: &str = "\
Example:
  sframe-conformance fuzz --count 1000 --seed 7

Exit codes: 0; 1 something that no known class accounts for; 3 it could not be done.";

/// Of `completions`.
pub(super) const COMPLETIONS: &str = "\
Examples:
  sframe-conformance completions bash >~/.local/share/bash-completion/completions/sframe-conformance
  sframe-conformance completions zsh >~/.zfunc/_sframe-conformance
  sframe-conformance completions fish >~/.config/fish/completions/sframe-conformance.fish

Exit codes: 0.";
