//! Entry point of the fuzz targets in `services/fuzz`; nothing else uses it.

use std::path::Path;

use kit::content::Folder;

use time::macros::datetime;

/// Reads a folder of content, whatever is in it; faults are reported.
pub fn read_folder(folder: &Path) {
    if let Err(faults) = crate::import::read(&Folder::on_disk(folder), datetime!(2026-11-20 03:00 UTC)) {
        assert!(!faults.to_string().is_empty());
    }
}
