//! Pictures that people upload. Each is decoded and encoded again, so that only the pixels remain.

#![warn(missing_docs)]

mod orientation;

use std::io::Cursor;
use std::sync::Arc;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits, RgbImage};
use tokio::sync::Semaphore;

/// Largest upload: 5 MiB.
pub const BYTES_LIMIT: usize = 5 * 1024 * 1024;
/// Longest side in pixels, and most pixels. Photos of phones below 5 MiB stay within them.
const SIDE_LIMIT: u32 = 12_000;
const PIXELS_LIMIT: u64 = 24_000_000;
/// Memory limit of the decoder for one picture, in bytes.
const MEMORY_LIMIT: u64 = 128 * 1024 * 1024;
/// Pictures are scaled down to this side length in pixels.
const STORED_SIDE: u32 = 2_048;
const QUALITY: u8 = 85;

/// Why a picture is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// More bytes or pixels than allowed.
    #[error("the picture is too large")]
    TooLarge,
    /// Neither PNG, JPEG nor WebP, or damaged.
    #[error("the picture cannot be read")]
    Unreadable,
}

/// Converts one picture at a time, off the threads of the runtime.
#[derive(Clone)]
pub struct Converter(Arc<Semaphore>);

impl Default for Converter {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }
}

impl Converter {
    /// Converts a picture to a JPEG. See [`convert_to_jpeg`].
    ///
    /// # Errors
    ///
    /// [`PictureError`]; a panic of the decoder means that the picture is unreadable.
    pub async fn convert(&self, content: Vec<u8>) -> Result<Vec<u8>, PictureError> {
        if content.len() > BYTES_LIMIT {
            return Err(PictureError::TooLarge);
        }
        // The task owns the permit: a client that disconnects does not release it before the conversion ends.
        let permit = self.0.clone().acquire_owned().await.map_err(|_| PictureError::Unreadable)?;
        let conversion = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            convert_to_jpeg(&content)
        });
        conversion.await.map_err(|_| PictureError::Unreadable)?
    }
}

/// Converts a picture to a JPEG. Takes up to a second and 128 MiB: run one at a time, on a blocking thread.
pub fn convert_to_jpeg(content: &[u8]) -> Result<Vec<u8>, PictureError> {
    if content.len() > BYTES_LIMIT {
        return Err(PictureError::TooLarge);
    }
    let format = image::guess_format(content).map_err(|_| PictureError::Unreadable)?;
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP) {
        return Err(PictureError::Unreadable);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(SIDE_LIMIT);
    limits.max_image_height = Some(SIDE_LIMIT);
    limits.max_alloc = Some(MEMORY_LIMIT);
    let mut reader = ImageReader::with_format(Cursor::new(content), format);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(|error| decode_error(&error))?;
    let (width, height) = decoder.dimensions();
    // Checked before decoding: a small file may declare a huge picture.
    if u64::from(width) * u64::from(height) > PIXELS_LIMIT || decoder.total_bytes() > MEMORY_LIMIT {
        return Err(PictureError::TooLarge);
    }
    let orientation = orientation::find_orientation(content, format);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|error| decode_error(&error))?;
    if width.max(height) > STORED_SIDE {
        picture = picture.thumbnail(STORED_SIDE, STORED_SIDE);
    }
    picture.apply_orientation(orientation);
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, QUALITY)
        .encode_image(&blend_with_white(&picture))
        .map_err(|_| PictureError::Unreadable)?;
    Ok(jpeg)
}

fn decode_error(error: &image::ImageError) -> PictureError {
    match error {
        image::ImageError::Limits(_) => PictureError::TooLarge,
        _ => PictureError::Unreadable,
    }
}

/// Blends transparent pixels with white; a JPEG has no transparency.
fn blend_with_white(picture: &DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let pixels = picture.to_rgba8();
    RgbImage::from_fn(pixels.width(), pixels.height(), |x, y| {
        let [red, green, blue, alpha] = pixels.get_pixel(x, y).0.map(u32::from);
        let mixed =
            |colour: u32| u8::try_from((colour * alpha + 255 * (255 - alpha)) / 255).unwrap_or(u8::MAX);
        image::Rgb([mixed(red), mixed(green), mixed(blue)])
    })
}
