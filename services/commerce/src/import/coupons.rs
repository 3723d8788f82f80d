//! Coupons, from `coupons.yaml`. The file is optional. A stored coupon that is missing in it is a
//! fault, because orders refer to it: end it instead.

use kit::Failure;
use kit_content::{Difference, Faults, File, Folder};
use serde::Deserialize;
use serde_saphyr::Spanned;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};

use super::parse_day;
use crate::coupon::{Coupon, catalogue};
use crate::discount::Discount;
use crate::product::{Kind, Product};

const FILE: &str = "coupons.yaml";
/// Plausible amounts in yen.
const AMOUNTS: std::ops::RangeInclusive<i32> = 1..=1_000_000;
/// Plausible limits of uses.
const USES: std::ops::RangeInclusive<i32> = 1..=1_000_000;
/// The minimum length of a code, so it is hard to guess.
const CODE_LEAST: usize = 6;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CouponsFile {
    coupons: Spanned<Vec<Entry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: Spanned<i64>,
    code: Spanned<String>,
    name: Spanned<String>,
    description: Spanned<String>,
    percent: Option<Spanned<i32>>,
    cap: Option<Spanned<i32>>,
    fixed: Option<Spanned<i32>>,
    minimum: Option<Spanned<i32>>,
    /// First day.
    starts: Spanned<String>,
    /// Last day.
    ends: Option<Spanned<String>>,
    #[serde(default)]
    products: Vec<Spanned<i64>>,
    #[serde(default)]
    product_kinds: Vec<Spanned<String>>,
    #[serde(default)]
    first_order_only: bool,
    #[serde(default)]
    public: bool,
    per_account: Option<Spanned<i32>>,
    total_uses: Option<Spanned<i32>>,
}

/// Parses the file, if there is one, and checks it against the products of the folder.
pub(super) fn parse(folder: &Folder, products: &[Product], faults: &mut Faults) -> Vec<Coupon> {
    if !folder.has(FILE) {
        return Vec::new();
    }
    let mut file = File { name: FILE, faults };
    let Some(CouponsFile { coupons: entries }) = file.read_document(folder) else { return Vec::new() };
    let mut coupons: Vec<Coupon> = Vec::new();
    let mut taken = Vec::new();
    for entry in file.some(entries, "coupons") {
        let code = entry.code.clone();
        let coupon = check_entry(&mut file, entry, products, &mut taken);
        if coupons.iter().any(|other| other.code == coupon.code) {
            file.fault(&code, "code", format!("{} is there twice", coupon.code));
        }
        coupons.push(coupon);
    }
    coupons
}

/// Writes the coupons that are new or differ.
pub(super) async fn apply(
    connection: &mut PgConnection,
    coupons: &[Coupon],
    difference: &mut Difference,
) -> Result<(), Failure> {
    let before = catalogue::list_all(connection).await?;
    let mut faults = Faults::default();
    for old in &before {
        let about = format!("{} ({})", old.id, old.code);
        match coupons.iter().find(|new| new.id == old.id) {
            None => {
                let reason = format!("{about} is among the coupons and no longer here; let it end");
                faults.add_whole(FILE, "coupons", reason);
            }
            // A cart holds at most one coupon of each kind.
            Some(new) if new.discount.kind() != old.discount.kind() => {
                let reason = format!("{about} is of another kind; let it end, and add a new one");
                faults.add_whole(FILE, new.discount.kind(), reason);
            }
            Some(_) => {}
        }
    }
    faults.into_result()?;
    for new in coupons {
        let old = before.iter().find(|old| old.id == new.id);
        if difference.note("coupon", new.id, &new.code, old, new) {
            catalogue::put_coupon(connection, new).await?;
        }
    }
    Ok(())
}

