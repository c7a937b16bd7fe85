//! Generated results of a large run: many producers, targets and cases, and findings of every kind.

use results::{
    Blame, Choice, Counts, Finding, GapLine, LedgerFacts, ProducerFacts, READERS_SCHEMA, ReaderBug, ReaderLine,
    ReaderVerdict, ReadersRun, Reading, RunFacts, Sizes, Stage, Status, Summary, TableLine, TrialLine, Values,
    WindowLine,
};
use spec::{Feature, RuleGroup, RuleId};
use types::{Abi, Aspect, Claim, Rng, ValueRule};

use crate::formats::sample;
use crate::typed::{BELOW_CFA, row};

/// Name, kind and versions of each producer.
const PRODUCERS: &str = "gas assembler 2.40 2.41 2.42 2.43 2.44 2.45 2.46 2.47.50.20261021
clang compiler 21.1.8 22.1.8
gcc compiler 12.2.0 14.3.0 15.2.0
gold linker 2.44
ld linker 2.40 2.44 2.47.50.20261021
lld linker 22.1.8
mold linker 2.40.4
objcopy post-processor 2.44
strip post-processor 2.44";
const TARGETS: &str = "aarch64-be::v1 aarch64-be::v2 aarch64-be::v3 aarch64-le::v1 aarch64-le::v2 aarch64-le::v3 \
                       amd64::v1 amd64::v2 amd64::v2e1 amd64::v3 s390x::none s390x::v3";
const TOPICS: &str = "c calls cfi found frames link pac plt s390x sizes";
const SHAPES: &str = "push-any-order no-fp alloca tail-call longjmp shrink-wrap big-frame leaf recursion drap \
                      merge-two cold-part";
const VARIANTS: [&str; 4] = ["", "+O2", "+gcc@12.2.0+O2", "+gcc@12.2.0+Os"];
const RULES: [(RuleId, Aspect, Blame); 8] = [
    (RuleId::RowCfaMatchesTruth, Aspect::Cfa, Blame::Assembler),
    (RuleId::RowRaMatchesTruth, Aspect::Ra, Blame::AssemblerOrLinker),
    (RuleId::RowFpMatchesTruth, Aspect::Fp, Blame::Compiler),
    (RuleId::RowOutermost, Aspect::Ra, Blame::Assembler),
    (RuleId::CfiCfaDiffers, Aspect::Cfa, Blame::Linker),
    (RuleId::EhFrameFpMatchesTruth, Aspect::Fp, Blame::Compiler),
    (RuleId::ElfSegment, Aspect::Structure, Blame::Linker),
    (RuleId::CfiFpDiffers, Aspect::Fp, Blame::Undetermined),
];

/// Each producer as kind and `name@version`.
fn producers() -> Vec<(&'static str, String)> {
    let versions = |line: &'static str| {
        let mut words = line.split(' ');
        let (name, kind) = (words.next().expect("a name"), words.next().expect("a kind"));
        words.map(move |version| (kind, format!("{name}@{version}")))
    };
    PRODUCERS.lines().flat_map(versions).collect()
}

/// Generates `number` trials in order of their keys, a sixth of them with findings.
pub(crate) fn trials(number: usize, seed: u64) -> Vec<TrialLine> {
    let mut numbers = Rng::new(seed);
    let [targets, topics, shapes] = [TARGETS, TOPICS, SHAPES].map(|list| list.split(' ').collect::<Vec<_>>());
    let producers = producers();
    let trial = |index: usize| {
        let mut nth = index;
        let mut of = |count: usize| {
            let at = nth % count;
            nth /= count;
            at
        };
        let target = targets[of(targets.len())];
        let (kind, producer) = &producers[of(producers.len())];
        let (topic, shape, variant) = (topics[of(topics.len())], shapes[of(shapes.len())], VARIANTS[of(4)]);
        let round = if nth == 0 { String::new() } else { format!("-{nth}") };
        trial(&mut numbers, kind, &format!("{producer}::{target}::{topic}::{shape}{round}{variant}"))
    };
    let mut trials: Vec<TrialLine> = (0..number).map(trial).collect();
    trials.sort_by(|a, b| a.key.cmp(&b.key));
    trials
}

