//! Public content (notices, FAQs, success stories, entrance exams) and its search.

use std::time::Duration as StdDuration;

use desk::Run;
use kit::error::ServiceError;
use proto::desk::entry_exam_service_client::EntryExamServiceClient;
use proto::desk::faq_service_client::FaqServiceClient;
use proto::desk::notice_service_client::NoticeServiceClient;
use proto::desk::search_service_client::SearchServiceClient;
use proto::desk::success_service_client::SuccessServiceClient;
use proto::desk::{
    GetFaqRequest, GetNoticeRequest, GetYearRequest, ListEntryExamsRequest, ListFaqsRequest,
    ListNoticesRequest, ListVoicesRequest, SearchKind, SearchRequest, SuggestRequest, VoteRequest,
};
use time::Duration;
use tonic::Code;

use crate::folder::Folder;
use crate::world::{Desk, NOW, World};

/// A desk with the content of a folder.
async fn school() -> (World, Folder, Desk) {
    let (world, folder) = (World::new().await, Folder::new());
    folder.import(&world, Run::Real).await.unwrap();
    let desk = world.serve("smtp://127.0.0.1:1").await;
    (world, folder, desk)
}

async fn notices(desk: &Desk, page: u32, category: Option<&str>) -> Result<Vec<i64>, tonic::Status> {
    let request = ListNoticesRequest { page, category: category.map(str::to_owned) };
    let list = NoticeServiceClient::new(desk.channel()).list_notices(request).await?.into_inner();
    assert_eq!(list.count as usize, list.notices.len());
    Ok(list.notices.iter().map(|notice| notice.id).collect())
}

async fn notice(desk: &Desk, id: i64) -> Result<proto::desk::Notice, Code> {
    let request = GetNoticeRequest { id };
    let answer = NoticeServiceClient::new(desk.channel()).get_notice(request).await;
    answer.map(|answer| answer.into_inner().notice.unwrap()).map_err(|status| status.code())
}

#[tokio::test]
async fn a_scheduled_notice_appears_on_time_and_other_non_public_notices_never() {
    let (world, folder, desk) = school().await;
    assert_eq!(notices(&desk, 1, None).await.unwrap(), [2, 1], "the pinned one first");
    assert_eq!(notices(&desk, 1, Some("お知らせ")).await.unwrap(), [1]);
    for id in [3, 4, 5, 6, 7] {
        assert_eq!(notice(&desk, id).await.unwrap_err(), Code::NotFound, "{id}");
    }
    world.clock.advance(Duration::hours(16));
    assert_eq!(notices(&desk, 1, None).await.unwrap(), [2, 3, 1], "10:00 in Tokyo");
    let (shown, published) = (notice(&desk, 3).await.unwrap(), (NOW + Duration::hours(16)).unix_timestamp());
    assert_eq!(shown.published_at.unwrap().seconds, published);
    assert_eq!(shown.modified_at.unwrap().seconds, published);
    assert_eq!(notices(&desk, 2, None).await.unwrap_err().code(), Code::NotFound);
    assert_eq!(notices(&desk, 0, None).await.unwrap_err().code(), Code::InvalidArgument);

    world.clock.advance(Duration::DAY);
    folder.edit("notices.yaml", "title: 明日のこと", "title: 今日のこと");
    folder.import(&world, Run::Real).await.unwrap();
    let changed = notice(&desk, 3).await.unwrap();
    assert_eq!(changed.modified_at.unwrap().seconds, published + 24 * 3600);
}

