//! Features of a judged `.sframe` section that clauses of the specification depend on.
//!
//! Walks every row: intended for the small files that trials build, not for hostile files.

use std::collections::{BTreeSet, HashMap};

use judge::tables::Tables;
use results::TableLine;
use sframe::{FrameRow, FuncDesc, Function, Header, Rules, Section, Table};
use spec::Feature;
use types::{Abi, ByteOrder, CfaRule, Image, ImageKind, SframeVersion, ValueRule};

/// Version and features of an image's table; `None` if it has no readable table.
pub(super) fn table_line(image: &Image, tables: &Tables, executed: bool) -> Option<TableLine> {
    let section = image.sframe_sections().find(|section| !section.bytes.is_empty())?;
    let parsed = Section::parse(&section.bytes).ok()?;
    let table = tables.sframe.as_ref()?.table();
    let in_plt =
        |function: Function<'_>| image.section_at(function.start).is_some_and(|home| home.name.starts_with(".plt"));
    let judging = Judging { executed, eh_frame: tables.cfi.is_some(), plt: table.functions().any(in_plt) };
    let features = features_of(&parsed, table, image.kind, judging);
    let version = tables.version.map_or("none", SframeVersion::name).to_owned();
    Some(TableLine { version, features: features.into_iter().map(|feature| feature.name().to_owned()).collect() })
}

/// How the table was judged.
#[derive(Clone, Copy, Debug, Default)]
struct Judging {
    /// True if rows were executed and compared with the true frames.
    executed: bool,
    /// True if the table was compared with `.eh_frame`.
    eh_frame: bool,
    /// True if a function lies in a `.plt*` section.
    plt: bool,
}

/// Features of the section. Functions that cannot be read add none.
fn features_of(section: &Section<'_>, table: &Table, kind: ImageKind, judging: Judging) -> BTreeSet<Feature> {
    let mut seen = FeatureList { section, table, features: BTreeSet::new() };
    seen.file(kind, judging);
    seen.header(&section.header);
    let read: HashMap<u32, Function<'_>> = table.functions().map(|it| (it.fde_index, it)).collect();
    for function in section.functions().flatten() {
        if let Some(read) = read.get(&function.entry.index) {
            seen.function(&function, read);
        }
    }
    seen.features
}

struct FeatureList<'s, 'a> {
    section: &'s Section<'a>,
    table: &'s Table,
    features: BTreeSet<Feature>,
}

impl FeatureList<'_, '_> {
    fn add(&mut self, feature: Feature, there: bool) {
        if there {
            self.features.insert(feature);
        }
    }

    fn file(&mut self, kind: ImageKind, judging: Judging) {
        let object = kind == ImageKind::Relocatable;
        self.add(Feature::Object, object);
        self.add(Feature::Linked, !object);
        self.add(Feature::Executed, judging.executed);
        self.add(Feature::EhFrame, judging.eh_frame);
        self.add(Feature::Meaning, judging.executed || judging.eh_frame);
        self.add(Feature::Plt, judging.plt);
    }

    fn header(&mut self, header: &Header) {
        let functions = self.table.functions();
        let any = functions.len() > 0;
        let several = functions.clone().any(|it| self.table.function(0).is_some_and(|first| first.start != it.start));
        self.add(Feature::LittleEndian, header.order == ByteOrder::Little);
        self.add(Feature::BigEndian, header.order == ByteOrder::Big);
        let abi = self.table.abi();
        let target = match abi {
            Abi::Amd64 => Feature::Amd64,
            Abi::Aarch64 | Abi::Aarch64Be => Feature::Aarch64,
            Abi::S390x => Feature::S390x,
        };
        self.add(target, true);
        self.add(Feature::Sorted, header.flags.sorted() && several);
        self.add(Feature::FramePointerFlag, header.flags.frame_pointer());
        self.add(Feature::Pcrel, header.flags.pcrel() && any);
        self.add(Feature::PcrelClear, !header.flags.pcrel() && any);
        self.add(Feature::Function, any);
        self.add(Feature::Functions, functions.len() > 1);
    }

    fn function(&mut self, function: &FuncDesc, read: &Function<'_>) {
        let FuncDesc { entry, attributes } = function;
        let has_rows = read.rows().len() > 0;
        let signal = self.section.header.is_signal(attributes.info);
        self.add(Feature::NegativeStart, entry.start < 0);
        self.add(Feature::FarStart, i32::try_from(entry.start).is_err());
        self.add(Feature::Signal, signal);
        self.add(Feature::NoRows, !has_rows && !signal);
        self.add(Feature::Rows, !attributes.info.pcmask() && read.rows().len() > 1);
        if has_rows {
            let repeats = attributes.block().is_some_and(|block| entry.size >= 2 * u32::from(block));
            self.add(Feature::Pcmask, attributes.info.pcmask());
            self.add(Feature::PcmaskRepeats, attributes.info.pcmask() && repeats);
            self.add(Feature::Addr1, attributes.info.fre_type() == 0);
            self.add(Feature::Addr2, attributes.info.fre_type() == 1);
            self.add(Feature::Addr4, attributes.info.fre_type() == 2);
        }
        for (raw, row) in self.section.rows(function).flatten().zip(read.rows()) {
            self.row(function, &raw, &row.rules);
        }
    }

