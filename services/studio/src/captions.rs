//! Captions in `WebVTT`.

use std::fmt::Write as _;

use crate::plan::Slide;

/// Shortest display time of a caption in seconds.
const SHORTEST: u32 = 3;
/// Additional display time for each character, in milliseconds.
const PER_CHARACTER: u32 = 160;

/// Writes captions of the spoken sentences, spread over the time of each slide. Sentences that do not fit in
/// a short slide are left out.
pub(crate) fn vtt(slides: &[Slide]) -> String {
    let mut text = "WEBVTT\n".to_owned();
    for slide in slides {
        let room = usize::try_from(slide.length / SHORTEST).unwrap_or(usize::MAX);
        let said = &slide.said[..slide.said.len().min(room)];
        let count = u32::try_from(said.len()).unwrap_or(1).max(1);
        for (sentence, number) in said.iter().zip(0..) {
            let from = (slide.at * 1000) + slide.length * 1000 * number / count;
            let next = (slide.at * 1000) + slide.length * 1000 * (number + 1) / count;
            let until = next.min(from + reading(sentence));
            let sentence = sentence.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let _ = write!(text, "\n{} --> {}\n{sentence}\n", moment(from), moment(until));
        }
    }
    text
}

/// Time to read a sentence, in milliseconds.
fn reading(sentence: &str) -> u32 {
    SHORTEST * 1000 + u32::try_from(sentence.chars().count()).unwrap_or(0) * PER_CHARACTER
}

/// Formats a timestamp, for example `00:01:02.345`.
fn moment(milliseconds: u32) -> String {
    let seconds = milliseconds / 1000;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}.{:03}", seconds % 60, milliseconds % 1000)
}
