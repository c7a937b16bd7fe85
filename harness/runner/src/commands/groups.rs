//! The list of subcommands in the help, by what one wants to do.

use std::fmt::Write as _;

/// Each group, with the names of its subcommands.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Judge files", &["check", "sweep", "fix", "accuracy", "layouts", "trace", "dump", "core"]),
    ("Test tools", &["run", "fuzz", "consumers", "producers"]),
    ("Bugs", &["bundle", "reduce", "explain", "accept", "report"]),
    ("Make inputs", &["corpus", "generate", "synthesise"]),
    ("The harness itself", &["score", "completions", "manual", "help"]),
];

/// The command with its subcommands in groups. Each visible one is in one of them.
pub(crate) fn grouped(command: clap::Command) -> clap::Command {
    let (header, literal) = (*command.get_styles().get_header(), *command.get_styles().get_literal());
    let wide = command.get_subcommands().map(|sub| sub.get_name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "{header}{title}:{header:#}");
        for sub in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let (name, about) = (sub.get_name(), sub.get_about().map(ToString::to_string).unwrap_or_default());
            let aliases: Vec<&str> = sub.get_visible_aliases().collect();
            let also = if aliases.is_empty() { String::new() } else { format!(" [alias: {}]", aliases.join(", ")) };
            let _ = writeln!(text, "  {literal}{name}{literal:#}{:1$}  {about}{also}", "", wide - name.len());
        }
        text.push('\n');
    }
    let usage = "{about}\n\n{usage-heading} {usage}\n\n";
    command.help_template(format!("{usage}{text}{header}Options:{header:#}\n{{options}}"))
}
