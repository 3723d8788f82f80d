//! Valid file names. No valid name leads out of a folder.

/// The allowed file name extensions and their media types.
const KINDS: [(&str, &str); 11] = [
    ("m3u8", "application/vnd.apple.mpegurl"),
    ("mp4", "video/mp4"),
    ("m4s", "video/iso.segment"),
    ("ts", "video/mp2t"),
    ("aac", "audio/aac"),
    ("key", "application/octet-stream"),
    ("vtt", "text/vtt; charset=utf-8"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("webp", "image/webp"),
    ("json", "application/json"),
];

/// Returns the media type of the file at `path`, or `None` if the name is not valid. A valid name has
/// lower-case letters, digits, `-` and `_` between slashes, and an allowed extension.
pub(super) fn find_media_type(path: &str) -> Option<&'static str> {
    let (stem, ending) = path.rsplit_once('.')?;
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    let is_safe = stem.split('/').all(|step| !step.is_empty() && step.bytes().all(is_plain));
    KINDS.iter().find(|(kind, _)| is_safe && *kind == ending).map(|(_, media_type)| *media_type)
}

#[cfg(test)]
mod tests {
    use super::find_media_type;

    #[test]
    fn a_file_is_called_by_plain_steps_and_a_known_ending() {
        for (path, media_type) in [
            ("lesson/1/master.m3u8", "application/vnd.apple.mpegurl"),
            ("lesson/1/360p/0.m4s", "video/iso.segment"),
            ("lesson/1/360p/0.ts", "video/mp2t"),
            ("lesson/1/aes-128.key", "application/octet-stream"),
            ("poster_2-a.png", "image/png"),
        ] {
            assert_eq!(find_media_type(path), Some(media_type), "{path}");
        }
        let junk = [
            "",
            ".mp4",
            "a",
            "a.",
            "a.exe",
            "a.MP4",
            "A.mp4",
            "a.tar.mp4",
            "a b.mp4",
            "a\0.mp4",
            "a\\b.mp4",
            "/a.mp4",
            "a//b.mp4",
            "a/.mp4",
            "./a.mp4",
            "../a.mp4",
            "a/../b.mp4",
            "a/..",
            "a.mp4/",
            "a%2fb.mp4",
            "講義.mp4",
            "a.mp4\n",
        ];
        for path in junk {
            assert_eq!(find_media_type(path), None, "{path:?}");
        }
    }
}