fn trial(numbers: &mut Rng, kind: &str, key: &str) -> TrialLine {
    let line = sample::trial(key, Status::Pass);
    let stem = line.case.split('+').next().unwrap_or_default().to_owned();
    let dice = numbers.below(600);
    let count = if dice < 100 { 1 + numbers.below(3) } else { 0 };
    let findings: Vec<Finding> = (0..count).map(|_| finding(numbers, &line.abi, 1 + dice / 50)).collect();
    let status = match dice {
        _ if findings.iter().any(|found| found.standing.known.is_none()) => Status::Fail,
        0..100 => Status::Xfail,
        100..103 => Status::Xpass,
        103..110 => Status::Unresolved,
        110..140 if ["mold", "gold"].iter().any(|name| key.starts_with(name)) => Status::Unsupported,
        _ => Status::Pass,
    };
    let (ran, described) = (status != Status::Unsupported, line.sframe != "none");
    let (steps, functions) = (200 + numbers.below(40_000), 3 + numbers.below(30));
    // Every third table has all features, the others the first few.
    let features = Feature::ALL.iter().take(if dice.is_multiple_of(3) { Feature::ALL.len() } else { 6 });
    let features = features.map(|feature| feature.name().to_owned()).collect();
    TrialLine {
        status,
        tools: [(kind, line.producer.as_str()), ("linker", "ld@2.44")]
            .map(|(kind, tool)| (kind.to_owned(), tool.to_owned()))
            .into(),
        commands: vec![
            format!("{abi}-linux-gnu-as --gsframe-3 -o {stem}.o {stem}.{abi}.s", abi = line.abi),
            format!("{}-linux-gnu-ld -o {} {stem}.o start.o", line.abi, line.case),
        ],
        summary: ran.then(|| Summary {
            functions,
            steps_executed: steps,
            steps_judged: steps,
            pcs_judged: 100 + numbers.below(400),
            frames_walked: numbers.below(3000),
            max_depth: 2 + numbers.below(60),
            ..Summary::default()
        }),
        sizes: (ran && described).then(|| Sizes {
            sframe: 28 + functions * (30 + numbers.below(8)),
            eh_frame: functions * (44 + numbers.below(20)),
            eh_frame_hdr: 12 + functions * 8,
            functions,
            rows: functions * (2 + numbers.below(4)),
            text: functions * 90,
        }),
        findings,
        gaps: if dice.is_multiple_of(11) {
            vec![GapLine { function: "parks_fp".to_owned(), reason: Some("FP is in a register".to_owned()) }]
        } else {
            Vec::new()
        },
        problems: match status {
            Status::Fail => vec!["a finding that no entry of the ledger covers".to_owned()],
            Status::Xpass => vec!["vanished: outermost-amd64.yaml did not recur".to_owned()],
            Status::Unresolved => vec!["the run ended early: syscall 231".to_owned()],
            Status::Unsupported => vec![format!("{} is not on this machine", line.producer)],
            Status::Pass | Status::Xfail => Vec::new(),
        },
        covers: vec![
            ["v2e1/header/fdeoff", "v2e1/trace/nothing"][numbers.below(2) as usize].to_owned(),
            RULES[numbers.below(8) as usize].0.name().to_owned(),
        ],
        tables: described.then(|| TableLine { version: line.sframe.clone(), features }).into_iter().collect(),
        ..line
    }
}

/// One of some three hundred findings; those of the first weights are seldom new.
fn finding(numbers: &mut Rng, abi: &str, weight: u64) -> Finding {
    let (rule, field, blame) = RULES[numbers.below(8) as usize];
    let function = format!("frame_{}", numbers.below(20) * weight);
    let known = numbers.below(40) >= weight;
    let known = known.then(|| format!("{}-{abi}.yaml", rule.name().replace('/', "-")));
    let target: Abi = abi.parse().expect("a target");
    let [sp, fp] = [target.facts().sp, target.facts().fp];
    let from = |reg, offset, fp| row(target, (reg, offset), BELOW_CFA, fp);
    let base = 0x40_1000 + numbers.below(64) * 0x40;
    let top = 0x3ff_efff_fe90 - 16 * numbers.below(40);
    let (late, right) = (from(sp, 8, ValueRule::SameValue), from(sp, 16, ValueRule::SameValue));
    let (saved, based) = (from(sp, 16, ValueRule::AtCfa(-16)), from(fp, 16, ValueRule::AtCfa(-16)));
    // Length, text, and the rows of the machine and of both tables.
    let code = [
        (4, "endbr64", [&late, &late, &late]),
        (1, "pushq %rbp", [&late, &late, &late]),
        (3, "movq %rsp, %rbp", [&saved, &late, &saved]),
        (4, "subq $32, %rsp", [&saved, &based, &based]),
        (3, "movl %edi, -20(%rbp)", [&saved, &based, &based]),
        (1, "leave", [&saved, &based, &based]),
        (1, "retq", [&late, &late, &late]),
    ];
    let mut pc = base;
    let window = code.into_iter().enumerate().map(|(nth, (length, text, rows))| {
        let [truth, sframe, eh_frame] = rows.map(Claim::to_string);
        let place = format!("{function}+{:#x}", pc - base);
        pc += length;
        WindowLine { pc: pc - length, place, text: text.to_owned(), sframe, eh_frame, truth, wrong: nth == 2 }
    });
    let window: Vec<WindowLine> = window.collect();
    let executed = rule.group() != RuleGroup::Cfi && field != Aspect::Structure;
    let given = |cfa: u64, ra: u64, row: &Claim| {
        let [cfa, ra, fp] = [cfa, ra, 0x3ff_efff_ff40].map(|value| executed.then_some(value));
        Some(Values { cfa, ra, fp, row: row.clone() })
    };
    let sp_name = target.register_name(sp).expect("SP has a name");
    let mut found = Finding::new(rule, blame, function.as_str(), format!("cfa={sp_name}+8 where cfa={sp_name}+16"));
    found.stage = Stage::ALL[numbers.below(4) as usize];
    found.standing.known = known;
    found.shown.message =
        format!("{rule} is broken at {function}+0x5: .sframe gives {:#x}, the machine has {top:#x}", top - 8);
    found.shown.place = format!("{:#x}..{:#x}", base + 5, base + 8);
    found.shown.offset = Some(28 + numbers.below(900));
    found.evidence.field = field;
    found.evidence.steps = if executed { 1 + numbers.below(900) } else { 0 };
    found.evidence.executed = executed;
    found.evidence.truth = executed.then(|| given(top, 0x40_100c, &saved)).flatten();
    if field != Aspect::Structure {
        found.evidence.ranges = vec![(base + 5, base + 8)];
        found.evidence.sframe = given(top - 8, 0x3ff_efff_ff40, &late);
        found.evidence.eh_frame = given(top, 0x40_100c, &right);
        found.shown.window = window;
    }
    found
}

