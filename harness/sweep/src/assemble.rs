//! Objects to sweep, made of assembly written by hand: each file with CFI directives, preprocessed
//! for each target and assembled with each assembler for it that writes `.sframe`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use toolchain::entry::{Kind, Step};
use toolchain::files::Files;
use toolchain::producers::Producers;
use toolchain::tool::{Order, Tool};
use types::Abi;

/// What a folder of sources gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assembled {
    /// Number of source files with CFI directives.
    pub files: usize,
    /// Number of objects made of them.
    pub objects: usize,
    /// Files that no assembler accepts, each with a complaint of the newest for one target.
    pub refused: Vec<(PathBuf, String)>,
}

/// Assembles each `.S` and `.s` file with CFI directives below `folders` into
/// `out/ASSEMBLER/ABI/FILE.o`.
///
/// # Errors
/// A folder cannot be read, or an object cannot be written.
pub fn assemble(producers: &Producers, folders: &[PathBuf], out: &Path) -> io::Result<Assembled> {
    let mut all = Assembled::default();
    for folder in folders {
        let folder = fs::canonicalize(folder)?;
        let (mut sources, mut headers) = (Vec::new(), Vec::new());
        list(&folder, &mut sources, &mut headers)?;
        for source in sources {
            all.files += 1;
            let name = source.strip_prefix(&folder).unwrap_or(&source);
            let mut complaint = String::new();
            let before = all.objects;
            for abi in Abi::ALL {
                let Some(text) = preprocessed(producers, abi, &source, &folder, &headers) else { continue };
                if !has_cfi(&text) {
                    continue;
                }
                for tool in assemblers(producers, abi) {
                    match object(tool, abi, &text) {
                        Ok(object) => {
                            let path =
                                out.join(tool.name()).join(abi.to_string()).join(format!("{}.o", name.display()));
                            path.parent().map_or(Ok(()), fs::create_dir_all)?;
                            fs::write(&path, object)?;
                            all.objects += 1;
                        }
                        Err(why) => complaint = why,
                    }
                }
            }
            if all.objects == before {
                all.refused.push((name.to_owned(), complaint));
            }
        }
    }
    Ok(all)
}

/// The source files with CFI directives below a folder, in order, and its folders for headers.
fn list(folder: &Path, sources: &mut Vec<PathBuf>, headers: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    for path in paths {
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name == "include") {
                headers.push(path.clone());
            }
            list(&path, sources, headers)?;
        } else if path.extension().is_some_and(|end| end == "S" || end == "s") && has_cfi(&fs::read(&path)?) {
            sources.push(path);
        }
    }
    Ok(())
}

fn has_cfi(text: &[u8]) -> bool {
    text.windows(b"cfi_".len()).any(|part| part == b"cfi_")
}

/// The text as a target's compiler preprocesses it; `.s` as it is. `None` if that fails.
fn preprocessed(producers: &Producers, abi: Abi, source: &Path, folder: &Path, headers: &[PathBuf]) -> Option<Vec<u8>> {
    let text = fs::read(source).ok()?;
    if source.extension().is_some_and(|end| end == "s") {
        return Some(text);
    }
    let compiler = producers.tools("gcc", abi).ok()?.last()?;
    let above = source.ancestors().skip(1).take_while(|one| one.starts_with(folder));
    let mut options = "-E -x assembler-with-cpp -D__ASSEMBLER__".to_owned();
    // A path with a space would be several words.
    for path in above.chain(headers.iter().map(PathBuf::as_path)) {
        let path = path.display().to_string();
        if !path.contains(char::is_whitespace) {
            options.push_str(&format!(" -I{path}"));
        }
    }
    let mut files = Files::default();
    files.put("t.S", text.into());
    let order = Order { step: Step::Compile, inputs: &["t.S"], output: "t.s", options: &options, sframe: false };
    compiler.must_run(&order, &mut files).ok()?;
    files.get("t.s").map(|bytes| bytes.to_vec())
}

/// The assemblers for a target that write `.sframe`, the newest last.
fn assemblers(producers: &Producers, abi: Abi) -> impl Iterator<Item = &Tool> {
    let names = producers.of_kind(Kind::Assembler).map(|entry| entry.name.as_str());
    let tools = names.filter_map(move |name| producers.tools(name, abi).ok()).flatten();
    tools.filter(|tool| !tool.sframe().is_empty())
}

/// The object, or what the assembler prints.
fn object(tool: &Tool, abi: Abi, text: &[u8]) -> Result<Vec<u8>, String> {
    let mut files = Files::default();
    files.put("t.s", text.to_vec().into());
    let order = Order { step: Step::Assemble, inputs: &["t.s"], output: "t.o", options: newest(abi), sframe: true };
    tool.must_run(&order, &mut files).map_err(|error| error.to_string())?;
    files.get("t.o").map(|bytes| bytes.to_vec()).ok_or_else(String::new)
}

/// Words for the instructions of newer processors, for all versions of GNU as.
fn newest(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => "",
        Abi::Aarch64 | Abi::Aarch64Be => "-march=armv8.6-a+crypto+sha3+sm4+sve2",
        Abi::S390x => "-march=z15",
    }
}
