# Functions for transcripts. $objects is cases/objects, $root the checkout, $tools this folder.
set -o pipefail

# Without what the machine adds to it, Python starts in half the time.
python3() { command python3 -SE "$@"; }
# elf FILE EDIT...: changes a file or prints a part of it; see elf.py.
elf() { python3 "$tools/elf.py" "$@"; }
# json PATH...: of each JSON line of standard input, the values at these paths; see values.py.
json() { python3 "$tools/values.py" "$@"; }
# within LIMIT COMMAND...: the command, which fails if it or a child needs more memory; see within.py.
within() { python3 "$tools/within.py" "$@"; }
# frozen NAME COPY...: copies a frozen object.
frozen() { local from=$1 to; shift; for to; do cp "$objects/$from" "$to"; done; }
# name TEXT PLACEHOLDER: prints PLACEHOLDER in place of TEXT.
name() { printf '%s\t%s\n' "$1" "$2" >>"$names"; }
# executable FILE: standard input becomes the text of that file, which can be executed.
executable() { mkdir -p "$(dirname "$1")"; cat >"$1"; chmod 755 "$1"; }
# try COMMAND...: its exit code too, where one line has several commands.
try() { "$@"; echo "exit $?"; }
# wait_for COMMAND...: until it succeeds.
wait_for() { until "$@"; do sleep 0.01; done 2>/dev/null; }
# unlocked DIR: a child that was starting when its program was killed holds the lock of a results folder for a moment.
unlocked() { wait_for flock -n "$1/lock" true; }
# ended PID: waits for a background process; its exit code.
ended() { wait "$1" 2>/dev/null; }

# Clean, runs to its exit, 20,983 instructions, 7 callers deep (objects.yaml).
clean_exe=aarch64/gas-2.47.50--v3--gcc12-O2--exe
# Clean, without warnings.
clean_object=aarch64/gas-2.47.50--v3--gcc12-O0--o
# Three wrong rows (reports/known), small.
wrong_object=x86_64/gas-2.40--v1--hand--o
# Runs to its exit; _start claims a caller (reports/known).
wrong_exe=x86_64/gas-2.44--v2--gcc12-O2--exe
# A shared object.
shared=aarch64/gas-2.47.50--v3--gcc12-O2--so

# sections [FILE]: reader, verdict and number of sections of the table that `consumers` prints.
sections() { awk 'NF == 5 && $4 ~ /^[1-9][0-9]*$/ && $5 ~ /^[0-9]+$/ { print $1, $3, $4 }' "$@"; }

# workshop: a home in the working folder for tests of the matrix, with one case, frames/no-fp on AMD64. Its last function, leaf, has one
# row, the last of the table; $sframe is the version that its assemblers write. Its tools are shell scripts that call the real assembler and linker, or misbehave.
workshop() {
  mkdir -p cases/objects cases/frames ci reports/known bin
  echo '[]' >cases/objects/objects.yaml
  cp "$root"/cases/frames/no-fp.{yaml,amd64.s} cases/frames
  : >ci/producers.yaml
  export SFRAME_CONFORMANCE_PRODUCERS=
  unset SFRAME_CONFORMANCE_HOME
  # The machine's tools have any version, and write the SFrame versions of that.
  local version
  version=$("$(found x86_64-linux-gnu-as as)" --version | sed -n '1s/^GNU .*[[:space:]]\([0-9][0-9.]*\).*/\1/p')
  case $version in 2.4[6-9]* | 2.[5-9]*) sframe=v3 ;; 2.45*) sframe=v2e1 ;; 2.40*) sframe=v1 ;; *) sframe=v2 ;; esac
  name "@$version" @GAS
  name "gas $version" 'gas GAS'
  name "::$sframe::" ::vN::
  name "/$sframe/" /vN/
  name "'$version'" "'GAS'"
  name "fake $version" 'fake GAS'
  name "$(date -u +%F)" DAY
}
found() { local tool; for tool; do command -v "$tool" && return; done; }

# assembler NAME [BODY [KEY...]], linker and stripper alike: adds an entry to ci/producers.yaml, replacing one of that name. Its script gets
# the output as $out and the inputs as "$@"; `wrong FILE` changes the last byte of FILE's .sframe, the CFA's offset in leaf, from 8 to 24.
assembler() {
  local version="{from: '2.46', versions: [v3]}, {from: '2.45', versions: [v2e1]}, {from: '2.41', versions: [v2]}, {from: '2.40', versions: [v1]}"
  entry "$1" assembler as "${2-$assemble}" assemble "sframe: [$version]" 'sframe_words: --gsframe' 'with: [{name: link}]' "${@:3}"
}
linker() { entry "$1" linker ld "${2-$link}" 'link relocatable' "${@:3}"; }
stripper() { entry "$1" post-processor strip "${2-$strip}" strip "${@:3}"; }
assemble='"$as" "$@" -o "$out"'
link='"$ld" "$@" -o "$out"'
strip='"$strip" "$@" -o "$out"'

