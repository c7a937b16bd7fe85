//! `corpus TARGET FOLDER`: writes the valid inputs of a target, for cargo-fuzz to begin with.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use fuzzing::{Inputs, Target};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let name = arguments.next().unwrap_or_default();
    let names = Target::ALL.map(Target::name).join(", ");
    let target = Target::ALL.into_iter().find(|target| target.name() == name);
    let target = target.ok_or_else(|| format!("no target named {}: one of {names}", name.display()))?;
    let folder = PathBuf::from(arguments.next().ok_or("usage: corpus TARGET FOLDER")?);
    let inputs = Inputs::new(target, 0)?;
    fs::create_dir_all(&folder)?;
    let mut input = Vec::new();
    for number in 0..inputs.right() {
        inputs.write(number as u64, &mut input);
        fs::write(folder.join(number.to_string()), &input)?;
    }
    Ok(())
}
