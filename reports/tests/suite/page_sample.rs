//! Generated results of a large run: many producers, targets and cases, and findings of every kind.

use std::collections::BTreeMap;

use results::{
    Blame, Choice, Counts, Finding, GapLine, LedgerFacts, ProducerFacts, READERS_SCHEMA, ReaderBug, ReaderLine,
    ReaderVerdict, ReadersRun, Reading, RunFacts, SCHEMA, Sizes, Stage, Status, Summary, TableLine, TrialLine, Values,
    WindowLine,
};
use spec::{Feature, RuleGroup, RuleId};
use types::{Abi, Aspect, Claim, ValueRule};

use crate::typed::{BELOW_CFA, row};

const PRODUCERS: [(&str, &str, &[&str]); 9] = [
    ("gas", "assembler", &["2.40", "2.41", "2.42", "2.43", "2.44", "2.45", "2.46", "2.47.50.20261021"]),
    ("clang", "compiler", &["21.1.8", "22.1.8"]),
    ("gcc", "compiler", &["12.2.0", "14.3.0", "15.2.0"]),
    ("gold", "linker", &["2.44"]),
    ("ld", "linker", &["2.40", "2.44", "2.47.50.20261021"]),
    ("lld", "linker", &["22.1.8"]),
    ("mold", "linker", &["2.40.4"]),
    ("objcopy", "post-processor", &["2.44"]),
    ("strip", "post-processor", &["2.44"]),
];
const TARGETS: [(&str, &str); 12] = [
    ("aarch64-be", "v1"),
    ("aarch64-be", "v2"),
    ("aarch64-be", "v3"),
    ("aarch64-le", "v1"),
    ("aarch64-le", "v2"),
    ("aarch64-le", "v3"),
    ("amd64", "v1"),
    ("amd64", "v2"),
    ("amd64", "v2e1"),
    ("amd64", "v3"),
    ("s390x", "none"),
    ("s390x", "v3"),
];
const TOPICS: [&str; 10] = ["c", "calls", "cfi", "found", "frames", "link", "pac", "plt", "s390x", "sizes"];
const SHAPES: [&str; 12] = [
    "push-any-order",
    "no-fp",
    "alloca",
    "tail-call",
    "longjmp",
    "shrink-wrap",
    "big-frame",
    "leaf",
    "recursion",
    "drap",
    "merge-two",
    "cold-part",
];
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

/// A pseudo-random generator (Knuth's MMIX constants): the same seed gives the same numbers.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Generates `number` trials in order of their keys, a sixth of them with findings.
pub(crate) fn trials(number: usize, seed: u64) -> Vec<TrialLine> {
    let mut numbers = Numbers(seed);
    let producers: Vec<(&str, &str, &str)> = PRODUCERS
        .iter()
        .flat_map(|(name, kind, versions)| versions.iter().map(move |version| (*name, *kind, *version)))
        .collect();
    let cells = producers.len() * TARGETS.len();
    let mut trials = Vec::new();
    for index in 0..number {
        let (name, kind, version) = producers[index % cells / TARGETS.len()];
        let (abi, sframe) = TARGETS[index % TARGETS.len()];
        let nth = index / cells;
        let topic = TOPICS[nth % TOPICS.len()];
        let nth = nth / TOPICS.len();
        let shape = SHAPES[nth % SHAPES.len()];
        let nth = nth / SHAPES.len();
        let variant = VARIANTS[nth % VARIANTS.len()];
        let round = nth / VARIANTS.len();
        let case = if round == 0 { format!("{shape}{variant}") } else { format!("{shape}-{round}{variant}") };
        trials.push(trial(&mut numbers, (name, kind, version), (abi, sframe), topic, &case));
    }
    trials.sort_by(|a, b| a.key.cmp(&b.key));
    trials
}

