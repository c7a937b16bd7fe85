//! `explain`: what a rule means.

use std::io::Write;

use anyhow::bail;

use super::baseline::no_rule;
use model::{CATALOGUE, Rule, rule_named};

/// Options of `explain`.
#[derive(clap::Args)]
pub(crate) struct Explain {
    /// Rule ids, or the beginning of some: `row/`; all rules by name where none is given
    #[arg(value_name = "RULE")]
    rules: Vec<String>,
}

impl Explain {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        if self.rules.is_empty() {
            for rule in CATALOGUE {
                writeln!(out, "{:<36} {:<8} {}", rule.id, rule.severity.to_string(), rule.statement)?;
            }
        }
        for name in &self.rules {
            let exact: Vec<&Rule> = rule_named(name).into_iter().collect();
            let found = if exact.is_empty() {
                CATALOGUE.iter().copied().filter(|rule| rule.id.name().starts_with(name.as_str())).collect()
            } else {
                exact
            };
            if found.is_empty() {
                bail!(no_rule(name));
            }
            for rule in found {
                print(rule, out)?;
            }
        }
        Ok(0)
    }
}

fn print(rule: &Rule, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{}", rule.id)?;
    writeln!(out, "  {}", rule.statement)?;
    writeln!(out, "  severity: {}   versions: {}", rule.severity, rule.versions)?;
    writeln!(out, "  clause:   {}", rule.clause)?;
    writeln!(out, "  example:  {}", rule.example)?;
    if !rule.implies.is_empty() {
        writeln!(out, "  implies:  {}", rule.implies.iter().map(|id| id.name()).collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}
