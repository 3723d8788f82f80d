//! Pictures that go with an inquiry: decoded and written anew, so that nothing of what came is kept but what is seen.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits, RgbImage};
use kit::db::span;
use kit::seal::Seal;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;

/// 5 MiB.
pub(crate) const BYTES_LIMIT: usize = 5 * 1024 * 1024;
/// No side is longer, and no picture has more pixels, than any phone's that fits into the bytes above.
const SIDE_LIMIT: u32 = 12_000;
const PIXELS_LIMIT: u64 = 24_000_000;
/// What a decoder may take for one picture, in bytes, whatever the picture says of itself.
const MEMORY_LIMIT: u64 = 128 * 1024 * 1024;
/// A longer side is made this long: still good to read on a screen.
const SIDE_KEPT: u32 = 2_048;
const QUALITY: u8 = 85;
/// A picture of an inquiry that was never written.
const KEPT_ALONE: Duration = Duration::DAY;
/// A picture that went out with its mail: mails are given up after a day.
const KEPT_SENT: Duration = Duration::days(7);

/// The picture in `content` as a JPEG. Takes up to a second and much memory: one at a time, and never where others wait.
pub(crate) fn redraw(content: &[u8]) -> Result<Vec<u8>, Error> {
    if content.len() > BYTES_LIMIT {
        return Err(Error::PictureTooLarge);
    }
    let format = image::guess_format(content).map_err(|_| Error::PictureUnreadable)?;
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP) {
        return Err(Error::PictureUnreadable);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(SIDE_LIMIT);
    limits.max_image_height = Some(SIDE_LIMIT);
    limits.max_alloc = Some(MEMORY_LIMIT);
    let mut reader = ImageReader::with_format(Cursor::new(content), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| unreadable(&error))?;
    let (width, height) = decoder.dimensions();
    // Before a pixel is decoded: some kilobytes may say that they are gigabytes.
    if u64::from(width) * u64::from(height) > PIXELS_LIMIT || decoder.total_bytes() > MEMORY_LIMIT {
        return Err(Error::PictureTooLarge);
    }
    let orientation = decoder.orientation().map_err(|error| unreadable(&error))?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|error| unreadable(&error))?;
    if width.max(height) > SIDE_KEPT {
        picture = picture.thumbnail(SIDE_KEPT, SIDE_KEPT);
    }
    picture.apply_orientation(orientation);
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, QUALITY)
        .encode_image(&on_white(&picture))
        .map_err(|_| Error::PictureUnreadable)?;
    Ok(jpeg)
}

fn unreadable(error: &image::ImageError) -> Error {
    match error {
        image::ImageError::Limits(_) => Error::PictureTooLarge,
        _ => Error::PictureUnreadable,
    }
}

/// A JPEG has nothing to see through.
fn on_white(picture: &DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let seen = picture.to_rgba8();
    RgbImage::from_fn(seen.width(), seen.height(), |x, y| {
        let [red, green, blue, alpha] = seen.get_pixel(x, y).0.map(u32::from);
        let mixed =
            |colour: u32| u8::try_from((colour * alpha + 255 * (255 - alpha)) / 255).unwrap_or(u8::MAX);
        image::Rgb([mixed(red), mixed(green), mixed(blue)])
    })
}

/// Keeps a JPEG, sealed, until an inquiry names it.
pub(crate) async fn put(
    database: &mut PgConnection,
    id: Uuid,
    jpeg: &[u8],
    seal: &Seal,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let sealed = seal.seal(&id.to_string(), jpeg).map_err(|_| Error::Sealing)?;
    sqlx::query!("INSERT INTO contact_picture (id, created, sealed) VALUES ($1, $2, $3)", id, now, sealed)
        .execute(database)
        .instrument(span("INSERT contact_picture"))
        .await?;
    Ok(())
}

/// The JPEG of a picture that no inquiry has named yet.
pub(crate) async fn get(
    database: &mut PgConnection,
    id: Uuid,
    seal: &Seal,
) -> Result<Option<Vec<u8>>, Error> {
    let sealed =
        sqlx::query_scalar!("SELECT sealed FROM contact_picture WHERE id = $1 AND contact IS NULL", id)
            .fetch_optional(database)
            .instrument(span("SELECT contact_picture"))
            .await?;
    sealed.map(|sealed| seal.open(&id.to_string(), &sealed).map_err(|_| Error::Sealing)).transpose()
}

/// Gives a picture to an inquiry. False where another has it, or it is forgotten.
pub(crate) async fn attach(database: &mut PgConnection, id: Uuid, contact: Uuid) -> sqlx::Result<bool> {
    let updated = sqlx::query!(
        "UPDATE contact_picture SET contact = $2 WHERE id = $1 AND contact IS NULL",
        id,
        contact
    )
    .execute(database)
    .instrument(span("UPDATE contact_picture"))
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Forgets at most `most` of the pictures that are no longer needed; gives how many.
pub(crate) async fn sweep(database: &mut PgConnection, now: OffsetDateTime, most: i64) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "DELETE FROM contact_picture WHERE id IN (SELECT id FROM contact_picture \
         WHERE created < $1 OR (created < $2 AND contact IS NULL) LIMIT $3 FOR UPDATE SKIP LOCKED)",
        now - KEPT_SENT,
        now - KEPT_ALONE,
        most
    )
    .execute(database)
    .instrument(span("DELETE contact_picture"))
    .await?;
    Ok(deleted.rows_affected())
}