    fn row(&mut self, function: &FuncDesc, raw: &FrameRow<'_>, rules: &Rules) {
        let info = function.attributes.info;
        let top = u64::from(raw.start) >> (8 * u32::from(info.start_width().unwrap_or(8)) - 1);
        let count = raw.info.word_count();
        let authenticates = self.table.abi().facts().pointer_authentication;
        self.add(Feature::Row, true);
        self.add(Feature::HighStart, top & 1 == 1);
        self.add(Feature::Outermost, count == 0);
        let signed = self.section.header.is_signed(raw.info);
        self.add(Feature::SignedRa, signed);
        self.add(Feature::PauthKeyA, signed && !info.key_b() && authenticates);
        self.add(Feature::PauthKeyB, signed && info.key_b() && authenticates);
        if count == 0 {
            return;
        }
        self.add(Feature::Word1, raw.word_size() == 1);
        self.add(Feature::Word2, raw.word_size() == 2);
        self.add(Feature::Word4, raw.word_size() == 4);
        if function.attributes.info2.flex() { self.flex_row(raw, rules) } else { self.default_row(raw, rules) }
    }

    fn default_row(&mut self, raw: &FrameRow<'_>, rules: &Rules) {
        let facts = self.table.abi().facts();
        let tracks_ra = self.section.header.fixed_ra == 0;
        let count = raw.info.word_count();
        let (ra, fp) = if tracks_ra { (raw.offset_word(1), raw.offset_word(2)) } else { (None, raw.offset_word(1)) };
        let (ra, fp) = (ra.filter(|_| count > 1), fp.filter(|_| count > if tracks_ra { 2 } else { 1 }));
        self.add(Feature::NegativeWord, raw.offset_words().any(|word| word < 0));
        self.add(Feature::CfaFromSp, raw.info.base_is_sp());
        self.add(Feature::CfaFromFp, !raw.info.base_is_sp());
        self.add(Feature::RaSlot, ra.is_some() && matches!(rules.ra, ValueRule::AtCfa(_)));
        self.add(Feature::RaUnchanged, tracks_ra && ra.is_none());
        self.add(Feature::RaFiller, facts.ra_filler && ra == Some(0) && fp.is_some());
        self.add(Feature::FpSlot, fp.is_some() && matches!(rules.fp, ValueRule::AtCfa(_)));
        self.add(Feature::FpUnchanged, fp.is_none());
        self.add(Feature::ScaledCfa, facts.cfa_word.scale != 1 && raw.offset_word(0).is_some_and(|word| word != 0));
        let names_register = |rule| matches!(rule, ValueRule::Register { .. });
        self.add(Feature::RaRegisterWord, facts.register_words && names_register(rules.ra));
        self.add(Feature::FpRegisterWord, facts.register_words && names_register(rules.fp));
    }

    fn flex_row(&mut self, raw: &FrameRow<'_>, rules: &Rules) {
        let facts = self.table.abi().facts();
        let known = |reg| reg == facts.sp || reg == facts.fp;
        let count = raw.info.word_count();
        let filler = count > 2 && raw.control_word(2) == Some(0);
        let (ra, fp) = (!filler && count > 3, if filler { count > 4 } else { count > 5 });
        self.add(Feature::Flex, true);
        self.add(Feature::FlexThreePairs, ra && fp);
        self.add(Feature::FlexFiller, filler && fp);
        self.add(Feature::FlexRaAbsent, !ra);
        self.add(Feature::FlexFpAbsent, !fp);
        let other = match rules.cfa {
            CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => !known(reg),
            CfaRule::Expression(_) | CfaRule::Unspecified => false,
        };
        self.add(Feature::FlexOtherRegister, other);
        self.add(Feature::FlexCfaLoad, matches!(rules.cfa, CfaRule::Memory { .. }));
        self.add(Feature::FlexCfaSum, matches!(rules.cfa, CfaRule::Register { .. }));
        for rule in [rules.ra].into_iter().filter(|_| ra).chain([rules.fp].into_iter().filter(|_| fp)) {
            self.add(Feature::FlexCfaSlot, matches!(rule, ValueRule::AtCfa(_)));
            self.add(Feature::FlexRegisterSlot, matches!(rule, ValueRule::Memory { .. }));
            self.add(Feature::FlexRegisterValue, matches!(rule, ValueRule::Register { .. }));
        }
        let controls = [Some(0), ra.then_some(2), fp.then_some(if filler { 3 } else { 4 })];
        for index in controls.into_iter().flatten() {
            let high =
                raw.control_word(index).is_some_and(|word| word >> (8 * u32::from(raw.word_size()) - 1) & 1 == 1);
            self.add(Feature::HighControlWord, high);
            self.add(Feature::FlexNegativeOffset, raw.offset_word(index + 1).is_some_and(|offset| offset < 0));
        }
    }
}
