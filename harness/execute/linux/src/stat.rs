//! The status of a file, and its layout on a target.

use crate::record::Record;

/// The status of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct About {
    pub inode: u64,
    /// Type and permissions.
    pub mode: u32,
    pub names: u32,
    pub size: u64,
    /// Major and minor number of a device.
    pub device: (u32, u32),
    pub changed: (u64, u64),
}

/// Builds a `struct stat` in a target's layout.
pub(crate) type StatLayout = fn(&About, Record) -> Record;

impl About {
    /// The device number of all files.
    pub(crate) const HOME: u64 = 1;
    /// Size in bytes of a block.
    pub(crate) const BLOCK: u64 = 4096;

    /// Number of 512-byte blocks, in whole pages.
    pub(crate) fn blocks(&self) -> u64 {
        self.size.div_ceil(4096) * 8
    }

    /// The device number in the format of `st_rdev` (Linux `include/linux/kdev_t.h`,
    /// new_encode_dev).
    pub(crate) fn device_number(&self) -> u64 {
        let (major, minor) = self.device;
        u64::from(minor & 0xff | major << 8 | (minor & !0xff) << 12)
    }

    /// Times of access, modification and change.
    pub(crate) fn times(&self) -> [u64; 6] {
        let (seconds, nanoseconds) = self.changed;
        [seconds, nanoseconds, seconds, nanoseconds, seconds, nanoseconds]
    }
}
