//! `report --site`: the files of the site, the same for the same nights from any source; refused
//! inputs; and data that is never published.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use results::{Blame, READERS_SCHEMA, ReaderFinding, ReaderVerdict, ReadersRun, RunAsked, RunFacts, Status};

use super::report::{LEAF, TAIL, facts, results, trial};
use crate::command::support::{Folder, run};
use crate::command::transcript::Transcript;

/// A night in which LEAF has this status.
fn night(folder: &Folder, name: &str, day: &str, status: Status) -> String {
    let path = results(folder, name, &[trial(LEAF, status), trial(TAIL, Status::Pass)]);
    put_facts(&path, &RunFacts { day: day.to_owned(), ..facts(2) });
    path
}

fn put_facts(results: &str, facts: &RunFacts) {
    fs::write(format!("{results}/run.json"), serde_json::to_string(facts).expect("JSON")).expect("written");
}

/// Every file below a folder, by its path.
fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    fn walk(from: &Path, folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => walk(from, &path, all),
                false => {
                    let name = path.strip_prefix(from).expect("below").display().to_string();
                    all.insert(name, fs::read(path).expect("a file"));
                }
            }
        }
    }
    let mut all = BTreeMap::new();
    walk(Path::new(folder), Path::new(folder), &mut all);
    all
}