#[tokio::test]
async fn faqs_are_found_by_words_and_category_and_have_related_ones() {
    let (_world, _folder, desk) = school().await;
    let mut client = FaqServiceClient::new(desk.channel());
    let mut ids = async |category: Option<&str>, q: Option<&str>| {
        let request =
            ListFaqsRequest { page: 1, category: category.map(str::to_owned), q: q.map(str::to_owned) };
        let list = client.list_faqs(request).await?.into_inner();
        Ok::<_, tonic::Status>(list.faqs.iter().map(|faq| faq.id).collect::<Vec<_>>())
    };
    assert_eq!(ids(None, None).await.unwrap(), [1, 2]);
    assert_eq!(ids(Some("アカウント"), None).await.unwrap(), [2]);
    for (q, found) in [
        ("カイヤク", vec![1]),
        ("100%", vec![1]),
        ("10_", vec![]),
        ("解約 パスワード", vec![]),
        ("ﾊﾟｽﾜｰﾄﾞ", vec![2]),
    ] {
        assert_eq!(ids(None, Some(q)).await.unwrap(), found, "{q}");
    }
    let problem = ServiceError::from_status(&ids(None, Some(" ")).await.unwrap_err());
    assert_eq!((problem.fields[0].name.as_ref(), problem.fields[0].code.as_ref()), ("q", "REQUIRED"));

    let one = client.get_faq(GetFaqRequest { id: 1 }).await.unwrap().into_inner();
    assert_eq!(one.related[0].question, "パスワードを忘れました。");
    assert_eq!(client.get_faq(GetFaqRequest { id: 3 }).await.unwrap_err().code(), Code::NotFound);
}

#[tokio::test]
async fn a_visitor_votes_once_a_day_and_an_import_keeps_the_votes() {
    let (world, folder, desk) = school().await;
    let other = world.serve("smtp://127.0.0.1:1").await;
    let vote = async |desk: &Desk, id, helpful, address: &str| {
        let request = VoteRequest { id, helpful, client_address: address.to_owned() };
        FaqServiceClient::new(desk.channel()).vote(request).await.map(drop)
    };
    let count = async || {
        let found = FaqServiceClient::new(desk.channel()).get_faq(GetFaqRequest { id: 1 }).await;
        found.unwrap().into_inner().faq.unwrap().helpful_count
    };
    for desk in [&desk, &other, &desk] {
        vote(desk, 1, true, "203.0.113.9").await.unwrap();
    }
    assert_eq!(count().await, 1);
    vote(&desk, 1, true, "203.0.113.10").await.unwrap();
    vote(&desk, 1, false, "203.0.113.11").await.unwrap();
    assert_eq!(count().await, 2);
    let kept = world.text("SELECT helpful_count || ' ' || unhelpful_count FROM faq WHERE id = 1").await;
    assert_eq!(kept, ["2 1"]);
    assert_eq!(vote(&desk, 9, true, "203.0.113.9").await.unwrap_err().code(), Code::NotFound);
    // 18:00 in Tokyo; the next day begins in six hours.
    world.clock.advance(Duration::hours(6));
    vote(&desk, 1, true, "203.0.113.9").await.unwrap();
    folder.edit("faqs.yaml", "answer: できます。100%です。", "answer: できます。");
    folder.import(&world, Run::Real).await.unwrap();
    assert_eq!(count().await, 3);

    let rows = world.text("SELECT faq_vote::text || encode(visitor, 'escape') FROM faq_vote").await;
    assert!(rows.len() == 4 && !rows.concat().contains("203.0"), "{rows:?}");
    let mut connection = world.database.pool.acquire().await.unwrap();
    let swept = desk::sweep::sweep_once(&mut connection, NOW + Duration::hours(6), Duration::days(90)).await;
    assert_eq!(swept.unwrap(), 3, "those of yesterday");
    assert_eq!(count().await, 3);
}

#[tokio::test]
async fn a_voice_is_shown_until_the_last_day_of_consent() {
    let (world, _folder, desk) = school().await;
    let mut client = SuccessServiceClient::new(desk.channel());
    let year = client.get_year(GetYearRequest { year: 2025 }).await.unwrap().into_inner();
    assert_eq!((year.as_of.as_str(), year.figures[0].count, year.figures[0].of), ("2025-05-31", 8, 10));
    let names =
        |voices: &[proto::desk::Voice]| voices.iter().map(|voice| voice.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&year.voices), ["Aさん", "Bさん"]);
    assert_eq!(client.get_year(GetYearRequest { year: 2023 }).await.unwrap_err().code(), Code::NotFound);
    let mut of = async |course| {
        let request = ListVoicesRequest { course_id: course };
        names(&client.list_voices(request).await.unwrap().into_inner().voices)
    };
    assert_eq!(of(Some(101)).await, ["Aさん"]);
    assert_eq!(of(Some(102)).await, ["Aさん", "Bさん"]);
    assert!(of(Some(103)).await.is_empty());
    // Midnight in Tokyo, after the last day.
    world.clock.advance(Duration::hours(6));
    assert_eq!(of(None).await, ["Bさん"]);
    assert!(of(Some(101)).await.is_empty());
}

