//! Fuzzes the handling of a failing tool, `cat`, that prints the input: from its entry in a
//! producers' file to the interpretation of its output.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use toolchain::entry::Step;
use toolchain::files::Files;
use toolchain::producers::Producers;
use toolchain::scratch::Scratch;
use toolchain::tool::Order;
use types::Abi;

/// Returns true if a version was found in the input. The first byte selects a target, for the names
/// of its registers.
pub(crate) fn run(input: &[u8]) -> bool {
    static FOLDER: OnceLock<Scratch> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| Scratch::new().unwrap_or_else(|error| panic!("no folder: {error}"))).path();
    let printed = folder.join("printed");
    let written = fs::write(&printed, input.get(1..).unwrap_or_default());
    written.unwrap_or_else(|error| panic!("{}: {error}", printed.display()));
    let entry = format!(
        "- name: cat\n  kind: assembler\n  about: prints\n  program: {{amd64: [cat]}}\n  sframe: [{{from: '2', versions: [v3]}}]\n  \
         version: {{arguments: '{}', pattern: 'version ([0-9.]+)'}}\n  steps: {{assemble: '{{program}} {{inputs}} {{output}}'}}\n",
        printed.display()
    );
    let producers = Producers::parse(Path::new("fuzzed.yaml"), &entry, folder);
    let producers = producers.unwrap_or_else(|error| panic!("{error}"));
    let _ = producers.facts();
    let tools = match producers.tools("cat", Abi::Amd64) {
        Ok(tools) => tools,
        Err(error) => return error.to_string().is_empty(),
    };
    for tool in tools {
        let _ = (tool.name(), tool.sframe());
        let mut files = Files::default();
        files.put("printed", input.get(1..).unwrap_or_default().to_vec().into());
        let inputs = ["printed"];
        let order = Order { step: Step::Assemble, inputs: &inputs, output: "out", options: "", sframe: true };
        match tool.must_run(&order, &mut files) {
            Ok(ran) => panic!("{} made a file", ran.command),
            Err(error) => {
                let words = [&input[..input.len().min(1)], error.to_string().as_bytes()].concat();
                let _ = super::texts::complaint(&words);
            }
        }
    }
    !tools.is_empty()
}
