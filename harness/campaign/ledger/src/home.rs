//! Location of the project's data: cases, producers' file, ledger.

use std::path::{Path, PathBuf};

use toolchain::cache::{self, Cache};
use toolchain::producers::SHIPPED;

/// Folder of frozen objects under `cases/`, and their topic in keys.
pub const OBJECTS: &str = "objects";

/// File in that folder with a description of each object.
pub const OBJECTS_LIST: &str = "objects.yaml";

/// File with the data of a bundle, in its folder.
pub const BUNDLE: &str = "bundle.yaml";

/// A checkout: a folder with the project's data.
#[derive(Clone, Debug)]
pub struct Home {
    /// Root folder, which contains `cases/`, `ci/` and `reports/known/`.
    pub root: PathBuf,
}

/// The error for a working directory outside of a checkout.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("this folder is in no checkout of sframe-conformance")]
pub struct NoCheckout;

impl Home {
    /// The checkout that contains the working directory.
    pub fn checkout() -> Result<Home, NoCheckout> {
        let here = std::env::current_dir().map_err(|_| NoCheckout)?;
        here.ancestors().find_map(Home::at).ok_or(NoCheckout)
    }

    /// A folder as a checkout, if it contains the data.
    pub fn at(folder: &Path) -> Option<Home> {
        let is_home = folder.join("cases").join(OBJECTS).join(OBJECTS_LIST).is_file() && folder.join(SHIPPED).is_file();
        is_home.then(|| Home { root: folder.to_owned() })
    }

    /// The cache of producers' outputs.
    pub fn cache(&self) -> Cache {
        Cache::at(&self.root.join(cache::FOLDER))
    }

    /// The folder of the cases, with one folder for each topic.
    pub fn cases(&self) -> PathBuf {
        self.root.join("cases")
    }
}
