//! Workflow annotations: one line each, with commands that the runner understands, and no external
//! text that it would interpret as another command.

use reports::testrun::{Format, Pinned, of_matrix};

use super::sample::{self, hostile, run};
use crate::typed::reread;

/// The checkout is the workflow's repository.
fn here() -> Pinned {
    Pinned { checkout: Some(String::new()), producers: None }
}

fn written(run: &results::RunResults) -> Vec<String> {
    sample::text(|out| of_matrix(&run.trials, &run.facts, &here()).write(Format::Github, out))
        .lines()
        .map(str::to_owned)
        .collect()
}

/// Parses `::level key=value,…::message` as the runner does (actions/toolkit, workflow commands).
pub(crate) fn parse(line: &str) -> (String, Vec<(String, String)>, String) {
    let (head, message) = line.strip_prefix("::").and_then(|rest| rest.split_once("::")).expect(line);
    let (level, properties) = head.split_once(' ').expect(line);
    let decode = |text: &str| {
        let text = text.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":").replace("%2C", ",");
        text.replace("%25", "%")
    };
    let pair = |pair: &str| pair.split_once('=').map(|(key, value)| (key.to_owned(), decode(value))).expect(line);
    (level.to_owned(), properties.split(',').map(pair).collect(), decode(message))
}

fn property(properties: &[(String, String)], name: &str) -> Option<String> {
    properties.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
}

#[test]
fn what_somebody_must_act_on_comes_first() {
    let lines = written(&run());
    let (last, commands) = lines.split_last().expect("lines");
    assert_eq!(last, "sframe-conformance: 1 new bug: 2 FAIL, 1 XPASS, 1 UNRESOLVED, 2 XFAIL, 1 PASS, 1 UNSUPPORTED");
    let parsed: Vec<_> = commands.iter().map(|line| parse(line)).collect();
    let files: Vec<(&str, Option<String>)> =
        parsed.iter().map(|(level, properties, _)| (level.as_str(), property(properties, "file"))).collect();
    let file = |name: &str| Some(name.to_owned());
    assert_eq!(
        files,
        [
            ("error", file("cases/link/two.yaml")),
            ("error", file("cases/frames/leaf.yaml")),
            ("error", file("cases/frames/tail.yaml")),
            ("warning", file("cases/objects/objects.yaml")),
            ("notice", None),
            ("notice", None),
        ]
    );
    let (_, properties, _) = &parsed[0];
    assert_eq!(property(properties, "title").as_deref(), Some("CFA is rsp+8, expected 1 frame up, at parse+0x4"));
    // As the runner shows them, with a blank line between two.
    let shown: Vec<String> = parsed
        .iter()
        .map(|(level, properties, message)| {
            let title = property(properties, "title").unwrap_or_default();
            format!("{level}: {title}\n{message}\n")
        })
        .collect();
    testing::printed!("annotations.txt", &shown.join("\n"));
}

/// Another repository does not have the cases: its own file is the producers' file.
#[test]
fn annotations_stand_in_the_repository_that_runs_it() {
    let of = |pinned: &Pinned| -> Vec<(Option<String>, Option<String>)> {
        let text = sample::text(|out| of_matrix(&run().trials, &run().facts, pinned).write(Format::Github, out));
        let errors = text.lines().filter(|line| line.starts_with("::error")).map(parse);
        errors.map(|(_, properties, _)| (property(&properties, "file"), property(&properties, "line"))).collect()
    };
    let lines = [("gas".to_owned(), 3), ("ld".to_owned(), 14)].into();
    let own = of(&Pinned { checkout: None, producers: Some(("ci/sframe.yaml".to_owned(), lines)) });
    let at = |line: &str| (Some("ci/sframe.yaml".to_owned()), Some(line.to_owned()));
    assert_eq!(own, [at("14"), at("3"), at("3")]);
    let below = of(&Pinned { checkout: Some("tools/sframe".to_owned()), producers: None });
    assert_eq!(below[0].0.as_deref(), Some("tools/sframe/cases/link/two.yaml"));
    // No location: a file that is not in the repository would be no link.
    assert_eq!(of(&Pinned::default()), [(None, None), (None, None), (None, None)]);
}

#[test]
fn a_finding_in_many_trials_is_written_once() {
    let one = run().trials.into_iter().find(|trial| trial.key == sample::FAIL).expect("a trial");
    let mut many = run();
    many.trials = (0..30)
        .map(|index| {
            let mut trial = one.clone();
            trial.key = format!("ld@2.44::amd64::v2::link::two+{index:02}");
            trial
        })
        .collect();
    let lines = written(&many);
    assert_eq!(lines.iter().filter(|line| line.starts_with("::error")).count(), 1);
    assert!(lines[0].contains("and 29 more trials"), "{}", lines[0]);
}

/// A step shows ten annotations of a level and silently drops the rest: the tenth has the number of
/// the omitted ones.
#[test]
fn no_level_has_more_than_a_step_shows() {
    let all = run().trials;
    let of = |key: &str| all.iter().find(|trial| trial.key == key).expect("a trial");
    for (extra, shown) in [(9, 10), (10, 10), (40, 10)] {
        let mut many = run();
        many.trials.clear();
        for index in 0..=extra {
            let mut failed = of(sample::FAIL).clone();
            failed.key = format!("ld@2.44::amd64::v2::link::two+{index:02}");
            failed.findings[0] = reread(&failed.findings[0], |json| {
                json["fingerprint"] = format!("{index:016x}").into();
                json["function"] = format!("f{index:02}").into();
                // Each is a separate bug.
                json["rows"] = serde_json::json!([]);
                json["shape"] = format!("form{index:02}").into();
                json["message"] = format!("f{index:02} is wrong").into();
            });
            let mut undecided = of(sample::UNRESOLVED).clone();
            undecided.key = format!("gas@2.44::amd64::v2::objects::{index:02}");
            many.trials.extend([failed, undecided]);
        }
        let lines = written(&many);
        for level in ["error", "warning"] {
            let of_level: Vec<&String> = lines.iter().filter(|line| line.starts_with(&format!("::{level} "))).collect();
            assert_eq!(of_level.len(), shown, "{level} of {extra}");
            let (_, properties, message) = parse(of_level[9]);
            let title = property(&properties, "title").expect("a title");
            if extra < 10 {
                assert!(!title.contains("more"), "{title}");
                continue;
            }
            assert_eq!(title, format!("{} more, of {}", extra + 1 - 9, extra + 1));
            assert!(message.contains(if level == "error" { "f09 is wrong\n" } else { "objects::09\n" }), "{message}");
            assert!(!message.contains("f08"), "shown above: {message}");
        }
    }
}

#[test]
fn what_is_missing_comes_first() {
    let mut run = run();
    run.facts.unfinished = true;
    assert!(written(&run)[0].starts_with("::error title=unfinished::the run was not finished"));
}

#[test]
fn nothing_from_outside_becomes_a_command() {
    let (tame, wild) = (written(&run()), written(&hostile()));
    assert_eq!(wild.len(), tame.len(), "no line was split: {wild:#?}");
    for (line, like) in wild.iter().zip(&tame) {
        sample::assert_tame(&line.replace('\t', ""));
        if like.starts_with("::") {
            let (level, properties, _) = parse(line);
            let (like, names, _) = parse(like);
            assert_eq!(level, like);
            let keys =
                |properties: &[(String, String)]| properties.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
            assert_eq!(keys(&properties), keys(&names));
        }
    }
}

#[test]
fn nothing_to_say_is_one_line() {
    assert_eq!(written(&results::RunResults::default()), ["sframe-conformance: Nothing was tried: no trials"]);
}
