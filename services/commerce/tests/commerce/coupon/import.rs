//! The import of `coupons.yaml`, and of the coupons that demo accounts hold.

use std::path::Path;

use kit::clock::Clock;
use kit_db::test::TestDatabase;
use uuid::Uuid;

use super::{FUYU15, KYODAI, WELCOME};
use crate::buying::COURSE;
use crate::shop::{Shop, outbox, refusal};

const PLAN: &str = "id: 3001, kind: subscription, name: 月額 質問し放題";

fn lines(faults: &str) -> Vec<&str> {
    faults.lines().skip(1).collect()
}

#[tokio::test]
async fn a_second_import_changes_nothing_and_another_changes_what_differs() {
    let scoped = "id: 50, code: SUUGAKU, fixed: 100, products: [1101], public: true";
    let shop = Shop::with_coupons(&[COURSE], &[WELCOME, FUYU15, scoped]).await;
    assert_eq!(shop.import(false).await.unwrap(), "= 4 as they were");
    let limited = format!("{scoped}, total_uses: 5").replace("products: [1101]", "product_kinds: [course]");
    shop.folder.write_coupons(&[WELCOME, &FUYU15.replace("cap: 5000", "cap: 4000"), &limited, KYODAI]);
    let difference = "~ coupon 2 discount\n~ coupon 50 product_ids, product_kinds, total_uses\n\
        + coupon 3 KYODAI2000\n= 2 as they were";
    assert_eq!(shop.import(true).await.unwrap(), difference);
    assert_eq!(shop.learner().coupon(50).await.unwrap().product_ids, [1101]);
    assert_eq!(shop.import(false).await.unwrap(), difference);
    assert!(shop.learner().coupon(50).await.unwrap().product_ids.is_empty());
    assert_eq!(shop.import(false).await.unwrap(), "= 5 as they were");
    // Codes may be swapped.
    shop.folder.write_coupons(&[
        &WELCOME.replace("WELCOME1000", "FUYU15"),
        &FUYU15.replace("FUYU15", "WELCOME1000").replace("cap: 5000", "cap: 4000"),
        &limited,
        KYODAI,
    ]);
    assert_eq!(shop.import(false).await.unwrap(), "~ coupon 1 code\n~ coupon 2 code\n= 3 as they were");
}

#[tokio::test]
async fn every_fault_is_told_at_once_with_its_place_and_nothing_changes() {
    let shop = Shop::with_coupons(&[COURSE, PLAN], &[FUYU15]).await;
    shop.folder.write_coupons(&[
        &FUYU15.replace("percent: 15", "percent: 101"),
        "id: 2, code: FUYU15, fixed: 0",
        "id: 51, code: lower15, fixed: 100, cap: 100",
        "id: 52, code: AB, percent: 0, cap: 0",
        "id: 53, code: NOTHING",
        "id: 54, code: BOTHKINDS, fixed: 100, percent: 10",
        "id: 55, code: LIMITS0, fixed: 100, minimum: 0, per_account: 0, total_uses: 0",
        "id: 56, code: PERIODS, fixed: 100, starts: 2026-11-21, ends: 2026-11-20",
        "id: 57, code: SCOPES1, fixed: 100, products: [9, 3001], product_kinds: [subscription, ticket]",
        "id: 58, code: EMPTYNAME, fixed: 100, name: ' ', starts: soon",
    ]);
    shop.folder.write_file("coupon-holders.yaml", "holders:\n- {id: nobody, coupons: [2, 99]}\n");
    let faults = shop.import(false).await.unwrap_err();
    assert_eq!(
        lines(&faults),
        [
            "coupon-holders.yaml:2: coupons: 99 is no coupon",
            "coupon-holders.yaml:2: id: 'nobody' is not a UUID",
            "coupons.yaml:2: percent: is not 1 to 100",
            "coupons.yaml:3: code: FUYU15 is there twice",
            "coupons.yaml:3: fixed: is not 1 to 1,000,000 yen",
            "coupons.yaml:3: id: 2 is there twice",
            "coupons.yaml:4: cap: only a percentage has one",
            "coupons.yaml:4: code: is not of capital letters, digits and hyphens, up to 32",
            "coupons.yaml:5: cap: is not 1 to 1,000,000 yen",
            "coupons.yaml:5: code: is shorter than 6 characters",
            "coupons.yaml:5: percent: is not 1 to 100",
            "coupons.yaml:6: percent: is missing, and fixed is, too, or both are there",
            "coupons.yaml:7: percent: is missing, and fixed is, too, or both are there",
            "coupons.yaml:8: minimum: is not 1 to 1,000,000",
            "coupons.yaml:8: per_account: is not 1 to 1,000,000",
            "coupons.yaml:8: total_uses: is not 1 to 1,000,000",
            "coupons.yaml:9: ends: is before starts",
            "coupons.yaml:10: product_kinds: 'ticket' is none of course, subscription, exam_seat, konoshiki, interview",
            "coupons.yaml:10: product_kinds: a subscription is not discounted",
            "coupons.yaml:10: product_kinds: is beside products",
            "coupons.yaml:10: products: 9 is no product",
            "coupons.yaml:10: products: a subscription is not discounted",
            "coupons.yaml:11: name: is empty",
            "coupons.yaml:11: starts: 'soon' is not a day like 2025-03-10",
        ]
    );
    shop.learner().claim("FUYU15").await.unwrap();
}

