//! `ci/action`: its steps executed as a runner does, with the inputs of a workflow.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use toolchain::yaml;

use crate::command::document::root;
use crate::command::support::{CLEAN_EXE, Folder, WRONG_OBJECT, frozen, program};

#[derive(serde::Deserialize)]
struct Action {
    inputs: BTreeMap<String, Input>,
    runs: Runs,
}

#[derive(serde::Deserialize)]
struct Input {
    default: Option<String>,
}

#[derive(serde::Deserialize)]
struct Runs {
    steps: Vec<ActionStep>,
}

#[derive(serde::Deserialize)]
struct ActionStep {
    id: String,
    env: BTreeMap<String, String>,
    run: String,
}

struct Job {
    code: i32,
    printed: String,
    /// Outputs of steps, `step.name`.
    outputs: BTreeMap<String, String>,
    summary: String,
}

/// Executes the steps until one fails.
fn job(folder: &Folder, inputs: &[(&str, &str)], more: &[(&str, &str)]) -> Job {
    let home = root().join("ci/action");
    let action: Action = yaml::read(&home.join("action.yml")).expect("an action");
    assert!(inputs.iter().all(|(name, _)| action.inputs.contains_key(*name)), "{inputs:?}");
    let input = |name: &str| {
        let given = inputs.iter().find(|(given, _)| *given == name).map(|(_, value)| (*value).to_owned());
        given.or_else(|| action.inputs.get(name)?.default.clone()).unwrap_or_else(|| panic!("no input {name}"))
    };
    let mut job = Job { code: 0, printed: String::new(), outputs: BTreeMap::new(), summary: String::new() };
    let summary = folder.path("summary.md");
    for step in &action.runs.steps {
        let output = folder.path(&format!("output-{}", step.id));
        let mut command = Command::new("bash");
        command.args(["-e", "-o", "pipefail", "-c", &step.run]).current_dir(folder.path("."));
        command.env("GITHUB_ACTION_PATH", &home).env("GITHUB_OUTPUT", &output).env("GITHUB_STEP_SUMMARY", &summary);
        command.env("RUNNER_TEMP", folder.path(".")).envs(more.iter().copied());
        for (name, value) in &step.env {
            let term = value.strip_prefix("${{ ").and_then(|rest| rest.strip_suffix(" }}")).expect("a term");
            let value = match term.split('.').collect::<Vec<_>>()[..] {
                ["inputs", name] => input(name),
                ["steps", step, "outputs", name] => job.outputs[&format!("{step}.{name}")].clone(),
                ["github", "action_repository"] => "owner/sframe-conformance".to_owned(),
                ["github", "action_ref"] => format!("v{}", env!("CARGO_PKG_VERSION")),
                _ => panic!("{term}"),
            };
            command.env(name, value);
        }
        let ran = command.output().expect("bash");
        job.code = ran.status.code().expect("an exit code");
        job.printed += &String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat());
        for line in fs::read_to_string(&output).unwrap_or_default().lines() {
            let (name, value) = line.split_once('=').expect("an output");
            job.outputs.insert(format!("{}.{name}", step.id), value.to_owned());
        }
        if job.code != 0 {
            break;
        }
    }
    job.summary = fs::read_to_string(summary).unwrap_or_default();
    job
}

fn own() -> String {
    program().get_program().to_string_lossy().into_owned()
}

#[test]
fn files_of_a_workflow_are_judged() {
    let (clean, wrong, own) = (frozen(CLEAN_EXE), frozen(WRONG_OBJECT), own());
    let folder = Folder::new();
    let of_clean = job(&folder, &[("files", &clean), ("program", &own)], &[]);
    assert_eq!(of_clean.code, 0, "{}", of_clean.printed);
    assert!(of_clean.summary.contains("1 file: 1 clean"), "{}", of_clean.summary);
    assert_eq!(of_clean.outputs["judge.exit-code"], "0");

    let both = format!("{clean}\n{wrong}");
    let folder = Folder::new();
    let of_both = job(&folder, &[("files", &both), ("program", &own), ("options", "--static")], &[]);
    assert_eq!((of_both.code, of_both.outputs["judge.exit-code"].as_str()), (1, "1"), "{}", of_both.printed);
    assert!(of_both.printed.contains("\n::error title=") && of_both.printed.contains("static checks of each file"));
    let sarif = fs::read_to_string(folder.path(&of_both.outputs["judge.sarif"])).expect("SARIF");
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    assert!(sarif["runs"][0]["results"].as_array().is_some_and(|results| !results.is_empty()), "{sarif}");
    let again = job(&folder, &[("files", &both), ("program", &own)], &[]);
    assert!(again.code == 3 && again.printed.contains("::error::sframe-results is not empty"), "{}", again.printed);

    let never = job(&Folder::new(), &[("files", &wrong), ("program", &own), ("fail-on", "never")], &[]);
    assert_eq!((never.code, never.outputs["judge.exit-code"].as_str()), (0, "1"), "{}", never.printed);
    let misspelt = job(&Folder::new(), &[("files", &wrong), ("program", &own), ("fail-on", "none")], &[]);
    assert!(misspelt.code == 3 && misspelt.printed.contains("fail-on: none"), "{}", misspelt.printed);
}

/// A file name that is a command of the workflow stays text.
#[test]
fn names_of_files_are_no_commands() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).expect("a folder");
    fs::copy(frozen(WRONG_OBJECT), folder.path("in/x\n::set-output name=a::b")).expect("a copy");
    let ran = job(&folder, &[("files", "in"), ("program", &own())], &[]);
    assert_eq!(ran.code, 1, "{}", ran.printed);
    assert!(!ran.printed.lines().any(|line| line.starts_with("::set-output")), "{}", ran.printed);
}

/// The program of a release is fetched, and one whose sum is another is refused.
#[test]
fn a_release_is_fetched_and_compared() {
    if Command::new("curl").arg("--version").output().is_err() {
        return;
    }
    let folder = Folder::new();
    let version = env!("CARGO_PKG_VERSION");
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" };
    let name = format!("sframe-conformance-{version}-linux-{machine}");
    let served = PathBuf::from(folder.path(&format!("server/owner/sframe-conformance/releases/download/v{version}")));
    fs::create_dir_all(served.join(&name)).expect("a folder");
    std::os::unix::fs::symlink(own(), served.join(&name).join("sframe-conformance")).expect("a link");
    let sh = |line: &str, place: &Path| {
        assert!(
            Command::new("sh").args(["-c", line]).current_dir(place).status().expect("a shell").success(),
            "{line}"
        );
    };
    sh(&format!("tar -cf - {name} | gzip -1 >{name}.tar.gz && sha256sum {name}.tar.gz >SHA256SUMS"), &served);
    let server = format!("file://{}", folder.path("server"));
    let clean = frozen(CLEAN_EXE);
    let fetched = job(&folder, &[("files", &clean)], &[("GITHUB_SERVER_URL", &server)]);
    assert_eq!(fetched.code, 0, "{}", fetched.printed);
    assert!(fetched.outputs["install.program"].ends_with(&format!("{name}/sframe-conformance")));

    sh(&format!("echo more >>{name}.tar.gz"), &served);
    let other = job(&Folder::new(), &[("files", &clean)], &[("GITHUB_SERVER_URL", &server)]);
    assert!(other.code == 1 && other.outputs.is_empty(), "{}", other.printed);
}
