use std::path::Path;

use kit::clock::Clock;
use kit_db::test::TestDatabase;
use time::Duration;

use crate::shop::{Shop, outbox};

const COURSE: &str = "id: 1101, kind: course, course: 101, price: 13200, period_days: 365";
const PLAN: &str = "id: 3001, kind: subscription, name: 月額 質問し放題";

fn lines(faults: &str) -> Vec<&str> {
    faults.lines().skip(1).collect()
}

#[tokio::test]
async fn a_second_import_changes_nothing_and_says_so() {
    let shop = Shop::with(&[COURSE, PLAN]).await;
    assert_eq!(shop.import(false).await.unwrap(), "= 2 as they were");
}

#[tokio::test]
async fn a_dry_run_says_what_an_import_does_and_does_none_of_it() {
    let shop = Shop::with(&[COURSE, PLAN]).await;
    let changed = COURSE.replace("13200", "11000");
    shop.folder.write(&[&changed, PLAN, "id: 3002, kind: interview, name: 面談チケット"]);
    let difference = "~ product 1101 price\n+ product 3002 面談チケット\n= 1 as they were";
    for _ in 0..2 {
        assert_eq!(shop.import(true).await.unwrap(), difference);
        assert_eq!(shop.get(1101).await.unwrap().price, 13_200);
        assert_eq!(shop.page(1).await.unwrap().count, 2);
    }
    assert_eq!(shop.import(false).await.unwrap(), difference);
    assert_eq!(shop.get(1101).await.unwrap().price, 11_000);
    assert_eq!(shop.page(1).await.unwrap().count, 3);
    assert_eq!(shop.import(true).await.unwrap(), "= 3 as they were");
}

#[tokio::test]
async fn a_sale_may_move_from_one_product_to_another_in_one_import() {
    let shop = Shop::with(&[COURSE, "id: 2101, kind: course, course: 101, period_days: 30, sale_starts: 2020-01-01, sale_ends: 2020-12-31"]).await;
    shop.folder.write(&[
        &format!("{COURSE}, sale_ends: 2026-11-20"),
        "id: 2101, kind: course, course: 101, period_days: 30, sale_starts: 2026-11-21",
    ]);
    shop.import(false).await.unwrap();
    assert_eq!(shop.offers().await[0].product_id, 1101);
    shop.clock.advance(Duration::DAY);
    assert_eq!(shop.offers().await[0].product_id, 2101);
}

#[tokio::test]
async fn every_fault_is_told_at_once_with_its_place_and_nothing_changes() {
    let shop = Shop::with(&[COURSE, PLAN]).await;
    shop.folder.write(&[
        &COURSE.replace("13200", "1"),
        "id: 1101, kind: ticket",
        "id: 0, kind: interview, price: 0, name: ' '",
        "id: 4, kind: exam_seat, price: 1000001, period_days: 0",
        "id: 5, kind: course",
        "id: 6, kind: konoshiki, course: 101, period_days: 3661",
        "id: 7, kind: subscription, period_days: 30",
        "id: 8, kind: interview, sale_starts: soon, sale_ends: 2026-02-30",
        "id: 9, kind: interview, sale_starts: 2026-11-21, sale_ends: 2026-11-20",
        "id: 10, kind: course, course: 101, sale_starts: 2030-01-01",
        "id: 11, kind: course, course: -1",
        "id: 12, kind: exam_seat, exam: 0, places: -1, application_closes: 2026-12-32",
        "id: 13, kind: exam_seat, exam: 2, places: 5, application_closes: 2026-12-20, sale_ends: 2026-12-21",
        "id: 14, kind: interview, exam: 2, places: 5, application_closes: 2026-12-20",
        "id: 15, kind: konoshiki, continuous_service: true",
    ]);
    let faults = shop.import(false).await.unwrap_err();
    assert!(faults.starts_with("nothing was imported; "), "{faults}");
    assert_eq!(
        lines(&faults),
        [
            "products.yaml:3: id: 1101 is there twice",
            "products.yaml:3: kind: 'ticket' is none of course, subscription, exam_seat, konoshiki, interview",
            "products.yaml:4: id: is not positive",
            "products.yaml:4: name: is empty",
            "products.yaml:4: price: is not 1 to 1,000,000 yen",
            "products.yaml:5: application_closes: is missing",
            "products.yaml:5: exam: is missing",
            "products.yaml:5: period_days: an exam is sat once",
            "products.yaml:5: period_days: is not 1 to 3,660 days",
            "products.yaml:5: places: is missing",
            "products.yaml:5: price: is not 1 to 1,000,000 yen",
            "products.yaml:6: course: is missing",
            "products.yaml:7: course: only a course's product has one",
            "products.yaml:7: period_days: is not 1 to 3,660 days",
            "products.yaml:8: period_days: a subscription is paid by the month",
            "products.yaml:9: sale_ends: '2026-02-30' is not a day like 2025-03-10",
            "products.yaml:9: sale_starts: 'soon' is not a day like 2025-03-10",
            "products.yaml:10: sale_ends: is before sale_starts",
            "products.yaml:11: course: 101 is sold as 1101 at the same time",
            "products.yaml:12: course: is not positive",
            "products.yaml:13: application_closes: '2026-12-32' is not a day like 2025-03-10",
            "products.yaml:13: exam: is not positive",
            "products.yaml:13: places: is not 0 to 100,000",
            "products.yaml:14: sale_ends: is after application_closes",
            "products.yaml:15: application_closes: only an exam seat has it",
            "products.yaml:15: exam: only an exam seat has one",
            "products.yaml:15: places: only an exam seat has them",
            "products.yaml:16: continuous_service: only a course can be one",
        ]
    );
    assert_eq!(shop.get(1101).await.unwrap().price, 13_200);
    assert_eq!(shop.import(true).await.unwrap_err(), faults);
}

