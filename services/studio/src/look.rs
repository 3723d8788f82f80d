//! The layouts of printable pages.

/// The layout of a kind of page.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    /// Kind, used as file name.
    pub(crate) kind: &'static str,
    /// Width of its pictures in pixels.
    pub(crate) pixels: u16,
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) margin: f32,
    pub(crate) heading: f32,
    pub(crate) text: f32,
    /// Whether the spoken text is printed below the content.
    pub(crate) is_told: bool,
}

/// A4, portrait.
const TEXTBOOK: Look = Look {
    kind: "textbook",
    pixels: 840,
    width: 595.0,
    height: 842.0,
    margin: 56.0,
    heading: 22.0,
    text: 14.0,
    is_told: true,
};
/// Same aspect ratio as the video.
const WHITEBOARD: Look = Look {
    kind: "whiteboard",
    pixels: 960,
    width: 960.0,
    height: 540.0,
    margin: 64.0,
    heading: 32.0,
    text: 24.0,
    is_told: false,
};

/// The kinds of pages of each lesson.
pub(crate) const LOOKS: [Look; 2] = [TEXTBOOK, WHITEBOARD];