fn check_entry(file: &mut File<'_>, entry: Entry, products: &[Product], taken: &mut Vec<i64>) -> Coupon {
    let id = file.id(&entry.id, taken);
    check_code(file, &entry.code);
    let discount = check_discount(file, &entry);
    check_scope(file, &entry, products);
    for (limit, field, range) in [
        (&entry.minimum, "minimum", AMOUNTS),
        (&entry.per_account, "per_account", USES),
        (&entry.total_uses, "total_uses", USES),
    ] {
        if let Some(limit) = limit.as_ref().filter(|limit| !range.contains(&limit.value)) {
            file.fault(limit, field, "is not 1 to 1,000,000");
        }
    }
    let starts = parse_day(file, &entry.starts, "starts");
    let last = entry.ends.as_ref().and_then(|last| Some((last, parse_day(file, last, "ends")?)));
    if let (Some(first), Some((last, day))) = (starts, last)
        && day < first
    {
        file.fault(last, "ends", "is before starts");
    }
    let mut product_ids: Vec<i64> = entry.products.iter().map(|product| product.value).collect();
    product_ids.sort_unstable();
    product_ids.dedup();
    let named = |kind: &Kind| entry.product_kinds.iter().any(|name| name.value == kind.name());
    Coupon {
        id,
        discount,
        minimum: entry.minimum.map(|minimum| minimum.value),
        // The first day is missing only after a fault.
        starts_at: starts.unwrap_or(OffsetDateTime::UNIX_EPOCH),
        ends_at: last.map(|(_, day)| day + Duration::DAY),
        product_ids,
        product_kinds: Kind::ALL.into_iter().filter(named).collect(),
        is_first_order_only: entry.first_order_only,
        is_public: entry.public,
        per_account: entry.per_account.map_or(1, |limit| limit.value),
        total_uses: entry.total_uses.map(|limit| limit.value),
        code: entry.code.value,
        name: file.text(entry.name, "name"),
        description: file.text(entry.description, "description"),
    }
}

/// Checks that a code is in the normalised form that typed codes are compared with.
fn check_code(file: &mut File<'_>, code: &Spanned<String>) {
    let is_plain = code.value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !is_plain || forms::coupon_code(&code.value).as_deref() != Ok(&code.value) {
        file.fault(code, "code", "is not of capital letters, digits and hyphens, up to 32");
    } else if code.value.len() < CODE_LEAST {
        file.fault(code, "code", "is shorter than 6 characters");
    }
}

fn check_discount(file: &mut File<'_>, entry: &Entry) -> Discount {
    match (&entry.percent, &entry.fixed) {
        (Some(percent), None) => {
            if !(1..=100).contains(&percent.value) {
                file.fault(percent, "percent", "is not 1 to 100");
            }
            if let Some(cap) = entry.cap.as_ref().filter(|cap| !AMOUNTS.contains(&cap.value)) {
                file.fault(cap, "cap", "is not 1 to 1,000,000 yen");
            }
            Discount::Percent { percent: percent.value, cap: entry.cap.as_ref().map(|cap| cap.value) }
        }
        (None, Some(amount)) => {
            if !AMOUNTS.contains(&amount.value) {
                file.fault(amount, "fixed", "is not 1 to 1,000,000 yen");
            }
            if let Some(cap) = &entry.cap {
                file.fault(cap, "cap", "only a percentage has one");
            }
            Discount::Fixed { amount: amount.value }
        }
        _ => {
            file.fault(&entry.id, "percent", "is missing, and fixed is, too, or both are there");
            Discount::Fixed { amount: 1 }
        }
    }
}

/// Checks the scope of a coupon: some products, some kinds of products, or everything. A
/// subscription is not discounted.
fn check_scope(file: &mut File<'_>, entry: &Entry, products: &[Product]) {
    for id in &entry.products {
        match products.iter().find(|product| product.id == id.value) {
            None => file.fault(id, "products", format!("{} is no product", id.value)),
            Some(product) if product.kind == Kind::Subscription => {
                file.fault(id, "products", "a subscription is not discounted");
            }
            Some(_) => {}
        }
    }
    for kind in &entry.product_kinds {
        if kind.value == Kind::Subscription.name() {
            file.fault(kind, "product_kinds", "a subscription is not discounted");
        }
        file.one_of(kind.clone(), "product_kinds", &Kind::ALL.map(Kind::name));
    }
    if let (Some(kind), false) = (entry.product_kinds.first(), entry.products.is_empty()) {
        file.fault(kind, "product_kinds", "is beside products");
    }
}
