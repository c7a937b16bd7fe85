//! What assemblers got wrong, again: each reproducer of `cases/found` with each assembler of this machine that it has an outcome for.
//! An assembler that is absent, or of a version nobody has looked at, is ignored.

use std::collections::BTreeSet;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial, run};
use sframe_conformance::fuzz::found::{Reproducer, TOPIC};
use sframe_conformance::fuzz::tool::{self, Tool};
use sframe_conformance::matrix::Home;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = Home::find().root.join("cases").join(TOPIC);
    let reproducers = match Reproducer::read_all(&folder) {
        Ok(reproducers) => reproducers,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(3);
        }
    };
    let mut tools = tool::on_path();
    tools.extend(tool::at("clang-22").unwrap_or_default());
    let mut tests = vec![every_source_is_listed(&reproducers, &folder)];
    for reproducer in reproducers {
        for tool in &tools {
            if tool.abi == reproducer.abi {
                tests.push(test(reproducer.clone(), tool.clone(), folder.clone()));
            }
        }
    }
    run(&arguments, tests).exit_code()
}

fn test(reproducer: Reproducer, tool: Tool, folder: std::path::PathBuf) -> Trial {
    let recorded = reproducer.recorded(&tool).is_some();
    let name = format!("{}::{}::{}", tool.name, tool.abi, reproducer.file);
    Trial::test(name, move || reproducer.check(&folder, &tool).map_err(Failed::from)).with_ignored_flag(!recorded)
}

fn every_source_is_listed(reproducers: &[Reproducer], folder: &std::path::Path) -> Trial {
    let listed: BTreeSet<String> = reproducers.iter().map(|reproducer| reproducer.file.clone()).collect();
    let folder = folder.to_owned();
    Trial::test("every_source_is_listed", move || {
        let entries = std::fs::read_dir(&folder).map_err(|error| Failed::from(error.to_string()))?;
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let sources: BTreeSet<String> = names.filter(|name| name.ends_with(".s")).collect();
        if sources == listed { Ok(()) } else { Err(format!("{sources:?} are there, {listed:?} listed").into()) }
    })
}
