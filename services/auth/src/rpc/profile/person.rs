//! What people type about themselves.

use kit::form::{self, Wrong};
use proto::auth as wire;
use time::OffsetDateTime;

use crate::address::{Address, PREFECTURES};
use crate::error::Error;
use crate::profile::Written;
use crate::rpc::fields::Fields;
use crate::school;

/// The longest name of a school, a city, a town, a building, in characters.
const PLACE_LIMIT: usize = 100;

pub(super) fn read_profile(request: &wire::PutProfileRequest, now: OffsetDateTime) -> Result<Written, Error> {
    let today = school::today(now);
    let mut fields = Fields::default();
    let last_name = fields.read("last_name", form::name(&request.last_name));
    let first_name = fields.read("first_name", form::name(&request.first_name));
    let last_name_kana = fields.read("last_name_kana", form::kana(&request.last_name_kana));
    let first_name_kana = fields.read("first_name_kana", form::kana(&request.first_name_kana));
    let birth_date = fields.read("birth_date", form::birth_date(&request.birth_date, today));
    let school_name = fields.read("school_name", place(&request.school_name));
    let school_year_shift = match (&request.school_year, birth_date) {
        (Some(chosen), Some(birth)) => {
            fields.read("school_year", school::shift(birth, chosen, today).ok_or(Wrong::UnknownChoice))
        }
        _ => Some(0),
    };
    let written = (|| {
        Some(Written {
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
    fields.done(written)
}

pub(super) fn read_address(typed: &wire::Address) -> Result<Address, Error> {
    let mut fields = Fields::default();
    let postal_code = fields.read("postal_code", unless_empty(form::postal_code, &typed.postal_code));
    let prefecture = fields.read("prefecture", unless_empty(prefecture, &typed.prefecture));
    let city = fields.read("city", place(&typed.city));
    let town = fields.read("town", place(&typed.town));
    let building = fields.read("building", place(&typed.building));
    let phone = fields.read("phone", unless_empty(form::phone, &typed.phone));
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
    fields.done(address)
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

fn unless_empty(rule: impl Fn(&str) -> Result<String, Wrong>, typed: &str) -> Result<String, Wrong> {
    match rule(typed) {
        Err(Wrong::Required) => Ok(String::new()),
        read => read,
    }
}

fn prefecture(typed: &str) -> Result<String, Wrong> {
    match typed.trim() {
        "" => Err(Wrong::Required),
        typed if PREFECTURES.contains(&typed) => Ok(typed.to_owned()),
        _ => Err(Wrong::UnknownChoice),
    }
}

/// Free text on one line, which may be empty.
fn place(typed: &str) -> Result<String, Wrong> {
    let typed = typed.trim();
    if typed.chars().any(char::is_control) {
        return Err(Wrong::InvalidFormat);
    }
    if typed.chars().count() > PLACE_LIMIT {
        return Err(Wrong::TooLong);
    }
    Ok(typed.to_owned())
}
