//! Renders drawings as pixels, and encodes them as PNG with a palette: a page of text is a fifth of the size
//! of true colour.

use std::cmp::Reverse;
use std::collections::HashMap;

use png::{BitDepth, ColorType, DeflateCompression, Encoder, Filter};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::Outcome;

/// Red, green, blue.
type Colour = [u8; 3];

/// Largest difference of red, green and blue at which two colours count as the same.
const NEAR: u8 = 18;

/// Parses an SVG drawing.
pub(crate) fn tree(svg: &str, options: &Options<'_>) -> Outcome<Tree> {
    Ok(Tree::from_str(svg, options)?)
}

/// Renders a drawing with this width in pixels.
pub(crate) fn pixmap(tree: &Tree, width: u16) -> Outcome<Pixmap> {
    let size = tree.size().to_int_size().scale_to_width(width.into()).ok_or("no pixels")?;
    let mut pixmap = Pixmap::new(size.width(), size.height()).ok_or("no pixels")?;
    // The last row may be drawn only in part: the background is white.
    pixmap.fill(Color::WHITE);
    let scale = f32::from(width) / tree.size().width();
    resvg::render(tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Ok(pixmap)
}

/// Encodes pixels as PNG with a palette of their most frequent colours. Other colours, at the edges of
/// letters, become the nearest of these.
pub(crate) fn png(pixmap: &Pixmap) -> Outcome<Vec<u8>> {
    let pixels = pixmap.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
    // Most pixels equal the one before: colours are counted by runs.
    let mut runs: Vec<(Colour, usize)> = Vec::new();
    for pixel in pixels {
        match runs.last_mut() {
            Some((colour, length)) if *colour == pixel => *length += 1,
            _ => runs.push((pixel, 1)),
        }
    }
    let (palette, places) = palette(&runs);
    let mut indexes = Vec::new();
    for (colour, length) in &runs {
        indexes.resize(indexes.len() + length, places[colour]);
    }
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_deflate_compression(DeflateCompression::Level(4));
    encoder.set_filter(Filter::NoFilter);
    encoder.write_header()?.write_image_data(&indexes)?;
    Ok(bytes)
}

/// Returns the palette, most frequent colours first, and the palette index of each colour.
fn palette(runs: &[(Colour, usize)]) -> (Vec<Colour>, HashMap<Colour, u8>) {
    let mut counts: HashMap<Colour, usize> = HashMap::new();
    for (colour, length) in runs {
        *counts.entry(*colour).or_default() += length;
    }
    let mut colours: Vec<_> = counts.into_iter().map(|(colour, count)| (Reverse(count), colour)).collect();
    colours.sort_unstable();
    let (mut palette, mut places) = (Vec::<Colour>::new(), HashMap::new());
    for (_, colour) in colours {
        let nearest = palette.iter().zip(0..=u8::MAX).min_by_key(|(kept, _)| distance(**kept, colour));
        let place = match nearest {
            Some((kept, place)) if distance(*kept, colour) <= NEAR || palette.len() == 256 => place,
            _ => {
                palette.push(colour);
                u8::try_from(palette.len() - 1).unwrap_or(u8::MAX)
            }
        };
        places.insert(colour, place);
    }
    (palette, places)
}

/// Distance of two colours: the largest difference of red, green or blue.
fn distance(one: Colour, other: Colour) -> u8 {
    one.into_iter().zip(other).map(|(one, other)| one.abs_diff(other)).max().unwrap_or_default()
}
