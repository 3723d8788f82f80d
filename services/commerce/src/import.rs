//! Imports products and coupons from a folder of content, on disk or in an archive:
//! `products.yaml`, `coupons.yaml` and, for a demo, `coupon-holders.yaml`.
//!
//! The folder is parsed and checked first. If it has faults, all of them are reported and nothing
//! changes. Otherwise everything is written in one transaction. A second run changes nothing. An
//! import adds and changes products. A stored product that is missing in the folder is a fault,
//! because orders and inventories refer to it: end its sale instead.

mod coupons;
mod holders;

use kit::Failure;
use kit::clock::Clock;
use kit_content::{Difference, Faults, File, Folder, Source, date_time, record};
use kit_db::Pool;
use kit_db::outbox::Outbox;
use serde::Deserialize;
use serde_saphyr::Spanned;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};

use crate::continuous_service;
use crate::coupon::Coupon;
use crate::price_list;
use crate::product::{self, Kind, Product};
use holders::CouponHolder;

const FILE: &str = "products.yaml";
/// Plausible prices in yen.
const PRICES: std::ops::RangeInclusive<i32> = 1..=1_000_000;
/// Plausible numbers of places of an exam. With 0, no seat is sold.
const PLACES: std::ops::RangeInclusive<i32> = 0..=100_000;
/// Plausible access periods in days: up to ten years.
const PERIODS: std::ops::RangeInclusive<i32> = 1..=3_660;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProductsFile {
    products: Spanned<Vec<Entry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: Spanned<i64>,
    kind: Spanned<String>,
    course: Option<Spanned<i64>>,
    name: Spanned<String>,
    summary: Spanned<String>,
    description: Spanned<String>,
    price: Spanned<i32>,
    period_days: Option<Spanned<i32>>,
    /// Whether it teaches by a person, and is therefore a 特定継続的役務 above the limits of the law.
    continuous_service: Option<Spanned<bool>>,
    /// First day of the sale.
    sale_starts: Spanned<String>,
    /// Last day of the sale.
    sale_ends: Option<Spanned<String>>,
    /// For an exam seat: the exam, the number of seats for sale, and the last day of the
    /// application.
    exam: Option<Spanned<i64>>,
    places: Option<Spanned<i32>>,
    application_closes: Option<Spanned<String>>,
}

/// Imports a folder, publishes the price list and returns the changes. A dry run rolls all of it
/// back.
///
/// # Errors
///
/// Every fault of the folder, as `file:line: field: reason`.
pub async fn import_folder(
    pool: &Pool,
    outbox: &Outbox,
    clock: &Clock,
    source: impl Into<Source>,
    dry_run: bool,
) -> Result<Difference, Failure> {
    let Source { folder, version } = source.into();
    let content = parse_folder(&folder)?;
    let mut transaction = pool.begin().await?;
    record::lock_imports(&mut transaction).await?;
    let mut difference = Difference::default();
    apply_products(&mut transaction, &content.products, &mut difference).await?;
    coupons::apply(&mut transaction, &content.coupons, &mut difference).await?;
    holders::apply(&mut transaction, &content.holders, clock.now()).await?;
    record::add(&mut transaction, version.as_ref(), clock.now()).await?;
    price_list::publish(&mut transaction, outbox, clock.now()).await?;
    if dry_run {
        transaction.rollback().await?;
    } else {
        transaction.commit().await?;
    }
    Ok(difference)
}

async fn apply_products(
    connection: &mut PgConnection,
    products: &[Product],
    difference: &mut Difference,
) -> Result<(), Failure> {
    let before = product::list_all(connection).await?;
    let mut faults = Faults::default();
    for old in before.iter().filter(|old| !products.iter().any(|new| new.id == old.id)) {
        let reason =
            format!("{} ({}) is among the products and no longer here; let its sale end", old.id, old.name);
        faults.add_whole(FILE, "products", reason);
    }
    faults.into_result()?;
    for new in products {
        let old = before.iter().find(|old| old.id == new.id);
        if difference.note("product", new.id, &new.name, old, new) {
            product::put_product(connection, new).await?;
        }
    }
    Ok(())
}

/// The content of a folder.
pub(crate) struct Content {
    products: Vec<Product>,
    coupons: Vec<Coupon>,
    holders: Vec<CouponHolder>,
}

pub(crate) fn parse_folder(folder: &Folder) -> Result<Content, Faults> {
    let mut faults = Faults::default();
    let products = parse_products(folder, &mut faults);
    let coupons = coupons::parse(folder, &products, &mut faults);
    let holders = holders::parse(folder, &coupons, &mut faults);
    faults.into_result()?;
    Ok(Content { products, coupons, holders })
}

fn parse_products(folder: &Folder, faults: &mut Faults) -> Vec<Product> {
    let mut products: Vec<Product> = Vec::new();
    let mut file = File { name: FILE, faults };
    if let Some(ProductsFile { products: entries }) = file.read_document(folder) {
        let mut taken = Vec::new();
        for entry in file.some(entries, "products") {
            let course = entry.course.clone();
            let product = check_entry(&mut file, entry, &mut taken);
            let other = products.iter().find(|other| other.competes_with(&product));
            if let (Some(course), Some(other)) = (course, other) {
                let reason = format!("{} is sold as {} at the same time", course.value, other.id);
                file.fault(&course, "course", reason);
            }
            products.push(product);
        }
    }
    products
}