fn trial(
    numbers: &mut Numbers,
    (name, kind, version): (&str, &str, &str),
    (abi, sframe): (&str, &str),
    topic: &str,
    case: &str,
) -> TrialLine {
    let producer = format!("{name}@{version}");
    let stem = case.split('+').next().unwrap_or_default();
    let dice = numbers.below(600);
    let findings = match dice {
        0..100 => (0..=numbers.below(3)).map(|_| finding(numbers, abi, 1 + dice / 50)).collect(),
        _ => Vec::new(),
    };
    let new = findings.iter().any(|found: &Finding| found.standing.known.is_none());
    let status = match dice {
        _ if new => Status::Fail,
        0..100 => Status::Xfail,
        100..103 => Status::Xpass,
        103..110 => Status::Unresolved,
        110..140 if name == "mold" || name == "gold" => Status::Unsupported,
        _ => Status::Pass,
    };
    let ran = status != Status::Unsupported;
    let steps = 200 + numbers.below(40_000);
    let functions = 3 + numbers.below(30);
    TrialLine {
        schema: SCHEMA,
        key: format!("{producer}::{abi}::{sframe}::{topic}::{case}"),
        status,
        producer: producer.clone(),
        abi: abi.to_owned(),
        sframe: sframe.to_owned(),
        topic: topic.to_owned(),
        case: case.to_owned(),
        tools: BTreeMap::from([(kind.to_owned(), producer.clone()), ("linker".to_owned(), "ld@2.44".to_owned())]),
        commands: vec![
            format!("{abi}-linux-gnu-as --gsframe-3 -o {stem}.o {stem}.{abi}.s"),
            format!("{abi}-linux-gnu-ld -o {case} {stem}.o start.o"),
        ],
        summary: ran.then(|| Summary {
            functions,
            steps_executed: steps,
            steps_judged: steps,
            pcs_judged: 100 + numbers.below(400),
            pcs_compared_static: 20 + numbers.below(200),
            frames_walked: numbers.below(3000),
            max_depth: 2 + numbers.below(60),
            ..Summary::default()
        }),
        sizes: (ran && sframe != "none").then(|| Sizes {
            sframe: 28 + functions * (30 + numbers.below(8)),
            eh_frame: functions * (44 + numbers.below(20)),
            eh_frame_hdr: 12 + functions * 8,
            functions,
            rows: functions * (2 + numbers.below(4)),
            text: functions * 90,
        }),
        findings,
        warnings: if dice.is_multiple_of(7) {
            BTreeMap::from([("elf/section-type".to_owned(), 1)])
        } else {
            BTreeMap::new()
        },
        gaps: if dice.is_multiple_of(11) {
            vec![GapLine { function: "parks_fp".to_owned(), reason: Some("FP is in a register".to_owned()) }]
        } else {
            Vec::new()
        },
        problems: match status {
            Status::Fail => vec!["a finding that no entry of the ledger covers".to_owned()],
            Status::Xpass => vec!["vanished: outermost-amd64.yaml did not recur".to_owned()],
            Status::Unresolved => vec!["the run ended early: syscall 231".to_owned()],
            Status::Unsupported => vec![format!("{name} is not on this machine")],
            Status::Pass | Status::Xfail => Vec::new(),
        },
        covers: vec![
            ["v2e1/header/fdeoff", "v2e1/trace/nothing"][numbers.below(2) as usize].to_owned(),
            RULES[numbers.below(8) as usize].0.name().to_owned(),
        ],
        tables: if sframe == "none" {
            Vec::new()
        } else {
            // Every third table has all features, the others the first few.
            let all = if dice.is_multiple_of(3) { Feature::ALL.len() } else { 6 };
            let features = Feature::ALL.iter().take(all).map(|feature| feature.name().to_owned()).collect();
            vec![TableLine { version: sframe.to_owned(), features }]
        },
        blamed: None,
        not_made: Vec::new(),
        stopped_early: false,
        host_failure: false,
    }
}

