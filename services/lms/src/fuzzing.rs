//! Entry point of the fuzz targets in `services/fuzz`. It has no other use.

use std::path::Path;

use kit_content::Folder;

use time::macros::datetime;

/// Parses any folder of content. Faults must be reported without a panic.
pub fn read_folder(folder: &Path) {
    if let Err(faults) =
        crate::import::check_folder(&Folder::on_disk(folder), datetime!(2026-11-20 03:00 UTC))
    {
        assert!(!faults.to_string().is_empty());
    }
}
