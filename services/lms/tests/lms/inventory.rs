use proto::lms::{FormerItem, InventoryState, InventoryStateCounts, ListInventoryResponse};
use time::Duration;

use crate::entitlement::timestamp;
use crate::school::{COURSE, Folder, LESSON, LESSONS, NOON, RULES, School, learner, refusal};
use crate::watch::beat;

fn courses(page: &ListInventoryResponse) -> Vec<i64> {
    page.items.iter().map(|item| item.course_id).collect()
}

#[tokio::test]
async fn a_learner_without_items_has_an_empty_first_page_and_no_second() {
    let school = School::open().await;
    let first = school.page(learner(), 1, true).await.unwrap();
    assert_eq!(first, ListInventoryResponse::default());
    assert_eq!(refusal(school.page(learner(), 2, true).await), "NotFound NOT_FOUND");
}

#[tokio::test]
async fn thirteen_items_fill_two_pages_and_there_is_no_third() {
    let school = School::open().await;
    let learner = learner();
    let mut ids = Vec::new();
    for _ in 0..13 {
        ids.push(school.grant(learner, COURSE).await);
        school.clock.advance(Duration::SECOND);
    }
    let first = school.page(learner, 1, false).await.unwrap();
    let second = school.page(learner, 2, false).await.unwrap();
    assert_eq!((first.count, first.items.len()), (13, 12));
    assert_eq!((second.count, second.items.len()), (13, 1));
    let seen: Vec<i64> = first.items.iter().chain(&second.items).rev().map(|item| item.id).collect();
    assert_eq!(seen, ids);
    assert_eq!(refusal(school.page(learner, 3, false).await), "NotFound NOT_FOUND");
}

#[tokio::test]
async fn items_are_sorted_by_last_watched_then_newest_then_highest_id() {
    let folder = Folder::new();
    for course in 101..=105 {
        folder.course(course, 1);
    }
    let school = School::with(folder, RULES).await;
    let learner = learner();
    for course in [101, 102, 103] {
        school.grant(learner, course).await;
        school.clock.advance(Duration::HOUR);
    }
    // Granted at the same time.
    school.grant(learner, 104).await;
    school.grant(learner, 105).await;
    for course in [102, 101] {
        school.clock.advance(Duration::HOUR);
        beat(&school, learner, course * 1_000_000 + 10101, 0, 0..10, 1).await.unwrap();
    }
    assert_eq!(courses(&school.page(learner, 1, true).await.unwrap()), [101, 102, 105, 104, 103]);
    assert_eq!(courses(&school.page(learner, 1, false).await.unwrap()), [105, 104, 103, 102, 101]);
}

#[tokio::test]
async fn an_item_is_new_for_seven_days() {
    let school = School::open().await;
    let learner = learner();
    let item = school.grant(learner, COURSE).await;
    school.clock.advance(Duration::days(7) - Duration::SECOND);
    assert!(school.item(learner, item).await.unwrap().is_new);
    school.clock.advance(Duration::SECOND);
    assert!(!school.item(learner, item).await.unwrap().is_new);
}

#[tokio::test]
async fn an_item_is_new_until_a_lesson_is_opened() {
    let school = School::open().await;
    let learner = learner();
    let item = school.grant(learner, COURSE).await;
    school.check_lesson(learner, LESSON).await.unwrap();
    assert!(school.item(learner, item).await.unwrap().is_new, "a check does not open a lesson");
    beat(&school, learner, LESSON, 0, 0..0, 1).await.unwrap();
    assert!(!school.item(learner, item).await.unwrap().is_new);
}

#[tokio::test]
async fn an_item_expires_at_its_end_and_stays_listed() {
    let school = School::open().await;
    let learner = learner();
    let item = school.grant_until(learner, COURSE, Some(NOON + Duration::DAY)).await;
    school.clock.advance(Duration::DAY - Duration::SECOND);
    assert!(!school.item(learner, item).await.unwrap().is_expired);
    school.clock.advance(Duration::SECOND);
    let page = school.page(learner, 1, true).await.unwrap();
    assert!(page.items[0].is_expired);
    assert_eq!(page.items[0].expire_at.unwrap().seconds, (NOON + Duration::DAY).unix_timestamp());
}

