//! The stub's description of its registers ("Target Descriptions", appendix G): number of each, and
//! offset in the answer to `g`.

use rustc_hash::FxHashMap;

use crate::error::RemoteError;

/// Maximum width in bits of a register that is read.
const WIDEST: usize = 2048;

/// Maximum size in bytes of all registers; known stubs have a few thousand.
const ALL: usize = 1 << 20;

/// A register of the stub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegisterSlot {
    /// Number of the register, for `p`.
    pub(crate) number: usize,
    /// Offset of the first byte in the answer to `g`.
    pub(crate) offset: usize,
    /// Size in bytes.
    pub(crate) size: usize,
}

impl RegisterSlot {
    /// The register's digits in an answer to `g`; `None` if the answer is too short.
    pub(crate) fn of(self, general: &[u8]) -> Option<&[u8]> {
        general.get(2 * self.offset..2 * (self.offset + self.size))
    }
}

/// Registers by name.
pub(crate) type Places = FxHashMap<String, RegisterSlot>;

/// The registers of a description.
#[derive(Debug)]
pub(crate) struct Described {
    /// Registers of at most 2048 bits.
    pub(crate) by_name: Places,
    /// Registers of GDB's standard features (G.5), by number. Other registers belong to the whole
    /// processor.
    pub(crate) standard: Vec<RegisterSlot>,
}

/// Names of the files that a description includes.
pub(crate) fn includes(xml: &str) -> Result<Vec<String>, RemoteError> {
    let xml = plain(xml);
    let document = parse(&xml)?;
    let nodes = document.descendants().filter(|node| node.has_tag_name("include"));
    Ok(nodes.filter_map(|node| node.attribute("href")).map(str::to_owned).collect())
}

/// The registers in all files of a description, in order. A register without `regnum` has the
/// number after the previous one; the answer to `g` is in order of number.
pub(crate) fn registers<'a>(files: impl IntoIterator<Item = &'a str>) -> Result<Described, RemoteError> {
    let mut all = Vec::new();
    let mut number = 0;
    for file in files {
        let xml = plain(file);
        for node in parse(&xml)?.descendants().filter(|node| node.has_tag_name("reg")) {
            let (Some(name), Some(bits)) = (node.attribute("name"), node.attribute("bitsize").map(str::parse)) else {
                return Err(RemoteError::Description("has a register without name or size".to_owned()));
            };
            let bits: usize = bits.map_err(|_| RemoteError::Description(format!("gives {name} no size")))?;
            if let Some(given) = node.attribute("regnum") {
                let given = given.parse().ok().filter(|given| *given < 1 << 16);
                number = given.ok_or_else(|| RemoteError::Description(format!("gives {name} no number")))?;
            }
            let feature = node.parent().and_then(|parent| parent.attribute("name"));
            let is_standard = feature.is_none_or(|feature| feature.starts_with("org.gnu.gdb."));
            all.push((number, name.to_owned(), bits, is_standard));
            number += 1;
        }
    }
    all.sort_by_key(|(number, ..)| *number);
    let mut offset = 0_usize;
    let mut described = Described { by_name: Places::default(), standard: Vec::new() };
    for (number, name, bits, is_standard) in all {
        let size = bits.div_ceil(8);
        let place = RegisterSlot { number, offset, size };
        if is_standard {
            described.standard.push(place);
        }
        if bits <= WIDEST {
            described.by_name.insert(name, place);
        }
        offset = offset.saturating_add(size);
        if offset > ALL {
            return Err(RemoteError::Description(format!("has more than {ALL} bytes of registers")));
        }
    }
    Ok(described)
}

/// The XML without the XInclude prefix, which stubs do not declare.
fn plain(xml: &str) -> String {
    xml.replace("xi:include", "include")
}

fn parse(xml: &str) -> Result<roxmltree::Document<'_>, RemoteError> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    roxmltree::Document::parse_with_options(xml, options)
        .map_err(|error| RemoteError::Description(format!("is not XML: {error}")))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_and_offsets() {
        let main = r#"<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd">
            <target><architecture>x</architecture><xi:include href="core.xml"/><xi:include href="more.xml"/></target>"#;
        assert_eq!(includes(main).expect("a description"), ["core.xml", "more.xml"]);
        let core = r#"<feature name="core"><reg name="a" bitsize="64"/><reg name="wide" bitsize="4096"/>
            <reg name="b" bitsize="32"/></feature>"#;
        let more = r#"<feature name="more"><reg name="later" bitsize="64" regnum="9"/><reg name="last" bitsize="64"/>
            </feature>"#;
        let places = registers([main, core, more]).expect("registers").by_name;
        let place = |name: &str| places.get(name).copied();
        assert_eq!(place("a"), Some(RegisterSlot { number: 0, offset: 0, size: 8 }));
        assert_eq!(place("wide"), None);
        assert_eq!(place("b"), Some(RegisterSlot { number: 2, offset: 520, size: 4 }));
        assert_eq!(place("later"), Some(RegisterSlot { number: 9, offset: 524, size: 8 }));
        assert_eq!(place("last"), Some(RegisterSlot { number: 10, offset: 532, size: 8 }));
    }

    proptest! {
        /// Any text gives registers within bounds, or an error.
        #[test]
        fn any_text_is_read(
            text in ".{0,200}",
            regs in vec((any::<u64>(), proptest::option::of(any::<u64>())), 0..20),
        ) {
            let _ = (includes(&text), registers([text.as_str()]));
            let regs = regs.iter().enumerate().map(|(name, (bits, number))| {
                let number = number.map(|number| format!(" regnum='{number}'")).unwrap_or_default();
                format!("<reg name='r{name}' bitsize='{}'{number}/>", bits >> (bits % 64))
            });
            if let Ok(Described { by_name: places, .. }) = registers([format!("<t>{}</t>", regs.collect::<String>()).as_str()]) {
                prop_assert!(places.values().all(|place| place.offset <= ALL && place.size <= WIDEST / 8));
            }
        }
    }

    /// Entities that each expand to ten times the previous one are refused.
    #[test]
    fn entities_do_not_explode() {
        let more = |n: usize| format!("<!ENTITY e{} '{}'>", n + 1, format!("&e{n};").repeat(10));
        let entities: String = (0..12).map(more).collect();
        let text = format!("<!DOCTYPE t [<!ENTITY e0 'xxxxxxxxxx'>{entities}]><t>&e12;</t>");
        assert!(matches!(registers([text.as_str()]), Err(RemoteError::Description(_))));
    }

    #[test]
    fn what_is_no_description_is_an_error() {
        for bad in
            ["", "<", "<reg name='a'/>", "<reg name='a' bitsize='x'/>", "<reg name='a' bitsize='8' regnum='-1'/>"]
        {
            assert!(registers([bad]).is_err(), "{bad}");
        }
    }
}
