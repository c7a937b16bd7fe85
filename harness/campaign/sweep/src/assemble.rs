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

/// The sources and how they are preprocessed.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'s> {
    /// Folders and files.
    pub paths: &'s [PathBuf],
    pub abis: &'s [Abi],
    /// Words for the preprocessor, separated by spaces.
    pub words: &'s str,
}

/// What the sources gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assembled {
    /// Number of source files with CFI directives, or that cannot be preprocessed.
    pub files: usize,
    /// Number of objects made of them.
    pub objects: usize,
    pub refused: Vec<Refused>,
}

impl Assembled {
    /// Number of files of which there is no object.
    #[must_use]
    pub fn lost(&self) -> usize {
        self.refused.iter().filter(|one| one.by.is_none()).count()
    }
}

/// A file without an object of one assembler, or of any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub file: PathBuf,
    /// The assembler, if another one for the same target accepts the file.
    pub by: Option<String>,
    pub complaint: String,
}

/// Assembles each `.S` and `.s` file with CFI directives into `out/ASSEMBLER/ABI/FILE.o`.
pub fn assemble(producers: &Producers, sources: &Sources<'_>, out: &Path) -> io::Result<Assembled> {
    let mut all = Assembled::default();
    for path in sources.paths {
        let path = fs::canonicalize(path)?;
        let (mut files, mut headers) = (Vec::new(), Vec::new());
        let folder = match path.is_dir() {
            true => {
                list(&path, &mut files, &mut headers)?;
                path.as_path()
            }
            false => {
                files.push(path.clone());
                path.parent().unwrap_or(&path)
            }
        };
        for file in &files {
            let mut words = sources.words.to_owned();
            let above = file.ancestors().skip(1).take_while(|one| one.starts_with(folder));
            for path in above.chain(headers.iter().map(PathBuf::as_path)) {
                let path = path.display().to_string();
                // A path with a space would be several words.
                if !path.contains(char::is_whitespace) {
                    words.push_str(&format!(" -I{path}"));
                }
            }
            let name = file.strip_prefix(folder).unwrap_or(file);
            if let Some(texts) = Texts::new(producers, sources.abis, file, &words)? {
                all.add(producers, name, texts, out)?;
            }
        }
    }
    Ok(all)
}

/// The preprocessed texts of a file that have CFI directives.
#[derive(Default)]
struct Texts {
    of: Vec<(Abi, Vec<u8>)>,
    /// What the preprocessor prints for another target.
    complaint: Option<String>,
}

impl Texts {
    /// `None` if the file has no CFI directives.
    fn new(producers: &Producers, abis: &[Abi], file: &Path, words: &str) -> io::Result<Option<Texts>> {
        let raw = fs::read(file)?;
        let mut texts = Texts::default();
        for &abi in abis {
            match is_preprocessed(file, &raw).then(|| preprocessed(producers, abi, &raw, words)) {
                None => texts.of.push((abi, raw.clone())),
                Some(Ok(text)) => texts.of.push((abi, text)),
                Some(Err(why)) => texts.complaint = Some(why),
            }
        }
        // One target's preprocessor is enough to see that a file has no directives.
        let has_none = !texts.of.is_empty() && !has_cfi(&raw);
        texts.of.retain(|(_, text)| has_cfi(text));
        Ok((!has_none || !texts.of.is_empty()).then_some(texts))
    }
}

impl Assembled {
    fn add(&mut self, producers: &Producers, name: &Path, texts: Texts, out: &Path) -> io::Result<()> {
        self.files += 1;
        let (mut complaint, before) = (texts.complaint, self.objects);
        for (abi, text) in texts.of {
            let (mut refused, objects) = (Vec::new(), self.objects);
            for tool in assemblers(producers, abi) {
                match object(tool, abi, &text) {
                    Ok(object) => {
                        let path = out.join(tool.name()).join(abi.to_string()).join(format!("{}.o", name.display()));
                        path.parent().map_or(Ok(()), fs::create_dir_all)?;
                        fs::write(&path, object)?;
                        self.objects += 1;
                    }
                    Err(why) => refused.push((format!("{} for {abi}", tool.name()), why)),
                }
            }
            if self.objects > objects {
                let one = |(by, complaint)| Refused { file: name.to_owned(), by: Some(by), complaint };
                self.refused.extend(refused.into_iter().map(one));
            } else if let Some((_, why)) = refused.pop() {
                // The assembler of the file's own target complains least.
                complaint = complaint.into_iter().chain([why]).min_by_key(String::len);
            }
        }
        if self.objects == before {
            let complaint = complaint.unwrap_or_else(|| "its directives are for another target".to_owned());
            self.refused.push(Refused { file: name.to_owned(), by: None, complaint });
        }
        Ok(())
    }
}

/// The source files below a folder, in order, and its folders for headers.
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
        } else if path.extension().is_some_and(|end| end == "S" || end == "s") {
            sources.push(path);
        }
    }
    Ok(())
}

/// Returns true for `.S`, and for `.s` with lines for the preprocessor: a file that others include.
/// To an assembler such lines are comments.
fn is_preprocessed(file: &Path, text: &[u8]) -> bool {
    const DIRECTIVES: [&[u8]; 4] = [b"#ifdef ", b"#ifndef ", b"#include ", b"#define "];
    file.extension().is_some_and(|end| end == "S")
        || text.split(|byte| *byte == b'\n').any(|line| DIRECTIVES.iter().any(|one| line.starts_with(one)))
}

fn has_cfi(text: &[u8]) -> bool {
    text.windows(b"cfi_".len()).any(|part| part == b"cfi_")
}

/// The text as a target's compiler preprocesses it, or what the compiler prints.
fn preprocessed(producers: &Producers, abi: Abi, raw: &[u8], words: &str) -> Result<Vec<u8>, String> {
    let compilers = producers.tools("gcc", abi).map_err(|error| error.to_string())?;
    let compiler = compilers.last().ok_or_else(|| format!("no gcc for {abi}"))?;
    let options = format!("-E -x assembler-with-cpp -D__ASSEMBLER__ {words}");
    let mut files = Files::default();
    files.put("t.S", raw.to_vec().into());
    let order = Order { step: Step::Compile, inputs: &["t.S"], output: "t.s", options: &options, sframe: false };
    compiler.must_run(&order, &mut files).map_err(|error| error.to_string())?;
    files.get("t.s").map(|bytes| bytes.to_vec()).ok_or_else(String::new)
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