/// One of some three hundred findings; those of the first weights are seldom new.
fn finding(numbers: &mut Numbers, abi: &str, weight: u64) -> Finding {
    let (rule, field, blame) = RULES[numbers.below(8) as usize];
    let function = format!("frame_{}", numbers.below(20) * weight);
    let target: Abi = abi.parse().expect("a target");
    let [sp, fp] = [target.facts().sp, target.facts().fp];
    let from = |reg, offset, fp| row(target, (reg, offset), BELOW_CFA, fp);
    let sp_name = target.register_name(sp).expect("SP has a name");
    let shape = format!("cfa={sp_name}+8 where cfa={sp_name}+16");
    let base = 0x40_1000 + numbers.below(64) * 0x40;
    let top = 0x3ff_efff_fe90 - 16 * numbers.below(40);
    let late = from(sp, 8, ValueRule::SameValue);
    let right = from(sp, 16, ValueRule::SameValue);
    let saved = from(sp, 16, ValueRule::AtCfa(-16));
    let based = from(fp, 16, ValueRule::AtCfa(-16));
    let code = ["endbr64", "pushq %rbp", "movq %rsp, %rbp", "subq $32, %rsp", "movl %edi, -20(%rbp)", "leave", "retq"];
    let rows = [
        (&late, &late, &late),
        (&late, &late, &late),
        (&saved, &late, &saved),
        (&saved, &based, &based),
        (&saved, &based, &based),
        (&saved, &based, &based),
        (&late, &late, &late),
    ];
    let mut pc = base;
    let window = code.iter().zip(rows).enumerate().map(|(nth, (text, (truth, sframe, eh_frame)))| {
        let line = WindowLine {
            pc,
            place: format!("{function}+{:#x}", pc - base),
            text: (*text).to_owned(),
            sframe: sframe.to_string(),
            eh_frame: eh_frame.to_string(),
            truth: truth.to_string(),
            wrong: nth == 2,
        };
        pc += [4, 1, 3, 4, 3, 1, 1][nth];
        line
    });
    let window: Vec<WindowLine> = window.collect();
    let executed = rule.group() != RuleGroup::Cfi && field != Aspect::Structure;
    let given = |cfa: u64, ra: u64, row: &Claim| {
        let values = executed.then_some((cfa, ra, 0x3ff_efff_ff40));
        Some(Values {
            cfa: values.map(|values| values.0),
            ra: values.map(|values| values.1),
            fp: values.map(|values| values.2),
            row: row.clone(),
        })
    };
    let known = numbers.below(40) >= weight;
    let mut found = Finding::new(rule, blame, function.as_str(), shape);
    found.stage = [Stage::Object, Stage::Relocatable, Stage::Linked, Stage::Stripped][numbers.below(4) as usize];
    found.standing.known = known.then(|| format!("{}-{abi}.yaml", rule.name().replace('/', "-")));
    found.shown.message =
        format!("{rule} is broken at {function}+0x5: .sframe gives {:#x}, the machine has {top:#x}", top - 8);
    found.evidence.field = field;
    found.shown.place = format!("{:#x}..{:#x}", base + 5, base + 8);
    found.evidence.steps = if executed { 1 + numbers.below(900) } else { 0 };
    found.evidence.executed = executed;
    found.shown.offset = Some(28 + numbers.below(900));
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
    let exercised: Vec<_> = trials.iter().filter_map(results::exercised).collect();
    let producers = PRODUCERS.iter().flat_map(|(name, kind, versions)| {
        versions.iter().map(move |version| ProducerFacts {
            name: (*name).to_owned(),
            kind: (*kind).to_owned(),
            abi: "amd64".to_owned(),
            version: Some((*version).to_owned()),
            told: format!("GNU {name} (GNU Binutils) {version}"),
            from: None,
            sframe: "v2".to_owned(),
        })
    });
    let absent = ProducerFacts {
        name: "wild".to_owned(),
        kind: "linker".to_owned(),
        abi: "amd64".to_owned(),
        version: None,
        told: "no program of that name in the search folders".to_owned(),
        from: None,
        sframe: "none".to_owned(),
    };
    let files: std::collections::BTreeSet<&String> =
        trials.iter().flat_map(|trial| &trial.findings).filter_map(|found| found.standing.known.as_ref()).collect();
    let entry = |file: &String| LedgerFacts {
        file: file.clone(),
        title: format!("what {} tells of", file.trim_end_matches(".yaml")),
        link: "https://example.org/bugs/1".to_owned(),
        project: "gas".to_owned(),
        first: "2.40".to_owned(),
        last: "2.44".to_owned(),
        blame: Some(Blame::Assembler),
        reason: "The bytes at 0x5e say rax where the return address is on the stack; the clause has it there."
            .to_owned(),
        added: "2026-11-01".to_owned(),
        expires: "2027-11-01".to_owned(),
        bundle: file.contains("row"),
        ..LedgerFacts::default()
    };
    RunFacts {
        schema: SCHEMA,
        tool_version: "sframe-conformance 0.2.0".to_owned(),
        day: "2026-11-21".to_owned(),
        seconds: 431.7,
        unfinished: false,
        asked: results::RunAsked::default(),
        times: BTreeMap::new(),
        producers: producers.chain([absent]).collect(),
        clauses: results::coverage(&exercised),
        ledger: files.into_iter().map(entry).collect(),
        readers: None,
    }
}

/// Results of readers that were tested with the run.
pub(crate) fn readers() -> ReadersRun {
    let reading = |right, wrong, silent| Reading { right, wrong, silent, refused: 0 };
    let reads = |wrong| {
        let tables = TARGETS.iter().filter(|(_, version)| *version != "none");
        tables
            .map(|(abi, version)| {
                (format!("{version}-{abi}"), reading(900, if *version == "v1" { wrong } else { 0 }, wrong))
            })
            .collect()
    };
    let line = |name: &str, wrong| ReaderLine {
        name: name.to_owned(),
        version: "2.44".to_owned(),
        verdicts: BTreeMap::from([(ReaderVerdict::ALL[0], Counts { sections: 12, answers: 400 })]),
        not_claimed: 0,
        reads: reads(wrong),
        broken: None,
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
            by_reader: BTreeMap::from([("readelf".to_owned(), "read".to_owned())]),
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
                private: false,
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
