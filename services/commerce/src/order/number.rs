//! Order numbers, for people.

use time::Date;
use uuid::Uuid;

/// Digits and letters that are easy to tell apart.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/// Characters after the day: 33 million numbers a day.
const LENGTH: u32 = 5;

/// Makes an order number, e.g. `KM-261125-7Q4F2`: the date in Japan and five characters from the
/// random bits of a UUID.
pub(crate) fn make_number(random: Uuid, day: Date) -> String {
    let random = random.as_u128();
    let character = |place: u32| char::from(ALPHABET[(random >> (5 * place) & 31) as usize]);
    let suffix: String = (0..LENGTH).map(character).collect();
    format!("KM-{:02}{:02}{:02}-{suffix}", day.year() % 100, u8::from(day.month()), day.day())
}
