//! The feed of new bugs, Atom (RFC 4287): an entry of the ledger on the day of the first night that
//! shows it, and each night with findings that no entry covers.

use std::cmp::Reverse;
use std::fmt::Write as _;

use results::entry_name;

use super::{Night, seen};
use crate::escape::{xml_attribute, xml_text};
use crate::page::text::{fragment, plural, uncoded};

/// Entries of the feed.
const MOST: usize = 100;

/// Something new.
struct News {
    day: String,
    id: String,
    title: String,
    /// Below the site.
    link: String,
}

/// The feed, the newest first. Nights in order of their days.
pub fn feed(nights: &[Night]) -> String {
    let mut news: Vec<News> = Vec::new();
    for (file, (first, _)) in seen(nights) {
        let shows = |night: &&Night| night.day == first && night.known.contains_key(&file);
        let Some(night) = nights.iter().find(shows) else { continue };
        let Some(known) = night.known.get(&file).filter(|known| known.is_bug) else { continue };
        let name = entry_name(&file);
        news.push(News {
            day: first,
            id: format!("urn:sframe-conformance:bug:{}", fragment(name)),
            title: uncoded(&known.title),
            link: format!("nights/{}/index.html#bug={}", night.folder, fragment(name)),
        });
    }
    news.extend(nights.iter().filter(|night| !night.new.is_empty()).map(|night| News {
        day: night.day.clone(),
        id: format!("urn:sframe-conformance:night:{}", fragment(&night.folder)),
        title: format!("{} not in the ledger", plural(night.new.len() as u64, "new bug")),
        link: format!("nights/{}/index.html#bugs", night.folder),
    }));
    news.sort_by_key(|one| (Reverse(one.day.clone()), one.id.clone()));
    let updated = news.first().map_or("1970-01-01", |one| &one.day);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n  \
         <id>urn:sframe-conformance:feed</id>\n  <title>SFrame conformance: new bugs</title>\n  \
         <author><name>sframe-conformance</name></author>\n  <link href=\"index.html\"/>\n  \
         <link rel=\"self\" href=\"feed.xml\"/>\n  <updated>{}T00:00:00Z</updated>\n",
        xml_text(updated)
    );
    for News { day, id, title, link } in news.iter().take(MOST) {
        let (id, title, link, day) = (xml_text(id), xml_text(title), xml_attribute(link), xml_text(day));
        let _ = writeln!(
            text,
            "  <entry>\n    <id>{id}</id>\n    <title>{title}</title>\n    <link href=\"{link}\"/>\n    \
             <updated>{day}T00:00:00Z</updated>\n  </entry>"
        );
    }
    text + "</feed>\n"
}
