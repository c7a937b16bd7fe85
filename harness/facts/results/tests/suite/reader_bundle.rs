//! Bundles of readers' bugs.

use results::bundle::ReaderBundle;

#[test]
fn a_section_comes_back_from_its_lines() {
    let bytes: Vec<u8> = (0..=40).collect();
    let text = format!(
        "title: t\nreader: r\nversion: '1'\ncommand: c\nverdict: crash\nfingerprint: f\nabi: amd64\nsframe: v3\naddress: 1\n\
         section: {:?}\ngot: g\nwant: w\n",
        ReaderBundle::lines(&bytes)
    );
    let bundle: ReaderBundle = results::yaml::parse(&text).expect("a bundle");
    assert_eq!(bundle.bytes(), Some(bytes));
    for broken in ["0", "0g", "é1"] {
        assert_eq!(ReaderBundle { section: vec![broken.to_owned()], ..bundle.clone() }.bytes(), None, "{broken}");
    }
}
