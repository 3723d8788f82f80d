//! Entry point of the fuzz targets in `services/fuzz`.

use std::path::Path;

use kit_content::Folder;

/// Parses a folder of content. Every fault is reported.
pub fn read_folder(folder: &Path) {
    if let Err(faults) = crate::import::parse_folder(&Folder::on_disk(folder)) {
        assert!(!faults.to_string().is_empty());
    }
}
