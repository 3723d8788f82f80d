//! The search for schools.

use kit::error::ServiceError;
use proto::exam::ListSchoolsRequest;

use crate::school::School;

async fn find(school: &School, query: &str, prefecture: &str) -> Vec<i64> {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let request = ListSchoolsRequest { page: 1, query: given(query), prefecture: given(prefecture) };
    let found = school.schools().list_schools(request).await.unwrap().into_inner();
    assert_eq!(found.count as usize, found.schools.len());
    found.schools.iter().map(|school| school.id).collect()
}

#[tokio::test]
async fn a_query_matches_all_words_in_any_width_and_kana() {
    let school = School::open().await;
    let table: [(&str, &str, &[i64]); 12] = [
        ("", "", &[2, 3, 1]),
        ("青葉", "", &[2, 3]),
        ("青葉 学院", "", &[2]),
        ("青葉　北", "", &[]),
        ("あおば", "", &[2, 3]),
        ("ｱｵﾊﾞﾀﾞｲ", "", &[3]),
        ("高校 北海道", "", &[1]),
        ("葉", "", &[2, 3]),
        ("青葉", "東京都", &[2, 3]),
        ("青葉", "北海道", &[]),
        ("", "北海道", &[1]),
        ("%", "", &[]),
    ];
    for (query, prefecture, wanted) in table {
        assert_eq!(find(&school, query, prefecture).await, wanted, "{query} {prefecture}");
    }
}

#[tokio::test]
async fn a_school_has_its_departments_in_order_and_no_border() {
    let school = School::open().await;
    let request = ListSchoolsRequest { page: 1, query: Some("雪ノ原".to_owned()), prefecture: None };
    let found = school.schools().list_schools(request).await.unwrap().into_inner().schools.remove(0);
    let departments: Vec<_> =
        found.departments.iter().map(|department| (department.id, department.name.as_str())).collect();
    assert_eq!(departments, [(101, "普通科"), (102, "理数科")]);
    assert!(found.counts_school_marks);
}

#[tokio::test]
async fn an_invalid_query_is_refused() {
    let school = School::open().await;
    let request = |page, query: &str, prefecture: &str| ListSchoolsRequest {
        page,
        query: (!query.is_empty()).then(|| query.to_owned()),
        prefecture: (!prefecture.is_empty()).then(|| prefecture.to_owned()),
    };
    for (request, field, code) in [
        (request(0, "", ""), "page", "OUT_OF_RANGE"),
        (request(1, "　", ""), "query", "REQUIRED"),
        (request(1, &"あ".repeat(101), ""), "query", "TOO_LONG"),
        (request(1, "", "東京"), "prefecture", "UNKNOWN_CHOICE"),
    ] {
        let refused = school.schools().list_schools(request).await.unwrap_err();
        let fields = ServiceError::from_status(&refused).fields;
        assert_eq!((fields[0].name.as_ref(), fields[0].code.as_ref()), (field, code));
    }
}
