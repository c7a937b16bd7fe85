//! Where the project's data lies: cases, producers' file, ledger.

use std::path::{Path, PathBuf};

use toolchain::cache::{self, Cache};
use toolchain::producers::SHIPPED;

/// The folder of frozen objects under `cases/`, and their topic in keys.
pub const OBJECTS: &str = "objects";

/// The file in it that lists what each object is.
pub const OBJECTS_LIST: &str = "objects.yaml";

/// The file in a bundle's folder that has its data.
pub const BUNDLE: &str = "bundle.yaml";

/// A folder with the project's data.
#[derive(Clone, Debug)]
pub struct Home {
    /// It holds `cases/`, `ci/` and `reports/known/`.
    pub root: PathBuf,
}

/// The working directory is in no checkout.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("this folder is in no checkout of sframe-conformance")]
pub struct NoCheckout;

impl Home {
    /// The checkout that holds the working directory.
    ///
    /// # Errors
    /// If it is in none.
    pub fn checkout() -> Result<Home, NoCheckout> {
        let here = std::env::current_dir().map_err(|_| NoCheckout)?;
        here.ancestors().find_map(Home::at).ok_or(NoCheckout)
    }

    /// A folder, where it has the data.
    pub fn at(folder: &Path) -> Option<Home> {
        let is_home = folder.join("cases").join(OBJECTS).join(OBJECTS_LIST).is_file() && folder.join(SHIPPED).is_file();
        is_home.then(|| Home { root: folder.to_owned() })
    }

    /// What producers made before.
    pub fn cache(&self) -> Cache {
        Cache::at(&self.root.join(cache::FOLDER))
    }

    /// The folder of the cases, a folder a topic.
    pub fn cases(&self) -> PathBuf {
        self.root.join("cases")
    }
}
