//! As JUnit XML: a suite for each reader, a test case for each finding, and one for what it reads rightly. What the ledger knows is
//! skipped, as in [`crate::junit`].

use std::io::{self, Write};

use results::{ReaderFinding, ReaderVerdict, ReadersRun};

use super::{cause, of, spread};
use crate::escape::{xml_attribute, xml_text};

/// Writes a run and its findings as one document.
///
/// # Errors
/// Whatever the writer reports.
pub fn write(findings: &[ReaderFinding], run: &ReadersRun, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let new = findings.iter().filter(|finding| finding.known.is_none()).count();
    let broken = run.readers.iter().filter(|line| line.verdicts.contains_key(&ReaderVerdict::Broken)).count();
    let seconds = if run.seconds.is_finite() { run.seconds.max(0.0) } else { 0.0 };
    writeln!(
        out,
        "<testsuites name=\"sframe-conformance consumers\" tests=\"{}\" failures=\"{}\" errors=\"{broken}\" time=\"{seconds:.3}\">",
        findings.len() + run.readers.len() + run.problems.len(),
        new + run.problems.len()
    )?;
    for reader in &run.readers {
        let all = of(findings, &reader.name);
        let known = all.iter().filter(|finding| finding.known.is_some()).count();
        let broken = reader.verdicts.get(&ReaderVerdict::Broken).map_or(0, |counts| counts.sections);
        writeln!(
            out,
            "  <testsuite name=\"{}@{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{known}\">",
            xml_attribute(&reader.name),
            xml_attribute(&reader.version),
            all.len() + 1,
            all.len() - known,
            u64::from(broken > 0)
        )?;
        writeln!(out, "    <testcase name=\"answers\" classname=\"reader\">")?;
        if broken > 0 {
            writeln!(out, "      <error type=\"UNRESOLVED\" message=\"{broken} sections without an answer\"/>")?;
        }
        writeln!(out, "    </testcase>")?;
        for finding in all {
            test_case(finding, out)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    if !run.problems.is_empty() {
        let count = run.problems.len();
        writeln!(
            out,
            "  <testsuite name=\"ledger\" tests=\"{count}\" failures=\"{count}\" errors=\"0\" skipped=\"0\">"
        )?;
        for problem in &run.problems {
            let problem = xml_attribute(problem);
            writeln!(out, "    <testcase name=\"{problem}\" classname=\"ledger\">")?;
            writeln!(out, "      <failure type=\"FAIL\" message=\"{problem}\"/>\n    </testcase>")?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn test_case(finding: &ReaderFinding, out: &mut dyn Write) -> io::Result<()> {
    let what = xml_attribute(&cause(finding));
    writeln!(
        out,
        "    <testcase name=\"{} {what}\" classname=\"{}\">",
        xml_attribute(&finding.fingerprint),
        finding.verdict.name()
    )?;
    match &finding.known {
        Some(entry) => writeln!(out, "      <skipped message=\"known: {}\"/>", xml_attribute(entry))?,
        None => {
            writeln!(out, "      <failure type=\"FAIL\" message=\"{what}\">{}", xml_text(&spread(finding)))?;
            if let Some(example) = &finding.example {
                let pc = example.pc.map_or_else(String::new, |pc| format!(" at {pc:#x}"));
                let told = format!("{}{pc}: {}, not {}", example.id, example.got, example.want);
                writeln!(out, "{}\nsection at {:#x}: {}", xml_text(&told), example.address, example.section)?;
            }
            writeln!(out, "</failure>")?;
        }
    }
    writeln!(out, "    </testcase>")
}