entry() {
  local step flag key script=$PWD/bin/$1.sh
  {
    cat <<'END'
found() { for tool; do command -v "$tool" && return; done; }
as=$(found x86_64-linux-gnu-as as)
ld=$(found x86_64-linux-gnu-ld.bfd x86_64-linux-gnu-ld ld)
strip=$(found x86_64-linux-gnu-strip strip)
objdump=$(found x86_64-linux-gnu-objdump objdump)
wrong() {
  set -- "$1" $("$objdump" -h "$1" | awk '$2 == ".sframe" { print $3, $6 }')
  printf '\030' | dd of="$1" bs=1 seek=$((0x$3 + 0x$2 - 1)) conv=notrunc 2>/dev/null
}
END
    printf '[ "$1" = --version ] && exec "$%s" --version\n[ "$1" = -r ] && r=-r && shift\nout=$1; shift\n' "$3"
    printf '[ -n "$r" ] && set -- -r "$@"\n%s\n' "$4"
  } >"bin/$1.sh"
  ! grep -q "^- name: $1\$" ci/producers.yaml || return 0
  {
    printf '%s\n' "- name: $1" "  kind: $2" "  about: a test's" '  program: {amd64: [/bin/sh]}'
    printf '%s\n' "  version: {arguments: '$script --version', pattern: 'GNU .*\\s([0-9][0-9.]*)'}"
    for key in "${@:6}"; do echo "  $key"; done
    echo '  steps:'
    for step in $5; do
      [ "$step" = relocatable ] && flag=' -r' || flag=
      echo "    $step: '{program} $script$flag {output} {sframe} {options} {inputs}'"
    done
  } >>ci/producers.yaml
}

# of PRODUCER [PATH...]: of the line of that producer in out/results.jsonl, the values at these paths.
of() { grep "\"key\":\"$1@" out/results.jsonl | json "${@:2}"; }

# results NAME STATUS STATUS [KEY=JSON...]: a folder with the results of two trials of frozen objects, one with errors if its status is FAIL,
# and the facts of their run with these keys.
results() {
  local home=$desk/../home
  if [ ! -d "$home" ]; then
    mkdir -p "$home"/{ci,reports/known,cases/objects/x86_64,cases/objects/aarch64}
    : >"$home/ci/producers.yaml"
    cp "$objects/$wrong_object" "$home/cases/objects/x86_64"
    cp "$objects/$clean_object" "$home/cases/objects/aarch64"
    awk -v wanted="$wrong_object $clean_object" '/^- file: /{ keep = index(wanted, $3) } keep' "$objects/objects.yaml" \
      >"$home/cases/objects/objects.yaml"
    SFRAME_CONFORMANCE_HOME=$home SFRAME_CONFORMANCE_PRODUCERS= sframe-conformance run --out "$home/base" >/dev/null 2>&1
  fi
  python3 "$tools/results.py" "$home/base" "$@"
}

# crashing DIR: an assembler in that folder, and producers.yaml with it; whole.s has many functions, three of which have the lines on which
# it crashes.
crashing() {
  local nth line
  mkdir -p "$1"
  executable "$1/as" <"$tools/crashing-as.sh"
  frozen $clean_object "$1/object"
  cat >producers.yaml <<END
- name: fake
  kind: assembler
  about: breaks where it is told to
  called: Fake as
  bugzilla: {product: fakes, component: as}
  search: ['$PWD/$1']
  program: {all: [as]}
  version: {pattern: 'fake ([0-9.]+)'}
  sframe: [{from: '1', versions: [v3]}]
  sframe_words: --gsframe
  steps: {assemble: '{program} {sframe} -o {output} {inputs}'}
END
  export SFRAME_CONFORMANCE_PRODUCERS=$PWD/producers.yaml
  printf '# a comment\n\t.text\n' >whole.s
  for nth in $(seq 0 "${2:-8}"); do
    case $nth in 0) line=base ;; 2) line=one ;; 5) line=two ;; *) line=nop ;; esac
    printf 'f%s:\n\t.cfi_startproc\n\t%s\n\t.cfi_endproc\n' "$nth" "$line"
  done >>whole.s
}

# reader NAME BODY [KEY...]: adds a reader to consumers.yaml, a script; an empty body is this project's. `each WORD ANSWER...` in a body
# answers WORD for every section, and ANSWER for every PC.
reader() {
  local command="\"{self} answer\"" key
  if [ -n "$2" ]; then
    command=$PWD/$1
    {
      printf '#!/bin/sh\nif [ "$1" = --version ]; then echo 1.0; exit; fi\n'
      echo 'each() { word=$1; shift; while read first rest; do if [ $first = section ]; then echo $word; else echo $*; fi; done; }'
      echo "$2"
    } | executable "$1"
  fi
  printf '%s\n' "- name: $1" '  about: a stand-in' "  command: $command" '  from: nowhere' "  version_pattern: '(\\d[0-9.]*)'" >>consumers.yaml
  [ -n "$2" ] || echo '  version_command: "{self} --version"' >>consumers.yaml
  case "${*:3}" in *reads:*) ;; *) echo '  reads: [{versions: [v2e1]}]' >>consumers.yaml ;; esac
  for key in "${@:3}"; do echo "  $key" >>consumers.yaml; done
}
# planted NAME FROM TO [KEY...]: adds the reference adapter with a text of it replaced by another one.
planted() {
  python3 -c 'import sys; text = open(sys.argv[1]).read(); assert sys.argv[2] in text; print(text.replace(sys.argv[2], sys.argv[3], 1), end="")' \
    "$root/ci/adapters/reference.py" "$2" "$3" >"$1.py"
  printf '%s\n' "- name: $1" '  about: planted' "  command: python3 -SE $PWD/$1.py" '  version_command: echo reference 2' \
    "  version_pattern: 'reference (\\S+)'" '  from: nowhere' '  tells: [signed, key, signal, chain]' "${@:4}" >>consumers.yaml
}
# answers ARGUMENT...: `consumers` with the readers of consumers.yaml, without random programs.
answers() { sframe-conformance consumers --consumers consumers.yaml --programs 0 --builds 0 "$@"; }
