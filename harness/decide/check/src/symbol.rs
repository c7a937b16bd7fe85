//! Look-up of symbols that the user names.

use types::{Image, Pc, Unknown};

pub(crate) fn address(image: &Image, name: &str) -> Result<Pc, Unknown> {
    let symbol = image.symbols.iter().find(|symbol| *symbol.name == *name);
    let names = || image.symbols.iter().map(|symbol| symbol.name.as_str());
    Ok(Pc(symbol.ok_or_else(|| results::unknown("symbol", name, names()))?.address))
}