#[tokio::test]
async fn a_coupon_neither_disappears_nor_becomes_one_of_another_kind() {
    let shop = Shop::with_coupons(&[COURSE], &[WELCOME, FUYU15]).await;
    shop.folder.write_coupons(&[&WELCOME.replace("fixed: 1000", "percent: 10")]);
    assert_eq!(
        lines(&shop.import(false).await.unwrap_err()),
        [
            "coupons.yaml: coupons: 2 (FUYU15) is among the coupons and no longer here; let it end",
            "coupons.yaml: percent: 1 (WELCOME1000) is of another kind; let it end, and add a new one",
        ]
    );
}

#[tokio::test]
async fn demo_accounts_hold_their_coupons_unless_they_were_erased() {
    let shop = Shop::with_coupons(&[COURSE], &[FUYU15]).await;
    let (learner, erased) = (shop.learner(), shop.learner());
    shop.erase(&erased.id.to_string()).await;
    let entry = |id: Uuid| format!("- {{id: {id}, coupons: [2]}}\n");
    let text = format!("holders:\n{}{}", entry(learner.id), entry(erased.id));
    shop.folder.write_file("coupon-holders.yaml", &text);
    for _ in 0..2 {
        assert_eq!(shop.import(false).await.unwrap(), "= 2 as they were");
    }
    assert!(learner.coupon(2).await.unwrap().is_claimed);
    assert_eq!(refusal(erased.coupon(2).await), "NotFound NOT_FOUND");
    assert_eq!(shop.texts("SELECT account_id::text FROM coupon_claim").await, [learner.id.to_string()]);
}

#[tokio::test]
async fn the_demo_learner_has_every_kind_of_coupon() {
    use sqlx::{Executor as _, Row as _};
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let accounts = std::fs::read_to_string(services.join("auth/demo/accounts.yaml")).unwrap();
    let database = TestDatabase::new(&commerce::MIGRATIONS).await;
    let demo = services.join("commerce/demo");
    commerce::import_folder(&database.pool, &outbox(), &Clock::system(), &demo, false).await.unwrap();
    let mut connection = database.pool.acquire().await.unwrap();
    let held = "SELECT code || CASE WHEN is_public THEN ' public' ELSE '' END FROM coupon \
        LEFT JOIN coupon_claim ON coupon_id = id AND account_id = '01936f2a-4c00-7a31-8b52-1f6d0c9e4a01' \
        WHERE is_public OR claimed_at IS NOT NULL ORDER BY id";
    let rows = connection.fetch_all(sqlx::raw_sql(held)).await.unwrap();
    let held: Vec<&str> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(held, ["WELCOME1000 public", "FUYU15", "KYODAI2000", "MOSHI500 public", "NATSU20"]);
    let claims = connection
        .fetch_all(sqlx::raw_sql("SELECT DISTINCT account_id::text FROM coupon_claim"))
        .await
        .unwrap();
    for account in &claims {
        let id: &str = account.get(0);
        assert!(accounts.contains(id), "{id} is a demo account");
    }
}
