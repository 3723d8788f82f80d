//! Decoding of the profile and the address that an owner types.

use forms::Wrong;
use proto::auth as wire;
use time::OffsetDateTime;

use crate::address::{Address, PREFECTURES};
use crate::error::Error;
use crate::profile::ProfileUpdate;
use crate::rpc::fields::Fields;
use crate::school;

/// Maximum length of the name of a school, a city, a town or a building, in characters.
const PLACE_LIMIT: usize = 100;

pub(super) fn decode_profile(
    request: &wire::PutProfileRequest,
    now: OffsetDateTime,
) -> Result<ProfileUpdate, Error> {
    let today = school::today(now);
    let mut fields = Fields::default();
    let last_name = fields.check("last_name", forms::name(&request.last_name));
    let first_name = fields.check("first_name", forms::name(&request.first_name));
    let last_name_kana = fields.check("last_name_kana", forms::kana(&request.last_name_kana));
    let first_name_kana = fields.check("first_name_kana", forms::kana(&request.first_name_kana));
    let birth_date = fields.check("birth_date", forms::birth_date(&request.birth_date, today));
    let school_name = fields.check("school_name", parse_place(&request.school_name));
    let school_year_shift = match (&request.school_year, birth_date) {
        (Some(chosen), Some(birth)) => fields
            .check("school_year", school::compute_shift(birth, chosen, today).ok_or(Wrong::UnknownChoice)),
        _ => Some(0),
    };
    let update = (|| {
        Some(ProfileUpdate {
            last_name: last_name?,
            first_name: first_name?,
            last_name_kana: last_name_kana?,
            first_name_kana: first_name_kana?,
            birth_date: Some(birth_date?),
            school_year_shift: school_year_shift?,
            school_name: school_name?,
            news: request.news,
        })
    })();
    fields.finish(update)
}

pub(super) fn decode_address(typed: &wire::Address) -> Result<Address, Error> {
    let mut fields = Fields::default();
    let postal_code = fields.check("postal_code", parse_optional(forms::postal_code, &typed.postal_code));
    let prefecture = fields.check("prefecture", parse_optional(parse_prefecture, &typed.prefecture));
    let city = fields.check("city", parse_place(&typed.city));
    let town = fields.check("town", parse_place(&typed.town));
    let building = fields.check("building", parse_place(&typed.building));
    let phone = fields.check("phone", parse_optional(forms::phone, &typed.phone));
    let address = (|| {
        Some(Address {
            postal_code: postal_code?,
            prefecture: prefecture?,
            city: city?,
            town: town?,
            building: building?,
            phone: phone?,
        })
    })();
    fields.finish(address)
}

pub(super) fn encode_address(address: Address) -> wire::Address {
    wire::Address {
        postal_code: address.postal_code,
        prefecture: address.prefecture,
        city: address.city,
        town: address.town,
        building: address.building,
        phone: address.phone,
    }
}

fn parse_optional(rule: impl Fn(&str) -> Result<String, Wrong>, typed: &str) -> Result<String, Wrong> {
    match rule(typed) {
        Err(Wrong::Required) => Ok(String::new()),
        read => read,
    }
}

fn parse_prefecture(typed: &str) -> Result<String, Wrong> {
    match typed.trim() {
        "" => Err(Wrong::Required),
        typed if PREFECTURES.contains(&typed) => Ok(typed.to_owned()),
        _ => Err(Wrong::UnknownChoice),
    }
}

/// Parses one line of free text, which may be empty.
fn parse_place(typed: &str) -> Result<String, Wrong> {
    let typed = typed.trim();
    if typed.chars().any(char::is_control) {
        return Err(Wrong::InvalidFormat);
    }
    if typed.chars().count() > PLACE_LIMIT {
        return Err(Wrong::TooLong);
    }
    Ok(typed.to_owned())
}
