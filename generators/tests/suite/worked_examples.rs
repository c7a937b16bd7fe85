//! The encoder's output for the worked examples, byte for byte.

use generators::sframe::{SectionAddress, SectionSpec, encode};
use types::{Abi, SframeVersion};

#[test]
fn the_encoder_writes_the_bytes_that_were_derived_by_hand() {
    let examples: Vec<&str> = include_str!("../worked_examples.txt").split("\n[").skip(1).collect();
    for example in &examples {
        let mut lines = example.lines();
        let heading: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
        let [_, abi, version] = heading[..] else { panic!("{example}") };
        let (abi, version): (Abi, _) = (abi.parse().expect(abi), SframeVersion::named(version).expect(version));
        let section = SectionSpec::new(abi, version).edited(lines.next().unwrap_or_default());
        let encoded = encode(&section, SectionAddress::Linked { section: 0 }).expect("an encodable section");
        let hex: String = lines.take_while(|line| !line.contains('=')).flat_map(str::split_whitespace).collect();
        let written: String = encoded.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(written, hex, "{example}");
    }
    assert_eq!(examples.len(), 13);
}