#[tokio::test]
async fn complete_count_counts_courses_not_items_and_spans_all_pages() {
    let school = School::open().await;
    let learner = learner();
    school.grant(learner, 102).await;
    for _ in 0..13 {
        school.grant(learner, COURSE).await;
    }
    school.check_lesson(learner, 102_010_101).await.unwrap();
    for lesson in LESSONS {
        school.check_lesson(learner, lesson).await.unwrap();
    }
    for page in [1, 2] {
        assert_eq!(school.page(learner, page, true).await.unwrap().complete_count, 1, "page {page}");
    }
}

#[tokio::test]
async fn a_list_by_state_covers_the_items_of_all_pages() {
    let folder = Folder::new();
    for course in 101..=104 {
        folder.course(course, 1);
    }
    let school = School::with(folder, RULES).await;
    let learner = learner();
    for course in [101, 102] {
        school.grant(learner, course).await;
    }
    school.grant_until(learner, 103, Some(NOON + Duration::DAY)).await;
    for _ in 0..12 {
        school.grant(learner, 104).await;
    }
    // Course 102 is never opened, and its item comes after twelve newer ones.
    for lesson in [101_010_101, 104_010_101] {
        beat(&school, learner, lesson, 0, 0..10, 1).await.unwrap();
    }
    school.check_lesson(learner, 101_010_101).await.unwrap();
    school.clock.advance(Duration::days(30));

    let all = school.items_in(learner, InventoryState::All).await;
    let counts = InventoryStateCounts { learning: 12, complete: 1, expired: 1, new: 1 };
    assert_eq!((all.count, all.items.len(), all.state_counts), (15, 12, Some(counts)));
    for (state, wanted) in [
        (InventoryState::Complete, vec![101]),
        (InventoryState::New, vec![102]),
        (InventoryState::Expired, vec![103]),
        (InventoryState::Learning, vec![104; 12]),
    ] {
        let page = school.items_in(learner, state).await;
        assert_eq!((page.count, courses(&page)), (u32::try_from(wanted.len()).unwrap(), wanted), "{state:?}");
        assert_eq!((page.complete_count, page.state_counts), (1, Some(counts)), "{state:?}");
    }
    assert_eq!(school.page(learner, 1, true).await.unwrap().state_counts, None);
}

#[tokio::test]
async fn an_expired_copy_is_part_of_the_active_one_in_a_list_by_state() {
    let school = School::open().await;
    let learner = learner();
    let end = NOON + Duration::DAY;
    let former = school.grant_until(learner, COURSE, Some(end)).await;
    let ended = school.grant_until(learner, 102, Some(end)).await;
    school.clock.advance(Duration::days(2));
    let active = school.grant(learner, COURSE).await;

    let all = school.items_in(learner, InventoryState::All).await;
    assert_eq!(all.items.iter().map(|item| item.id).collect::<Vec<_>>(), [active, ended]);
    let expire_at = Some(timestamp(end));
    assert_eq!(all.items[0].former, [FormerItem { id: former, expire_at }]);
    assert_eq!(all.items[1].former, []);
    let expired = school.items_in(learner, InventoryState::Expired).await;
    assert_eq!(courses(&expired), [102]);
    // Without a state, every item is listed separately.
    let page = school.page(learner, 1, true).await.unwrap();
    assert_eq!(page.count, 3);
    assert!(page.items.iter().all(|item| item.former.is_empty()));
}

#[tokio::test]
async fn an_item_of_another_learner_is_not_found_and_not_listed() {
    let school = School::open().await;
    let (mine, other) = (learner(), learner());
    let item = school.grant(other, COURSE).await;
    assert_eq!(refusal(school.item(mine, item).await), "NotFound NOT_FOUND");
    assert_eq!(refusal(school.item(mine, item + 1).await), "NotFound NOT_FOUND");
    assert_eq!(school.page(mine, 1, true).await.unwrap().count, 0);
    assert_eq!(school.item(other, item).await.unwrap().id, item);
}

#[tokio::test]
async fn an_item_has_the_same_revision_as_the_catalogue() {
    let school = School::open().await;
    let learner = learner();
    let item = school.grant(learner, COURSE).await;
    let before = school.item(learner, item).await.unwrap().course_revision;
    assert_eq!(school.course(COURSE).await.revision, before);
    school.folder.edit("courses/101.yaml", "一行の要約", "別の要約");
    school.import().await.unwrap();
    let after = school.item(learner, item).await.unwrap().course_revision;
    assert!(after > before, "the revision increases although the clock does not");
    assert_eq!(school.course(COURSE).await.revision, after);
}