/// Facts of the generated run.
pub(crate) fn facts(trials: &[TrialLine]) -> RunFacts {
    let mut facts = sample::run().facts;
    let model = facts.producers.remove(0);
    let absent = ProducerFacts { name: "wild".to_owned(), kind: "linker".to_owned(), ..facts.producers.remove(0) };
    let producers = producers().into_iter().map(|(kind, tool)| {
        let (name, version) = tool.split_once('@').expect("a version");
        ProducerFacts {
            name: name.to_owned(),
            kind: kind.to_owned(),
            version: Some(version.to_owned()),
            told: format!("GNU {name} (GNU Binutils) {version}"),
            ..model.clone()
        }
    });
    let files: std::collections::BTreeSet<&String> =
        trials.iter().flat_map(|trial| &trial.findings).filter_map(|found| found.standing.known.as_ref()).collect();
    let entry = facts.ledger.remove(0);
    let entry = |file: &String| LedgerFacts {
        file: file.clone(),
        title: format!("what {} tells of", file.trim_end_matches(".yaml")),
        link: "https://example.org/bugs/1".to_owned(),
        reason: "The bytes at 0x5e say rax where the return address is on the stack; the clause has it there."
            .to_owned(),
        bundle: file.contains("row"),
        ..entry.clone()
    };
    let exercised: Vec<_> = trials.iter().filter_map(results::exercised).collect();
    RunFacts {
        seconds: 431.7,
        times: Default::default(),
        producers: producers.chain([absent]).collect(),
        clauses: results::coverage(&exercised),
        ledger: files.into_iter().map(entry).collect(),
        ..facts
    }
}

/// Results of readers that were tested with the run.
pub(crate) fn readers() -> ReadersRun {
    let reading = |right, wrong, silent| Reading { right, wrong, silent, refused: 0 };
    let reads = |wrong| {
        let tables =
            TARGETS.split(' ').filter_map(|target| target.split_once("::")).filter(|(_, sframe)| *sframe != "none");
        let read =
            |(abi, version)| (format!("{version}-{abi}"), reading(900, if version == "v1" { wrong } else { 0 }, wrong));
        tables.map(read).collect()
    };
    let line = |name: &str, wrong| ReaderLine {
        name: name.to_owned(),
        version: "2.44".to_owned(),
        verdicts: [(ReaderVerdict::ALL[0], Counts { sections: 12, answers: 400 })].into(),
        reads: reads(wrong),
        ..ReaderLine::default()
    };
    ReadersRun {
        schema: READERS_SCHEMA,
        tool_version: "sframe-conformance 0.2.0".to_owned(),
        day: "2026-11-21".to_owned(),
        readers: vec![line("readelf", 7), line("libsframe", 0)],
        choices: vec![Choice {
            question: "gap".to_owned(),
            asks: "What stands between two functions".to_owned(),
            clause: "SFrame V3, index".to_owned(),
            by_reader: [("readelf".to_owned(), "read".to_owned())].into(),
        }],
        bugs: vec![
            ReaderBug {
                file: "readelf-gap.yaml".to_owned(),
                title: "rows are taken from where the descriptors end, whatever sfh_freoff says".to_owned(),
                project: "binutils".to_owned(),
                first: "2.40".to_owned(),
                last: "2.44".to_owned(),
                fixed: Some("2.47".to_owned()),
                reason: "sfh_freoff is 0x20: the first row stands at byte 60.".to_owned(),
                clause: Some("v2e1/header/offsets".to_owned()),
                link: "https://tracker.example/1".to_owned(),
                added: "2026-11-01".to_owned(),
                expires: "2027-11-01".to_owned(),
                bundle: true,
                ..ReaderBug::default()
            },
            ReaderBug {
                file: "readelf-memory.yaml".to_owned(),
                title: "readelf ends at some sections".to_owned(),
                project: "binutils".to_owned(),
                link: "unfiled".to_owned(),
                private: true,
                ..ReaderBug::default()
            },
        ],
        ..ReadersRun::default()
    }
}
