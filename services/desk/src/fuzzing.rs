//! Entry points of the fuzz targets in `services/fuzz`. Each takes arbitrary bytes and panics if an invariant fails.

use std::path::Path;

use kit_content::Folder;

use crate::{email, import, postal};

/// Parses a folder of content. Every fault is reported.
pub fn read_folder(folder: &Path) {
    if let Err(faults) = import::check_folder(&Folder::on_disk(folder)) {
        assert!(!faults.to_string().is_empty());
    }
}

/// Checks a file of postal codes. An accepted line has seven columns and a code of seven digits.
pub fn postal_file(data: &[u8]) {
    if postal::check_file(data).is_ok() {
        for line in data.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            assert_eq!(line.split(|byte| *byte == b'\t').count(), 7);
            assert!(line[..7].iter().all(u8::is_ascii_digit));
            assert!(!line.contains(&b'\\'), "a backslash is an escape in COPY");
        }
    }
}

/// Checks that an address that the form accepts is valid for SMTP and injects no line.
pub fn mail_address(data: &[u8]) {
    let Ok(typed) = std::str::from_utf8(data) else { return };
    if let Some(address) = email::parse_address(typed) {
        let sent = address.to_string();
        assert!(!sent.contains(['\r', '\n', '\0', '<', '>']) || sent.starts_with('"'), "{sent:?}");
        assert!(!sent.contains(['\r', '\n', '\0']), "{sent:?}");
    }
    if let Ok(email) = forms::email(typed) {
        assert!(email::parse_address(&email).is_some(), "{email:?} is accepted but invalid for SMTP");
    }
}

/// Converts a picture to a JPEG of at most 2,048 pixels a side, or refuses it.
pub fn picture(data: &[u8]) {
    if let Ok(jpeg) = kit_picture::convert_to_jpeg(data) {
        assert!(jpeg.starts_with(&[0xff, 0xd8]), "the output is a JPEG");
        let size = image::ImageReader::with_format(std::io::Cursor::new(&jpeg), image::ImageFormat::Jpeg)
            .into_dimensions();
        assert!(size.is_ok_and(|(width, height)| width.max(height) <= 2_048));
    }
}