fn check_entry(file: &mut File<'_>, entry: Entry, taken: &mut Vec<i64>) -> Product {
    let id = file.id(&entry.id, taken);
    let named = Kind::ALL.into_iter().find(|kind| kind.name() == entry.kind.value);
    let kind = named.unwrap_or(Kind::Interview);
    if named.is_some() {
        check_course(file, &entry, kind);
        check_exam_seat(file, &entry, kind);
    }
    file.one_of(entry.kind, "kind", &Kind::ALL.map(Kind::name));
    if !PRICES.contains(&entry.price.value) {
        file.fault(&entry.price, "price", "is not 1 to 1,000,000 yen");
    }
    if let Some(days) = &entry.period_days {
        if kind == Kind::Subscription {
            file.fault(days, "period_days", "a subscription is paid by the month");
        } else if !PERIODS.contains(&days.value) {
            file.fault(days, "period_days", "is not 1 to 3,660 days");
        }
    }
    let starts = parse_day(file, &entry.sale_starts, "sale_starts");
    let last = entry.sale_ends.as_ref().and_then(|last| Some((last, parse_day(file, last, "sale_ends")?)));
    if let (Some(first), Some((last, day))) = (starts, last)
        && day < first
    {
        file.fault(last, "sale_ends", "is before sale_starts");
    }
    let closes = entry.application_closes.as_ref();
    let closes_on = closes.and_then(|closes| parse_day(file, closes, "application_closes"));
    if let (Some(closes), Some(day)) = (closes, closes_on) {
        if starts.is_some_and(|first| day < first) {
            file.fault(closes, "application_closes", "is before sale_starts");
        }
        if let Some((last, _)) = last.filter(|(_, last)| *last > day) {
            file.fault(last, "sale_ends", "is after application_closes");
        }
    }
    if let Some(service) = entry.continuous_service.as_ref().filter(|service| service.value)
        && kind != Kind::Course
    {
        file.fault(service, "continuous_service", "only a course can be one");
    }
    let is_seat = kind == Kind::ExamSeat;
    let period_days = entry.period_days.map(|days| days.value);
    let closes_at = closes_on.map(|day| day + Duration::DAY).filter(|_| is_seat);
    Product {
        id,
        kind,
        name: file.text(entry.name, "name"),
        summary: file.text(entry.summary, "summary"),
        description: file.text(entry.description, "description"),
        price: entry.price.value,
        period_days,
        course_id: entry.course.filter(|_| kind == Kind::Course).map(|course| course.value),
        // The first day is missing only after a fault.
        sale_starts_at: starts.unwrap_or(OffsetDateTime::UNIX_EPOCH),
        sale_ends_at: last.map(|(_, day)| day + Duration::DAY).or(closes_at),
        exam_id: entry.exam.filter(|_| is_seat).map(|exam| exam.value),
        places: entry.places.filter(|_| is_seat).map(|places| places.value),
        application_closes_at: closes_at,
        is_continuous_service: entry.continuous_service.is_some_and(|service| service.value)
            && continuous_service::is_over_two_months(period_days),
    }
}

/// Checks that a product of kind course, and no other, names its course.
fn check_course(file: &mut File<'_>, entry: &Entry, kind: Kind) {
    match &entry.course {
        Some(course) if kind != Kind::Course => {
            file.fault(course, "course", "only a course's product has one");
        }
        Some(course) if course.value < 1 => file.fault(course, "course", "is not positive"),
        None if kind == Kind::Course => file.fault(&entry.kind, "course", "is missing"),
        _ => {}
    }
}

/// Checks that an exam seat, and no other product, names its exam, its number of places and the
/// last day of the application.
fn check_exam_seat(file: &mut File<'_>, entry: &Entry, kind: Kind) {
    if kind == Kind::ExamSeat {
        let missing = [
            ("exam", entry.exam.is_none()),
            ("places", entry.places.is_none()),
            ("application_closes", entry.application_closes.is_none()),
        ];
        for (field, _) in missing.into_iter().filter(|(_, is_missing)| *is_missing) {
            file.fault(&entry.kind, field, "is missing");
        }
        if let Some(days) = &entry.period_days {
            file.fault(days, "period_days", "an exam is sat once");
        }
    }
    if let Some(exam) = &entry.exam {
        if kind != Kind::ExamSeat {
            file.fault(exam, "exam", "only an exam seat has one");
        } else if exam.value < 1 {
            file.fault(exam, "exam", "is not positive");
        }
    }
    if let Some(places) = &entry.places {
        if kind != Kind::ExamSeat {
            file.fault(places, "places", "only an exam seat has them");
        } else if !PLACES.contains(&places.value) {
            file.fault(places, "places", "is not 0 to 100,000");
        }
    }
    if let Some(closes) = &entry.application_closes
        && kind != Kind::ExamSeat
    {
        file.fault(closes, "application_closes", "only an exam seat has it");
    }
}

/// Parses a day and returns its start in Tokyo. An invalid day is a fault and `None`.
fn parse_day(file: &mut File<'_>, text: &Spanned<String>, field: &str) -> Option<OffsetDateTime> {
    date_time::parse_day(&text.value).map_err(|reason| file.fault(text, field, reason)).ok()
}
