//! Links, paths, crates and folders in the documents exist, and existing ones are documented.

use std::fs;
use std::path::PathBuf;

use cargo_metadata::{MetadataCommand, Package};

use super::DOCUMENTS;
use crate::command::document::{documents, exists, is_path, read, root, section};

#[test]
fn links_lead_somewhere() {
    let mut links = 0;
    for document in documents(&root()) {
        let text = fs::read_to_string(&document).expect("a document");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = target.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
                continue;
            }
            let folder = document.parent().expect("a folder");
            assert!(folder.join(path).exists(), "{}: {path} leads nowhere", document.display());
            links += 1;
        }
    }
    assert!(links > 10, "{links}");
}

/// A released program that a document fetches has the version of the checkout, and the name in the
/// workflow.
#[test]
fn released_programs_are_of_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    let document = read("ci/elsewhere.md");
    let (_, fetched) = document.split_once("/releases/download/").expect("a released program");
    let fetched = fetched.split_whitespace().next().unwrap_or_default();
    assert_eq!(fetched, format!("v{version}/sframe-conformance-{version}-linux-amd64.tar.gz"));
    assert!(
        read(".github/workflows/release.yml").contains("name=sframe-conformance-$version-linux-${{ matrix.machine }}")
    );
    assert!(read("CHANGELOG.md").contains(&format!("\n## {version}\n")), "CHANGELOG.md has no part for {version}");
}

/// Documents name the repository of Cargo.toml, and no other.
#[test]
fn addresses_are_that_of_cargo_toml() {
    let repository = env!("CARGO_PKG_REPOSITORY");
    let owned = repository.strip_prefix("https://github.com/").expect("an address");
    let mut addresses = 0;
    for document in ["README.md", "ci/README.md", "ci/elsewhere.md", "ci/action/action.yml"] {
        let text = read(document);
        for before in ["https://github.com/", "uses: ", "{repository: "] {
            for rest in text.split(before).skip(1) {
                let Some((owner, _)) = rest.split_once("/sframe-conformance") else { continue };
                if owner.chars().all(|c| c.is_alphanumeric() || c == '-') {
                    assert!(
                        rest.starts_with(owned),
                        "{document}: {before}{owner}/sframe-conformance, expected {owned}"
                    );
                    addresses += 1;
                }
            }
        }
    }
    assert!(addresses > 4, "{addresses}");
}

/// Files and folders in documents and scripts exist: relative to the root or the document, or as a
/// prefix of names there.
#[test]
fn paths_lead_somewhere() {
    let (mut paths, mut nowhere) = (0, Vec::new());
    for document in DOCUMENTS {
        let text = read(document);
        let beside = root().join(document).parent().expect("a folder").to_path_buf();
        for span in text.split('`').skip(1).step_by(2).filter(|span| is_path(span)) {
            let first = span.split('/').next().unwrap_or_default();
            let mut homes = [root(), beside.clone()].into_iter().filter(|home| home.join(first).is_dir()).peekable();
            if homes.peek().is_some() {
                if !homes.any(|home| exists(&home.join(span))) {
                    nowhere.push(format!("{document}: {span}"));
                }
                paths += 1;
            }
        }
    }
    let scripts = [
        ".ci/run",
        "ci/action/action.yml",
        "ci/action/install",
        "ci/action/judge",
        "ci/archive.sh",
        "ci/compare",
        "ci/consumers",
        "ci/consumers.yaml",
        "ci/nightly",
        "ci/producers",
        "ci/producers.yaml",
        "ci/ratios",
        "ci/setup",
        "ci/workflow",
    ];
    let workflows = [".github/workflows/nightly.yml", ".github/workflows/push.yml", ".github/workflows/release.yml"];
    for script in scripts.into_iter().chain(workflows) {
        let text = read(script);
        for word in text.split(|c: char| !(c.is_alphanumeric() || "_-./".contains(c))) {
            let word = word.trim_end_matches('.');
            if ["harness/", "generators/", "reports/", "cases/", "ci/"].iter().any(|folder| word.starts_with(folder)) {
                if !exists(&root().join(word)) {
                    nowhere.push(format!("{script}: {word}"));
                }
                paths += 1;
            }
        }
    }
    assert!(nowhere.is_empty(), "lead nowhere: {nowhere:#?}");
    assert!(paths > 80, "{paths}");
}

/// The list of crates in harness/README.md has every crate of the workspace once.
#[test]
fn the_list_of_crates_is_that_of_the_workspace() {
    let section = section(&read("harness/README.md"), "## Crates");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let mut listed: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    listed.sort_unstable();
    // The example is another project's.
    let own = crates().into_iter().filter(|one| one.package != "example");
    let mut expected: Vec<String> =
        own.map(|one| one.path.file_name().expect("a name").to_string_lossy().into_owned()).collect();
    expected.sort_unstable();
    assert_eq!(listed, expected);
}

#[test]
fn folders_of_cases_are_listed() {
    let text = read("cases/README.md");
    for entry in fs::read_dir(root().join("cases")).expect("cases").map(|entry| entry.expect("an entry")) {
        let name = entry.file_name().into_string().expect("UTF-8");
        if entry.path().is_dir() {
            assert!(
                text.lines().any(|line| line.starts_with("| `") && line.contains(&format!("`{name}/`"))),
                "cases/README.md does not list {name}/"
            );
        }
    }
}

/// A crate of the workspace.
pub(super) struct Crate {
    pub(super) package: String,
    pub(super) path: PathBuf,
}

pub(super) fn crates() -> Vec<Crate> {
    let offline = ["--offline".to_owned()];
    let metadata = MetadataCommand::new().no_deps().other_options(offline).exec().expect("cargo metadata");
    let one = |package: &Package| Crate {
        package: package.name.to_string(),
        // The command is the package of the whole checkout.
        path: match package.manifest_path.parent().expect("a folder") {
            whole if whole == metadata.workspace_root => whole.join("harness/runner").into(),
            folder => folder.into(),
        },
    };
    metadata.packages.iter().map(one).collect()
}
