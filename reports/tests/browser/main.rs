//! Smoke test of the pages in a real browser: every kind of view is opened, legible, usable by
//! keyboard and without sight, and has the text of its golden file. Needs Chromium on PATH; without
//! one the tests are ignored, and fail under `SFRAME_CONFORMANCE_STRICT=1`.

mod pages;
mod plain_sample;

mod formats {
    pub(crate) use crate::sample;
}
#[path = "../suite/page_sample.rs"]
mod page_sample;
#[path = "../suite/formats/sample.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod sample;
#[path = "../suite/typed.rs"]
mod typed;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};
use testing::blessed::blessed;

use crate::pages::{TestPage, all};

/// All pages are of this project, so one process draws them, by the two options before the last.
const FLAGS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
    "--hide-scrollbars",
    // Colours change at once.
    "--force-prefers-reduced-motion",
    "--enable-logging=stderr",
];

/// Maximum number of lines of a view in the golden file.
const LINES: usize = 60;

/// Time that a page may take, in virtual milliseconds.
const BUDGET: &str = "--virtual-time-budget=120000";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let program = program();
    let strict = std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1");
    let trials = all().into_iter().map(|page| {
        let (name, ignored) = match (&program, strict) {
            (None, false) => (format!("{} (no Chromium on PATH: ci/setup browser)", page.name), true),
            _ => (page.name.to_owned(), false),
        };
        let program = program.clone();
        let run = move || smoke(&program.ok_or_else(|| Failed::from("no Chromium on PATH"))?, &page);
        Trial::test(name, run).with_ignored_flag(ignored)
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// The browser's program on PATH that can be started: on some systems the name is a stub that only
/// prints how to install one. `ci/setup browser` uses the same names. The first one has no window
/// system, and takes two thirds of the time.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let prints_its_version = |program: &PathBuf| {
        let version = Command::new(program).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output();
        version.is_ok_and(|version| version.status.success())
    };
    names
        .iter()
        .flat_map(|name| std::env::split_paths(&path).map(move |folder| folder.join(name)))
        .find(|file| file.is_file() && prints_its_version(file))
}

/// Opens a page as it is, then a copy in which a script visits each view, wide and narrow.
fn smoke(program: &Path, page: &TestPage) -> Result<(), Failed> {
    let opened = Opened::new(program, &page.text, 1280)?;
    let mut problems = opened.console;
    if !opened.document.contains("</main>") {
        problems.push("no main".to_owned());
    }
    // Narrow too every night.
    let widths: &[u32] = if testing::samples::all() { &[1280, 360] } else { &[1280] };
    for &width in widths {
        let seen = Opened::new(program, &with_script(page), width)?;
        let found = seen.smoke()?;
        let listed = found["problems"].as_array().into_iter().flatten();
        problems.extend(listed.map(|problem| format!("{width} wide: {}", problem.as_str().unwrap_or_default())));
        problems.extend(seen.console);
        if width == 1280 {
            let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/browser/{}.txt", page.name));
            blessed(&golden, &texts(&found["views"]));
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n").into()),
    }
}

/// The page with the script of the test, which its own policy does not allow.
fn with_script(page: &TestPage) -> String {
    let (audit, contrast, smoke) = (include_str!("audit.js"), include_str!("contrast.js"), include_str!("smoke.js"));
    let constants = format!("const VIEWS = {}, LINES = {LINES};", json!(page.views));
    let script = format!("<script>\"use strict\"; {{\n{constants}\n{audit}{contrast}{smoke}}}</script>");
    let text = page.text.replace("http-equiv=\"Content-Security-Policy\"", "name=\"policy\"");
    text + &script
}

fn texts(views: &Value) -> String {
    let mut text = String::new();
    for view in views.as_array().into_iter().flatten() {
        text += &format!("== {}\n", view["view"].as_str().unwrap_or_default());
        for line in view["text"].as_array().into_iter().flatten() {
            text += &format!("{}\n", line.as_str().unwrap_or_default());
        }
        text.push('\n');
    }
    text
}

/// A page after its scripts.
struct Opened {
    /// The document as HTML.
    document: String,
    /// Errors and warnings.
    console: Vec<String>,
}

impl Opened {
    fn new(program: &Path, text: &str, width: u32) -> Result<Opened, Failed> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("index.html");
        std::fs::write(&file, text)?;
        let output = Command::new(program)
            .args(FLAGS)
            .args([BUDGET, &format!("--window-size={width},2400"), "--dump-dom"])
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg(format!("file://{}", file.display()))
            .stdin(Stdio::null())
            .output()?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            return Err(format!("{}: {errors}", output.status).into());
        }
        let console = errors.lines().filter(|line| line.contains(":CONSOLE")).map(str::to_owned).collect();
        Ok(Opened { document: String::from_utf8_lossy(&output.stdout).into_owned(), console })
    }

    /// The findings of the script.
    fn smoke(&self) -> Result<Value, Failed> {
        let text = self.document.split_once("<pre id=\"smoke\">").and_then(|(_, rest)| rest.split_once("</pre>"));
        let (text, _) = text.ok_or_else(|| format!("the script did not end: {:?}", self.console))?;
        Ok(serde_json::from_str(&text.replace("&nbsp;", "\u{a0}"))?)
    }
}
