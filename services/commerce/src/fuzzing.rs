//! Entry point of the fuzz targets in `services/fuzz`; nothing else uses it.

use std::path::Path;

/// Reads a folder of content, whatever is in it; faults are reported.
pub fn read_folder(folder: &Path) {
    if let Err(faults) = crate::import::read(folder) {
        assert!(!faults.to_string().is_empty());
    }
}