#[test]
fn a_site_has_a_page_a_night_and_what_can_be_taken_along() {
    let folder = Folder::new();
    let nights = [
        night(&folder, "b", "2026-11-21", Status::Fail),
        night(&folder, "a", "2026-11-20", Status::Pass),
        night(&folder, "c", "2026-11-21", Status::Pass),
    ];
    let corpus = folder.write("corpus.tar.gz", b"sections");
    let site = folder.path("site");
    let ran = run(&["report", "--site", &site, "--corpus", &corpus, &nights[0], &nights[1], &nights[2]]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "writing it judges nothing");
    assert_eq!(ran.stdout, format!("site: {site}/index.html, 3 nights\n"));
    let made = files(&site);
    let names: Vec<&str> = made.keys().map(String::as_str).collect();
    let of = |day: &str| ["index.html", "results.jsonl", "run.json"].map(|name| format!("nights/{day}/{name}"));
    let days = ["2026-11-20", "2026-11-21", "2026-11-21-2"].map(of).concat();
    let mut wanted = [
        vec!["badge.svg".to_owned(), "corpus/corpus.tar.gz".to_owned(), "feed.xml".to_owned(), "index.html".to_owned()],
        days,
    ]
    .concat();
    wanted.sort();
    assert_eq!(names, wanted);
    assert_eq!(made["corpus/corpus.tar.gz"], b"sections");
    let text = |name: &str| String::from_utf8(made[name].clone()).expect("text");
    assert!(text("nights/2026-11-21/index.html").contains("Changes since the previous run"));
    assert!(
        !text("nights/2026-11-20/index.html").contains("Changes since the previous run"),
        "the first has none before it"
    );
    assert!(
        text("nights/2026-11-21/index.html").contains("--results nights/2026-11-21"),
        "calls as from the site's folder"
    );
    // The downloads are results: they make the same site again; the order of the arguments matters
    // only for nights of the same day.
    let again = folder.path("again");
    let night = |day: &str| format!("{site}/nights/{day}");
    let ran = run(&[
        "report",
        "--site",
        &again,
        "--corpus",
        &corpus,
        &night("2026-11-20"),
        &night("2026-11-21"),
        &night("2026-11-21-2"),
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(files(&again), made);
    // Also in place, as long as no night moves to the folder of another.
    let words = [
        "report",
        "--site",
        &site,
        "--corpus",
        &corpus,
        &night("2026-11-20"),
        &night("2026-11-21"),
        &night("2026-11-21-2"),
    ];
    assert_eq!((run(&words).code, files(&site) == made), (Some(0), true));
    let ran = run(&["report", "--site", &site, &night("2026-11-21-2")]);
    assert!(ran.code == Some(3) && ran.stderr.contains("would be renamed to 2026-11-21"), "{}", ran.stderr);
    assert!(files(&site) == made, "nothing was written");
    // No page links to a missing file, and none loads anything from the network.
    for name in made.keys().filter(|name| name.ends_with(".html")) {
        let page = text(name);
        assert!(page.contains("default-src 'none'") && !page.contains(" src="), "{name}");
        let here = Path::new(name).parent().expect("a folder");
        for link in page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if !file.is_empty() && file != "data:," {
                let leads_to = here.join(file).display().to_string();
                assert!(made.contains_key(&leads_to), "{name}: {link}");
            }
        }
    }
}

/// A possible memory safety bug is reported to its maintainers first: before its date, no file of a
/// night shows it, and the folder with its evidence is not opened.
#[test]
fn what_is_private_of_readers_stays_so() {
    const SECRET: &str = "heap-buffer-overflow in sframe_decode";
    let folder = Folder::new();
    let finding = |fingerprint: &str, cause: &str| ReaderFinding {
        schema: READERS_SCHEMA,
        fingerprint: fingerprint.to_owned(),
        blame: Blame::Consumer,
        project: "binutils".to_owned(),
        reader: "readelf".to_owned(),
        version: "2.44".to_owned(),
        verdict: ReaderVerdict::Crash,
        cause: cause.to_owned(),
        tables: [("v2-amd64".to_owned(), 1)].into(),
        answers: 1,
        shown_by: Vec::new(),
        example: None,
        known: None,
    };
    let line = |finding: &ReaderFinding| serde_json::to_string(finding).expect("JSON") + "\n";
    let asked = ReadersRun { schema: READERS_SCHEMA, day: "2026-11-20".to_owned(), ..ReadersRun::default() };
    let put = |name: &str, day: &str, cause: &str| {
        let path = night(&folder, name, day, Status::Pass);
        put_facts(&path, &RunFacts { day: day.to_owned(), readers: Some(Box::new(asked.clone())), ..facts(2) });
        fs::create_dir_all(format!("{path}/readers/private")).expect("a folder");
        let write = |name: &str, text: &str| fs::write(format!("{path}/readers/{name}"), text).expect("written");
        write("consumers.json", &serde_json::to_string(&asked).expect("JSON"));
        write("findings.jsonl", &line(&finding("00000000000000a1", cause)));
        write("private/findings.jsonl", &line(&finding("00000000000000a1", SECRET)));
        path
    };
    let before = put("before", "2026-11-20", "");
    let site = folder.path("site");
    assert_eq!(run(&["report", "--site", &site, &before]).code, Some(0));
    let made = files(&site);
    assert!(made.keys().any(|name| name == "nights/2026-11-20/readers/index.html"), "{:?}", made.keys());
    for (name, bytes) in &made {
        assert!(!name.contains("private") && !String::from_utf8_lossy(bytes).contains(SECRET), "{name}");
    }
    let page =
        |site: &str, day: &str| fs::read_to_string(format!("{site}/nights/{day}/readers/index.html")).expect("a page");
    assert!(page(&site, "2026-11-20").contains("private, for its maintainers first"));
    // From its date on runs publish it, and the site shows that night's results; the night before
    // stays unchanged.
    let after = put("after", "2026-11-22", SECRET);
    let site = folder.path("later");
    assert_eq!(run(&["report", "--site", &site, &before, &after]).code, Some(0));
    assert!(page(&site, "2026-11-22").contains(SECRET) && !page(&site, "2026-11-20").contains(SECRET));
}

/// A night is compared with the last one with the same options, whatever ran in between.
#[test]
fn a_night_is_compared_with_the_last_that_was_asked_for_the_same() {
    let folder = Folder::new();
    let of = |name: &str, day: &str, filters: &[&str], status| {
        let path = night(&folder, name, day, status);
        let asked =
            RunAsked { filters: filters.iter().map(|filter| (*filter).to_owned()).collect(), ..RunAsked::default() };
        put_facts(&path, &RunFacts { day: day.to_owned(), asked, ..facts(2) });
        path
    };
    let nights = [
        of("a", "2026-11-20", &[], Status::Pass),
        of("b", "2026-11-21", &["gas@"], Status::Fail),
        of("c", "2026-11-22", &[], Status::Fail),
    ];
    let site = folder.path("site");
    let words: Vec<&str> = ["report", "--site", &site].into_iter().chain(nights.iter().map(String::as_str)).collect();
    assert_eq!(run(&words).code, Some(0));
    let page = |day: &str| fs::read_to_string(format!("{site}/nights/{day}/index.html")).expect("a page");
    let compared = |day: &str| page(day).contains("Changes since the previous run");
    assert_eq!([compared("2026-11-20"), compared("2026-11-21"), compared("2026-11-22")], [false, false, true]);
    assert!(page("2026-11-22").contains("Findings: 1 new"));
}

/// A shell lists `DAY-2/` before `DAY/`: nights of a site keep their numbers.
#[test]
fn a_site_grows_by_a_night_whatever_the_order_of_those_in_it() {
    let folder = Folder::new();
    let site = folder.path("site");
    let statuses = [Status::Fail, Status::Pass, Status::Fail];
    let nights = [0, 1, 2].map(|nth: usize| night(&folder, &nth.to_string(), "2026-11-21", statuses[nth]));
    let of = |name: &str| format!("{site}/nights/{name}");
    assert_eq!(run(&["report", "--site", &site, &nights[0], &nights[1]]).code, Some(0));
    let ran = run(&["report", "--site", &site, &of("2026-11-21-2/"), &of("2026-11-21/"), &nights[2]]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    for (name, taken) in ["2026-11-21", "2026-11-21-2", "2026-11-21-3"].iter().zip(&nights) {
        let results = |folder: &str| fs::read(format!("{folder}/results.jsonl")).expect("results");
        assert_eq!(results(&of(name)), results(taken), "{name}");
    }
}

#[test]
fn what_is_no_night_is_refused() {
    let folder = Folder::new();
    let good = night(&folder, "good", "2026-11-21", Status::Pass);
    let part = night(&folder, "part", "2026-11-21", Status::Pass);
    fs::remove_file(format!("{part}/run.json")).expect("it was there");
    let odd = night(&folder, "odd", "../../2026", Status::Pass);
    let site = folder.path("site");
    let mut told = Transcript::from_folder(&folder);
    let site = ["--site", site.as_str()];
    for words in [
        vec![site[0], site[1], &part],
        vec![site[0], site[1], &odd],
        vec![site[0], site[1], &good, "missing"],
        vec![site[0], site[1], &good, "--format", "json"],
        vec![site[0], site[1], &good, "--diff", &good],
        vec![site[0], site[1], &good, "--corpus", "missing.tar.gz"],
        vec!["--corpus", "x.tar.gz", &good],
    ] {
        told.refused(&format!("report {}", words.join(" ")), &run(&[&["report"], &words[..]].concat()));
    }
    told.printed("site-refused.txt");
}
