//! Entry points of the fuzz targets in `services/fuzz`; nothing else uses them. Each reads bytes of a stranger and panics
//! where something does not hold that must.

use std::path::Path;

use kit::content::Folder;

use crate::{import, letter, picture, postal};

/// Reads a folder of content, whatever is in it; faults are reported.
pub fn read_folder(folder: &Path) {
    if let Err(faults) = import::read(&Folder::on_disk(folder)) {
        assert!(!faults.to_string().is_empty());
    }
}

/// A file of postal codes: what is accepted has seven columns and a code of seven digits in each line.
pub fn postal_file(data: &[u8]) {
    if postal::check(data).is_ok() {
        for line in data.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            assert_eq!(line.split(|byte| *byte == b'\t').count(), 7);
            assert!(line[..7].iter().all(u8::is_ascii_digit));
            assert!(!line.contains(&b'\\'), "PostgreSQL would take it for an escape");
        }
    }
}

/// An address that the form accepts can be written to, and breaks no line of SMTP.
pub fn mail_address(data: &[u8]) {
    let Ok(typed) = std::str::from_utf8(data) else { return };
    if let Some(address) = letter::address(typed) {
        let sent = address.to_string();
        assert!(!sent.contains(['\r', '\n', '\0', '<', '>']) || sent.starts_with('"'), "{sent:?}");
        assert!(!sent.contains(['\r', '\n', '\0']), "{sent:?}");
    }
    if let Ok(email) = kit::form::email(typed) {
        assert!(letter::address(&email).is_some(), "{email:?} is accepted and can't be written to");
    }
}

/// A picture becomes a JPEG that fits a screen, or is refused.
pub fn picture(data: &[u8]) {
    if let Ok(jpeg) = picture::redraw(data) {
        assert!(jpeg.starts_with(&[0xff, 0xd8]), "it is a JPEG");
        let size = image::ImageReader::with_format(std::io::Cursor::new(&jpeg), image::ImageFormat::Jpeg)
            .into_dimensions();
        assert!(size.is_ok_and(|(width, height)| width.max(height) <= 2_048));
    }
}
