//! The browser of the site's tests.

use std::path::{Path, PathBuf};

use tooling::command::find_program;
use tooling::failure::{Outcome, fail};

use super::{Session, debian};

/// The headless build of Chromium. It opens pages in half the time.
const SHELL: &str = "chromium-headless-shell";
/// Other names of Chromium.
const OTHERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// Fonts for Japanese text.
const FONTS: &str = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc";
/// Debian's package of the fonts.
const FONTS_PACKAGE: &str = "fonts-noto-cjk";

impl Session {
    /// Returns the path of Chromium. If there is no headless build, installs Debian's package if permitted.
    pub(super) async fn browser(&mut self) -> Outcome<PathBuf> {
        let found = || find_program(SHELL).or_else(|| OTHERS.iter().find_map(|name| find_program(name)));
        let has_fonts = || Path::new(FONTS).exists();
        if debian::can_install()
            && (find_program(SHELL).is_none() || !has_fonts())
            && self.install_debian(&[FONTS_PACKAGE, SHELL]).await.is_err()
            && (found().is_none() || !has_fonts())
        {
            // Without a headless build in Debian, the full one.
            self.install_debian(&[FONTS_PACKAGE, OTHERS[0]]).await?;
        }
        match found() {
            Some(chromium) => Ok(chromium),
            None => fail(
                "there is no Chromium: install it (Debian: apt-get install chromium-headless-shell fonts-noto-cjk)",
            ),
        }
    }
}
