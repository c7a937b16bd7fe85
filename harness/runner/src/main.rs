//! x
fn main() {
    let mut out = std::io::stdout();
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap();
        let started = std::time::Instant::now();
        let report = sframe_conformance::check::check(&path, &bytes, &Default::default());
        let outcome = report.outcome(model::Severity::Error);
        reports::text::print(&report, outcome, reports::text::Detail { info: true }, &mut out).unwrap();
        eprintln!("{:?}", started.elapsed());
    }
}
