//! The orientation of a picture, from its EXIF data.
//!
//! The decoders are not used for this: one of them allocates as many bytes as a chunk declares. This code allocates
//! nothing.

use image::ImageFormat;
use image::metadata::Orientation;

/// EXIF data is at most this long, and in JPEG and PNG it is within the first bytes.
const LIMIT: usize = 64 * 1024;
/// Precedes EXIF data in a JPEG, and for some programs in other formats too.
const PREFIX: &[u8] = b"Exif\0\0";

/// Finds the rotation that makes a picture upright.
pub(super) fn find_orientation(content: &[u8], format: ImageFormat) -> Orientation {
    let exif = match format {
        ImageFormat::Jpeg => in_jpeg(first(content, LIMIT)),
        ImageFormat::Png => in_png(first(content, LIMIT)),
        ImageFormat::WebP => in_webp(content),
        _ => None,
    };
    let exif = exif.map(|exif| first(exif.strip_prefix(PREFIX).unwrap_or(exif), LIMIT));
    exif.and_then(Orientation::from_exif_chunk).unwrap_or(Orientation::NoTransforms)
}

/// The segment APP1 before the first scan.
fn in_jpeg(content: &[u8]) -> Option<&[u8]> {
    const APP1: u8 = 0xe1;
    const START_OF_SCAN: u8 = 0xda;
    let mut rest = content.strip_prefix(&[0xff, 0xd8])?;
    loop {
        let [0xff, marker, length @ ..] = rest else { return None };
        if *marker == 0xff {
            // Padding.
            rest = &rest[1..];
            continue;
        }
        let (length, _) = length.split_first_chunk()?;
        // The length counts its own two bytes.
        let length = usize::from(u16::from_be_bytes(*length)).checked_sub(2)?;
        let segment = rest.get(4..)?;
        match *marker {
            START_OF_SCAN => return None,
            APP1 if segment.starts_with(PREFIX) => return Some(first(segment, length)),
            _ => rest = segment.get(length..)?,
        }
    }
}

/// The chunk `eXIf`.
fn in_png(content: &[u8]) -> Option<&[u8]> {
    const CHECKSUM: usize = 4;
    let mut rest = content.get(8..)?;
    loop {
        let (length, named) = rest.split_first_chunk()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (name, data) = named.split_first_chunk::<4>()?;
        if name == b"eXIf" {
            return Some(first(data, length));
        }
        rest = data.get(length.checked_add(CHECKSUM)?..)?;
    }
}

/// The chunk `EXIF`, which mostly comes last.
fn in_webp(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content.get(12..)?;
    loop {
        let (name, sized) = rest.split_first_chunk::<4>()?;
        let (length, data) = sized.split_first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        if name == b"EXIF" {
            return Some(first(data, length));
        }
        // Chunks begin at even places.
        rest = data.get(length.checked_next_multiple_of(2)?..)?;
    }
}

/// The first bytes, as many as there are.
fn first(bytes: &[u8], most: usize) -> &[u8] {
    &bytes[..bytes.len().min(most)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EXIF data with the orientation "rotated".
    const EXIF: &[u8] = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";

    fn jpeg(length: u16) -> Vec<u8> {
        let app0 = b"\xff\xe0\0\x04ab";
        [b"\xff\xd8", &app0[..], b"\xff\xff\xe1", &length.to_be_bytes(), PREFIX, EXIF].concat()
    }

    fn png(length: u32) -> Vec<u8> {
        let header = b"\0\0\0\x01IHDRxcrc!";
        [b"\x89PNG\r\n\x1a\n", &header[..], &length.to_be_bytes(), b"eXIf", EXIF].concat()
    }

    fn webp(length: u32) -> Vec<u8> {
        let image = b"VP8 \x03\0\0\0abc\0";
        [b"RIFF\0\0\0\0WEBP", &image[..], b"EXIF", &length.to_le_bytes(), EXIF].concat()
    }

    #[test]
    fn the_orientation_of_each_format_is_found() {
        let length = u16::try_from(EXIF.len()).unwrap();
        let app1 = length + 2 + u16::try_from(PREFIX.len()).unwrap();
        for (content, format) in [
            (jpeg(app1), ImageFormat::Jpeg),
            (png(length.into()), ImageFormat::Png),
            (webp(length.into()), ImageFormat::WebP),
        ] {
            assert_eq!(find_orientation(&content, format), Orientation::Rotate90, "{format:?}");
        }
    }

    #[test]
    fn a_length_beyond_the_end_is_truncated() {
        for (content, format) in [
            (jpeg(u16::MAX), ImageFormat::Jpeg),
            (png(u32::MAX), ImageFormat::Png),
            (webp(u32::MAX), ImageFormat::WebP),
        ] {
            assert_eq!(find_orientation(&content, format), Orientation::Rotate90, "{format:?}");
        }
    }

    #[test]
    fn truncated_or_changed_files_do_not_panic() {
        for (content, format) in
            [(jpeg(34), ImageFormat::Jpeg), (png(26), ImageFormat::Png), (webp(26), ImageFormat::WebP)]
        {
            for end in 0..content.len() {
                find_orientation(&content[..end], format);
                for value in [0, 1, 0x7f, 0x80, 0xff] {
                    let mut changed = content.clone();
                    changed[end] = value;
                    find_orientation(&changed, format);
                }
            }
        }
        assert_eq!(find_orientation(b"GIF89a", ImageFormat::Gif), Orientation::NoTransforms);
    }
}