#[tokio::test]
async fn what_is_no_list_of_products_is_told_at_its_place() {
    let shop = Shop::with(&[COURSE]).await;
    shop.folder.write_text("products:\n- id: 1\n  kind: interview\n  prise: 1\n");
    assert!(lines(&shop.import(false).await.unwrap_err())[0].starts_with("products.yaml:4: prise: "));
    shop.folder.write_text("products: []\n");
    assert_eq!(lines(&shop.import(false).await.unwrap_err()), ["products.yaml:1: products: is empty"]);
    shop.folder.remove();
    assert_eq!(
        lines(&shop.import(false).await.unwrap_err()),
        ["products.yaml: file: No such file or directory (os error 2)"]
    );
}

#[tokio::test]
async fn what_disappeared_is_named_and_nothing_changes() {
    let shop = Shop::with(&[COURSE, PLAN]).await;
    shop.folder.write(&[&COURSE.replace("13200", "1")]);
    assert_eq!(
        lines(&shop.import(false).await.unwrap_err()),
        [
            "products.yaml: products: 3001 (月額 質問し放題) is among the products and no longer here; let its sale end"
        ]
    );
    assert_eq!(shop.get(1101).await.unwrap().price, 13_200);
}

#[tokio::test]
async fn the_database_itself_keeps_a_course_from_having_two_prices() {
    let shop = Shop::with(&[COURSE]).await;
    let mut connection = shop.database.pool.acquire().await.unwrap();
    let twice = sqlx::query!(
        "INSERT INTO product (id, kind, name, summary, description, price, course_id, sale_starts_at) \
         SELECT 2101, kind, name, summary, description, price, course_id, now() FROM product"
    );
    let refused = twice.execute(&mut *connection).await.unwrap_err();
    assert_eq!(kit_db::constraint(&refused), Some("product_one_offer"));
}

#[tokio::test]
async fn the_demo_is_right_and_has_every_course_and_every_product_that_demo_learners_own() {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let database = TestDatabase::new(&commerce::MIGRATIONS).await;
    let demo = services.join("commerce/demo");
    let imported = commerce::import_folder(&database.pool, &outbox(), &Clock::system(), &demo, false)
        .await
        .unwrap()
        .to_string();
    let again =
        commerce::import_folder(&database.pool, &outbox(), &Clock::system(), &demo, false).await.unwrap();
    assert!(again.is_empty(), "{again}");

    let product = |id: &str| imported.contains(&format!("+ product {id} "));
    let learners = std::fs::read_to_string(services.join("lms/demo/learners.yaml")).unwrap();
    let owned: Vec<&str> = learners
        .split("product_id: ")
        .skip(1)
        .map(|rest| rest.split(|sign: char| !sign.is_ascii_digit()).next().unwrap())
        .collect();
    assert!(owned.len() > 10);
    for id in owned {
        assert!(product(id), "{id}");
    }
    for course in std::fs::read_dir(services.join("lms/demo/courses")).unwrap() {
        let file = course.unwrap().file_name().into_string().unwrap();
        assert!(product(&format!("1{}", file.trim_end_matches(".yaml"))), "{file}");
    }
}