#[tokio::test]
async fn exams_stay_until_their_school_year_ends() {
    let (world, _folder, desk) = school().await;
    let mut client = EntryExamServiceClient::new(desk.channel());
    let mut ids = async |prefecture: Option<&str>| {
        let request = ListEntryExamsRequest { prefecture: prefecture.map(str::to_owned) };
        let list = client.list_entry_exams(request).await?.into_inner();
        Ok::<_, tonic::Status>(list.exams.iter().map(|exam| exam.id).collect::<Vec<_>>())
    };
    assert_eq!(ids(None).await.unwrap(), [12, 14, 11], "by day, including past exams of this school year");
    assert_eq!(ids(Some("東京都")).await.unwrap(), [14, 11], "including nationwide exams");
    let problem = ServiceError::from_status(&ids(Some("東京")).await.unwrap_err());
    assert_eq!(problem.fields[0].code, "UNKNOWN_CHOICE");
    // 18:00 in Tokyo of the last day of March, and six hours later.
    world.clock.advance(Duration::days(130));
    assert_eq!(ids(None).await.unwrap(), [12, 14, 11]);
    world.clock.advance(Duration::hours(6));
    assert!(ids(None).await.unwrap().is_empty());
}

#[tokio::test]
async fn search_finds_public_items_and_counts_each_kind() {
    let (world, _folder, desk) = school().await;
    let mut client = SearchServiceClient::new(desk.channel());
    let mut search = async |query: &str, kinds: &[SearchKind]| {
        let kinds = kinds.iter().map(|kind| (*kind).into()).collect();
        let request = SearchRequest { query: query.to_owned(), kinds, page: 1, page_size: 5 };
        let found = client.search(request).await?.into_inner();
        let counts: Vec<_> = found.counts.iter().map(|count| count.count).collect();
        let hits: Vec<_> = found.hits.iter().map(|hit| (hit.kind(), hit.id)).collect();
        Ok::<_, tonic::Status>((counts, hits))
    };
    let both = [SearchKind::Faq, SearchKind::Notice];
    assert_eq!(search("ナツ こうざ", &both).await.unwrap(), (vec![1, 0], vec![(SearchKind::Notice, 1)]));
    assert_eq!(search("解約", &both).await.unwrap(), (vec![0, 1], vec![(SearchKind::Faq, 1)]));
    assert_eq!(search("新し", &[]).await.unwrap(), (vec![0, 1], vec![]));
    for hidden in ["受講生", "書きかけ", "終わり", "明日"] {
        assert_eq!(search(hidden, &both).await.unwrap().0, [0, 0], "{hidden}");
    }
    assert_eq!(search(" ", &both).await.unwrap_err().code(), Code::InvalidArgument);
    world.clock.advance(Duration::hours(16));
    assert_eq!(search("明日", &both).await.unwrap().0, [1, 0]);

    let request = SuggestRequest { query: "ぱすワ".to_owned(), limit: 8 };
    let suggested = tokio::time::timeout(StdDuration::from_secs(5), client.suggest(request)).await.unwrap();
    let titles: Vec<_> =
        suggested.unwrap().into_inner().suggestions.into_iter().map(|one| one.title).collect();
    assert_eq!(titles, ["パスワードを忘れました。"]);
    let request = SuggestRequest { query: "a".to_owned(), limit: 0 };
    assert_eq!(client.suggest(request).await.unwrap_err().code(), Code::InvalidArgument);
}
