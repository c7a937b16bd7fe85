//! Options for the user's own builds in place of tools of the producers' file.

use std::path::{Path, PathBuf};

use anyhow::bail;
use toolchain::local::{LocalError, Role};
use toolchain::producers::Producers;

/// Assemblers, linkers, compilers.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct OwnBuild {
    /// use your own build of an assembler, a file or the folder it was built in, in place of those
    /// found (may be repeated, one per target)
    #[arg(long = "as", value_name = "PATH", help_heading = "Tools")]
    as_program: Vec<PathBuf>,
    /// use your own build of a linker, a file or the folder it was built in, in place of those
    /// found (may be repeated, one per target)
    #[arg(long = "ld", value_name = "PATH", help_heading = "Tools")]
    ld_program: Vec<PathBuf>,
    /// use your own build of a C compiler, a file or the folder it was built in, in place of those
    /// found (may be repeated, one per target)
    #[arg(long = "cc", value_name = "PATH", help_heading = "Tools")]
    cc_program: Vec<PathBuf>,
}

impl OwnBuild {
    /// The programs, each with the role of the tool it replaces.
    pub(crate) fn programs(self) -> Vec<(Role, PathBuf)> {
        let roles =
            [(Role::Assembler, self.as_program), (Role::Linker, self.ld_program), (Role::Compiler, self.cc_program)];
        roles.into_iter().flat_map(|(role, paths)| paths.into_iter().map(move |path| (role, path))).collect()
    }

    /// Returns true if a compiler is given.
    pub(crate) fn has_compiler(&self) -> bool {
        !self.cc_program.is_empty()
    }

    /// The producers with these programs in place.
    pub(crate) fn put_in(&self, producers: Producers) -> Result<Producers, LocalError> {
        self.clone().programs().into_iter().try_fold(producers, |all, (role, path)| {
            let (all, _) = all.with_program(role, &path)?;
            Ok(all)
        })
    }
}

/// The producers with a program in place of the tool that it identifies itself as, whatever its
/// role.
pub(crate) fn with_any(program: &Path, producers: &dyn Fn() -> anyhow::Result<Producers>) -> anyhow::Result<Producers> {
    let mut refused = Vec::new();
    for role in [Role::Assembler, Role::Linker, Role::Compiler] {
        match producers()?.with_program(role, program) {
            Ok((producers, _)) => return Ok(producers),
            Err(LocalError::Unknown { .. } | LocalError::NotInFolder { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        refused.push(role.option());
    }
    bail!("{}: does not identify itself as a tool for --{}", program.display(), refused.join(", --"))
}
