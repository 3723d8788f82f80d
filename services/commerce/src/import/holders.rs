//! The coupons that demo accounts hold, from `coupon-holders.yaml`. The file is optional.

use kit_content::{Faults, File, Folder};
use serde::Deserialize;
use serde_saphyr::Spanned;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::coupon::{Coupon, claim};
use crate::erased_account;

const FILE: &str = "coupon-holders.yaml";

/// A demo account with coupons.
pub(super) struct CouponHolder {
    id: Uuid,
    /// Ids of coupons.
    coupons: Vec<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HoldersFile {
    holders: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: Spanned<String>,
    coupons: Vec<Spanned<i64>>,
}

/// Parses the file, if there is one, and checks it against the coupons of the folder.
pub(super) fn parse(folder: &Folder, coupons: &[Coupon], faults: &mut Faults) -> Vec<CouponHolder> {
    if !folder.has(FILE) {
        return Vec::new();
    }
    let mut file = File { name: FILE, faults };
    let Some(HoldersFile { holders }) = file.read_document(folder) else { return Vec::new() };
    let check = |entry: Entry| {
        let id = entry.id.value.parse().unwrap_or_else(|_| {
            file.fault(&entry.id, "id", format!("'{}' is not a UUID", entry.id.value));
            Uuid::nil()
        });
        for held in &entry.coupons {
            if !coupons.iter().any(|coupon| coupon.id == held.value) {
                file.fault(held, "coupons", format!("{} is no coupon", held.value));
            }
        }
        CouponHolder { id, coupons: entry.coupons.iter().map(|held| held.value).collect() }
    };
    holders.into_iter().map(check).collect()
}

/// Gives the holders their coupons. An erased account gets none.
pub(super) async fn apply(
    connection: &mut PgConnection,
    holders: &[CouponHolder],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    for holder in holders {
        if erased_account::is_erased(connection, holder.id).await? {
            continue;
        }
        for coupon in &holder.coupons {
            claim::insert(connection, holder.id, *coupon, now).await?;
        }
    }
    Ok(())
}
