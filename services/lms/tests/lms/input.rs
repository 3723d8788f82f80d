use kit::error::{Code, Problem};
use proto::lms::{
    ClearBookmarkRequest, ClearCheckRequest, ClearFavoriteRequest, GetInventoryItemRequest,
    ListBookmarksRequest, ListChecksRequest, ListCoursesRequest, ListFavoritesRequest, ListInventoryRequest,
    RecordBeatRequest, SetBookmarkRequest, SetCheckRequest, SetFavoriteRequest,
};
use tonic::Status;

use crate::school::{School, learner};

/// Every method with these values; the codes of its refusals, by its name.
async fn refusals(school: &School, learner_id: &str, id: i64, page: u32) -> Vec<(&'static str, Code)> {
    let learner_id = learner_id.to_owned();
    let (mut marks, mut inventory) = (school.marks(), school.inventory());
    let mut refusals = Vec::new();
    macro_rules! call {
        ($client:expr, $method:ident, $request:ident { $($field:ident $(: $value:expr)?),* }) => {
            let answer = $client.$method($request { learner_id: learner_id.clone(), $($field $(: $value)?),* }).await;
            refusals.extend(answer.err().map(|status: Status| {
                (stringify!($method), Problem::from_status(&status).code)
            }));
        };
    }
    call!(inventory, list_inventory, ListInventoryRequest { page, sort_by_watchhistory: true });
    call!(inventory, get_inventory_item, GetInventoryItemRequest { id });
    call!(marks, list_bookmarks, ListBookmarksRequest { page });
    call!(marks, set_bookmark, SetBookmarkRequest { course_id: id });
    call!(marks, clear_bookmark, ClearBookmarkRequest { course_id: id });
    call!(marks, list_favorites, ListFavoritesRequest { page, course_id: Some(id) });
    call!(marks, set_favorite, SetFavoriteRequest { lesson_id: id });
    call!(marks, clear_favorite, ClearFavoriteRequest { lesson_id: id });
    call!(marks, list_checks, ListChecksRequest { page, course_id: Some(id) });
    call!(marks, set_check, SetCheckRequest { lesson_id: id });
    call!(marks, clear_check, ClearCheckRequest { lesson_id: id });
    let mut watching = school.watching();
    call!(
        watching,
        record_beat,
        RecordBeatRequest {
            lesson_id: id,
            position: page,
            watched_from: page,
            watched_to: page,
            sequence: id.max(0)
        }
    );
    refusals
}

#[tokio::test]
async fn a_learner_who_is_no_uuid_is_refused_everywhere() {
    let school = School::open().await;
    for junk in ["", "\0", "1", "０１９３６ｆ２ａ", "01936f2a-4c00-7a31-8b52-1f6d0c9e4a0g"] {
        let refusals = refusals(&school, junk, 101, 1).await;
        assert_eq!(refusals.len(), 12);
        assert!(refusals.iter().all(|(_, code)| *code == Code::Invalid), "{refusals:?}");
    }
}

#[tokio::test]
async fn absurd_ids_and_pages_are_not_found() {
    let school = School::open().await;
    let learner = learner().to_string();
    for (id, page) in [(i64::MIN, u32::MAX), (i64::MAX, u32::MAX), (0, 2), (-1, u32::MAX / 2)] {
        let refusals = refusals(&school, &learner, id, page).await;
        assert_eq!(refusals.len(), 9, "clearing what is not there is no fault: {refusals:?}");
        assert!(refusals.iter().all(|(_, code)| *code == Code::NotFound), "{refusals:?}");
    }
}

#[tokio::test]
async fn there_is_no_page_zero() {
    let school = School::open().await;
    let refusals = refusals(&school, &learner().to_string(), 101, 0).await;
    let invalid: Vec<_> =
        refusals.iter().filter(|(_, code)| *code == Code::Invalid).map(|(method, _)| *method).collect();
    assert_eq!(invalid, ["list_inventory", "list_bookmarks", "list_favorites", "list_checks"]);
    let catalogue = school.catalogue().list_courses(ListCoursesRequest::default()).await;
    assert_eq!(Problem::from_status(&catalogue.unwrap_err()).code, Code::Invalid);
}

#[tokio::test]
async fn a_filter_with_a_nul_is_refused() {
    let school = School::open().await;
    for (school_year, category) in [(Some("中\0"), None), (None, Some("\0"))] {
        let request = ListCoursesRequest {
            page: 1,
            school_year: school_year.map(str::to_owned),
            category: category.map(str::to_owned),
        };
        let refusal = school.catalogue().list_courses(request).await.unwrap_err();
        assert_eq!(Problem::from_status(&refusal).code, Code::Invalid);
    }
}
