//! Linkers as readers, with stand-ins around the installed GNU ld: each is distinguished from one
//! that merges correctly.

use std::fs;

use crate::command::support::{Folder, Ran, run};
use testing::program::write_program;

/// What a stand-in does instead of `ld WORDS`, and the expected verdict.
const STAND_INS: [(&str, &str); 5] = [
    ("right", "exec ld \"$@\""),
    ("wrong-row", "ld \"$@\" && python3 \"$(dirname \"$0\")/damage.py\""),
    ("refused", "ld \"$@\"; echo \"input.o: .sframe left out\" >&2"),
    ("crash", "kill -SEGV $$"),
    ("missed", "ld \"$@\" && objcopy --remove-section .sframe linked"),
];

/// Changes the table's last row from a CFA 8 bytes above SP to 16. The first row is the other
/// object's.
const DAMAGE: &str = "data = open('linked', 'rb').read()\nat = data.rindex(b'\\x00\\x03\\x08') + 2\n\
                      open('linked', 'wb').write(data[:at] + b'\\x10' + data[at + 1:])\n";

const PRODUCER: &str = "
  kind: linker
  flavour: bfd
  about: a stand-in
  version: {arguments: -V, pattern: 'GNU ld .*\\s([0-9][0-9.]*)'}
  sframe: [{from: '2.46', versions: [v3]}, {from: '2.45', versions: [v2e1]}, {from: '2.41', versions: [v2]}, {from: '2.40', versions: [v1]}]
  steps: {link: '{program} {options} -o {output} {inputs}'}
";

fn ask(folder: &Folder, filter: &str) -> Ran {
    folder.write("damage.py", DAMAGE.as_bytes());
    fs::create_dir_all(folder.path("ci")).expect("a folder");
    let (mut producers, mut consumers) = (String::new(), String::new());
    for (name, script) in STAND_INS {
        let path = folder.path(name);
        write_program(&path, &format!("#!/bin/sh\nif [ \"$1\" = -V ]; then exec ld -V; fi\n{script}\n"));
        producers +=
            &format!("- name: {name}\n  search: [{}]\n  program: {{amd64: [{name}]}}{PRODUCER}", folder.path(""));
        consumers += &format!(
            "- name: {name}\n  about: a stand-in\n  command: \"{{self}} answer --producers {} --linker {name}@\"\n  \
             version_pattern: '{name} (\\S+)'\n  from: nowhere\n  reads: [{{versions: [v1, v2, v2e1, v3], abis: [amd64]}}]\n  \
             limits: {{memory_mib: 0}}\n",
            folder.path("ci/producers.yaml"),
        );
    }
    folder.write("ci/producers.yaml", producers.as_bytes());
    let file = folder.write("consumers.yaml", consumers.as_bytes());
    run(&["consumers", "--consumers", &file, "--programs", "0", "--builds", "0", "--filter", filter])
}

/// Number of sections with this verdict on this linker.
fn sections(ran: &Ran, name: &str, verdict: &str) -> usize {
    let words = ran.stdout.lines().map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
    let row = words.into_iter().find(|words| words.len() == 5 && words[0] == name && words[2] == verdict);
    row.and_then(|words| words[3].parse().ok()).unwrap_or(0)
}

#[test]
fn what_a_linker_makes_of_a_table_is_held_against_it_and_its_word_is_taken() {
    let folder = Folder::new();
    // Each ld merges a single version, and is not given the others.
    let ran = ask(&folder, "amd64/two-functions");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for (name, _) in STAND_INS {
        assert_eq!(sections(&ran, name, name), 1, "{name}: {}", ran.stdout);
        let accused = ran.stdout.lines().any(|line| line.starts_with(&format!("{name} ")) && line.contains(": "));
        assert_eq!(accused, name != "right", "{name}: {}", ran.stdout);
    }
}
