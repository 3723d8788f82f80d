//! Pictures that go with an inquiry: decoded and written anew, so that nothing of what came is kept but what is seen.

mod orientation;

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
/// A picture whose inquiry was not sent yet.
const KEPT_WAITING: Duration = Duration::HOUR;
/// When to come again where there is no room.
const WAIT_FOR_ROOM: std::time::Duration = std::time::Duration::from_mins(10);
/// The advisory lock of pictures in desk's database.
const PICTURE_LOCK: i64 = 0x7069_6374;
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
    let decoder = reader.into_decoder().map_err(|error| unreadable(&error))?;
    let (width, height) = decoder.dimensions();
    // Before a pixel is decoded: some kilobytes may say that they are gigabytes.
    if u64::from(width) * u64::from(height) > PIXELS_LIMIT || decoder.total_bytes() > MEMORY_LIMIT {
        return Err(Error::PictureTooLarge);
    }
    let orientation = orientation::read(content, format);
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

/// How much may be kept at once, by all senders together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ceiling {
    /// Pictures that wait for their inquiry.
    pub(crate) waiting: i64,
    /// Their bytes.
    pub(crate) waiting_bytes: i64,
    /// The bytes of all pictures.
    pub(crate) bytes: i64,
}

/// Refuses a picture of so many bytes where one more is too many.
pub(crate) async fn check_room(
    database: &mut PgConnection,
    bytes: usize,
    ceiling: Ceiling,
) -> Result<(), Error> {
    let kept = sqlx::query!(
        r#"SELECT count(*) FILTER (WHERE contact IS NULL) AS "waiting!",
            COALESCE(sum(octet_length(sealed)) FILTER (WHERE contact IS NULL), 0) AS "waiting_bytes!",
            COALESCE(sum(octet_length(sealed)), 0) AS "bytes!"
        FROM contact_picture"#
    )
    .fetch_one(database)
    .instrument(span("SELECT contact_picture"))
    .await?;
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    let has_room = kept.waiting < ceiling.waiting
        && kept.waiting_bytes.saturating_add(bytes) <= ceiling.waiting_bytes
        && kept.bytes.saturating_add(bytes) <= ceiling.bytes;
    if has_room { Ok(()) } else { Err(Error::RateLimited(WAIT_FOR_ROOM)) }
}

/// Keeps a JPEG, sealed, until an inquiry names it; refused where there is no room. Needs a transaction.
pub(crate) async fn put(
    database: &mut PgConnection,
    id: Uuid,
    jpeg: &[u8],
    seal: &Seal,
    ceiling: Ceiling,
    now: OffsetDateTime,
) -> Result<(), Error> {
    // One at a time, on any replica: what is counted stays so until the row is in.
    sqlx::query!("SELECT pg_advisory_xact_lock($1) IS NULL AS locked", PICTURE_LOCK)
        .fetch_one(&mut *database)
        .instrument(span("SELECT pg_advisory_xact_lock"))
        .await?;
    check_room(database, jpeg.len(), ceiling).await?;
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
        now - KEPT_WAITING,
        most
    )
    .execute(database)
    .instrument(span("DELETE contact_picture"))
    .await?;
    Ok(deleted.rows_affected())
}
