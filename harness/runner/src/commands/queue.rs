//! `bundle --all`: the bundles of the known bugs that are not reported, with an index. Each is
//! written by a process of its own; what an earlier one wrote is kept.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use ledger::Home;
use reports::bundle::queue;
use reports::escape::line;
use results::bundle::{Bundle, Queued, Standing, Unfiled};
use toolchain::process::run_within;
use toolchain::{interrupt, yaml};

use super::bundle::UNPROVEN;

/// Processor time of one bundle.
const LIMIT: Duration = Duration::from_secs(600);

/// Name of the index.
const INDEX: &str = "README.md";

/// Writes the bundles to `folder/PROJECT/NAME`, and the index; with a project those of it alone.
pub(super) fn write(home: &Home, project: &str, folder: &Path, out: &mut dyn Write) -> anyhow::Result<u8> {
    let all = ledger::unfiled(home)?;
    let projects = all.iter().map(|one| one.project.as_str());
    let unknown = results::unknown("project with unreported bugs", project, projects);
    let wanted: Vec<Unfiled> = all.into_iter().filter(|one| project.is_empty() || one.project == project).collect();
    if wanted.is_empty() {
        bail!("{unknown}");
    }
    let folder = std::path::absolute(folder)?;
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let mut rows: Vec<Queued> = Vec::new();
    for one in wanted {
        let standing = match interrupt::is_requested() {
            true => Standing::Missing("interrupted".to_owned()),
            false => one_bundle(home, &one, &folder)?,
        };
        writeln!(out, "{}: {}: {}", line(&one.project), line(&one.name), line(&standing.to_string()))?;
        rows.push(Queued { bug: one, standing });
        let index = folder.join(INDEX);
        fs::write(&index, queue(&rows)).with_context(|| index.display().to_string())?;
    }
    writeln!(out, "{}", line(&folder.join(INDEX).display().to_string()))?;
    let is_written = rows.iter().all(|row| matches!(row.standing, Standing::Proven | Standing::Written));
    Ok(interrupt::exit_code().unwrap_or(if is_written { 0 } else { UNPROVEN }))
}

fn one_bundle(home: &Home, one: &Unfiled, folder: &Path) -> anyhow::Result<Standing> {
    if let Some(contact) = &one.private {
        return Ok(Standing::Private(contact.clone()));
    }
    let to = place(one, folder);
    if !to.join(ledger::BUNDLE).is_file() {
        let (own, text) = (std::env::current_exe()?.display().to_string(), to.display().to_string());
        let ended = match run_within(&own, &["bundle", &one.name, "--out", &text], &home.root, LIMIT) {
            Ok(ended) => ended,
            Err(error) => return Ok(Standing::Missing(error.to_string())),
        };
        if !to.join(ledger::BUNDLE).is_file() {
            return Ok(Standing::Missing(ended.complaint()));
        }
    }
    // That of a reader has no script.
    let Ok(bundle) = yaml::read::<Bundle>(&to.join(ledger::BUNDLE)) else { return Ok(Standing::Written) };
    Ok(match bundle.unproven() {
        Some(why) => Standing::Unproven(why),
        None if bundle.tried.is_empty() => Standing::Written,
        None => Standing::Proven,
    })
}

fn place(one: &Unfiled, folder: &Path) -> PathBuf {
    folder.join(&one.project).join(&one.name)
}
