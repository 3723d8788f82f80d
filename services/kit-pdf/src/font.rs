//! The font, `BIZ UDPGothic`, in two weights.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use krilla::text::Font;
use ttf_parser::Face;

use crate::PdfError;

/// Files of the npm package `@expo-google-fonts/biz-udpgothic`.
const REGULAR: &str = "400Regular/BIZUDPGothic_400Regular.ttf";
const BOLD: &str = "700Bold/BIZUDPGothic_700Bold.ttf";

/// The font in two weights, loaded once for a process.
#[derive(Clone)]
pub struct Fonts {
    regular: Weight,
    bold: Weight,
}

/// One weight.
#[derive(Clone)]
struct Weight {
    font: Font,
    /// The file, for the widths of characters.
    file: Arc<Vec<u8>>,
    path: PathBuf,
}

impl Fonts {
    /// Loads the font from the folder of the npm package `@expo-google-fonts/biz-udpgothic`.
    pub fn load(folder: &Path) -> Result<Self, PdfError> {
        Ok(Self { regular: Weight::load(folder.join(REGULAR))?, bold: Weight::load(folder.join(BOLD))? })
    }

    pub(crate) fn font(&self, is_bold: bool) -> Font {
        if is_bold { self.bold.font.clone() } else { self.regular.font.clone() }
    }

    pub(crate) fn ruler(&self) -> Result<Ruler<'_>, PdfError> {
        Ok(Ruler { regular: self.regular.face()?, bold: self.bold.face()? })
    }
}

impl Weight {
    fn load(path: PathBuf) -> Result<Self, PdfError> {
        let file = Arc::new(fs::read(&path).map_err(|error| PdfError::File(path.clone(), error))?);
        match Font::new(Arc::clone(&file).into(), 0) {
            Some(font) => Ok(Self { font, file, path }),
            None => Err(PdfError::Font(path)),
        }
    }

    fn face(&self) -> Result<Face<'_>, PdfError> {
        Face::parse(&self.file, 0).map_err(|_| PdfError::Font(self.path.clone()))
    }
}

/// Measures text.
pub(crate) struct Ruler<'a> {
    regular: Face<'a>,
    bold: Face<'a>,
}

/// Characters that no line begins with.
const NOT_FIRST: &str =
    "、。，．・：；？！ー）］｝」』】〉》〕”’々ぁぃぅぇぉっゃゅょァィゥェォッャュョ%％円様";

impl Ruler<'_> {
    /// Width of a text in points.
    pub(crate) fn width(&self, text: &str, size: f32, is_bold: bool) -> f32 {
        let face = if is_bold { &self.bold } else { &self.regular };
        let glyphs = text.chars().map(|character| face.glyph_index(character).unwrap_or_default());
        let units: f32 = glyphs.filter_map(|glyph| face.glyph_hor_advance(glyph)).map(f32::from).sum();
        units * size / f32::from(face.units_per_em())
    }

    /// Breaks a text into at most `most` lines of this width. The rest is cut off, with `…` in its place.
    pub(crate) fn wrap(&self, text: &str, size: f32, is_bold: bool, width: f32, most: usize) -> Vec<String> {
        let mut lines = vec![String::new()];
        for character in text.chars() {
            let is_full = lines.len() == most;
            let Some(line) = lines.last_mut() else { break };
            let longer = format!("{line}{character}");
            if self.width(&longer, size, is_bold) <= width {
                *line = longer;
            } else if is_full {
                while !line.is_empty() && self.width(&format!("{line}…"), size, is_bold) > width {
                    line.pop();
                }
                line.push('…');
                break;
            } else {
                // The character before goes along with one that no line begins with.
                let taken = if NOT_FIRST.contains(character) { line.pop() } else { None };
                lines.push(taken.into_iter().chain([character]).collect());
            }
        }
        lines
    }
}
