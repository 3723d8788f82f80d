use proto::lms::{GetTeacherRequest, ListTeachersRequest, Teacher};

use crate::school::{Folder, RULES, School, refusal};

#[tokio::test]
async fn teachers_are_sorted_by_kana() {
    let folder = Folder::new();
    let kana =
        ["タカセ ワタル", "サクラ ミノリ", "ハタノ ケイ", "サイトウ ケイ", "ガモウ ミチ", "カワイ ソラ"];
    let teachers: Vec<String> = (1..)
        .zip(kana)
        .map(|(id, kana)| format!("- {{id: {id}, name: 先生{id}, kana: {kana}, subjects: [数学], message: はい, career: 教員}}\n"))
        .collect();
    folder.write("teachers.yaml", &format!("teachers:\n{}", teachers.concat()));
    let school = School::with(folder, RULES).await;
    let page = school.teachers().list_teachers(ListTeachersRequest { page: 1 }).await.unwrap().into_inner();
    let ids: Vec<i64> = page.teachers.iter().map(|teacher| teacher.id).collect();
    assert_eq!((page.count, ids), (6, vec![5, 6, 4, 2, 1, 3]));
}

#[tokio::test]
async fn twenty_one_teachers_fill_two_pages() {
    let folder = Folder::new();
    let teachers: Vec<String> = (1..=21)
        .map(|id| {
            format!("- {{id: {id}, name: 先生, kana: ア, subjects: [数学], message: はい, career: 教員}}\n")
        })
        .collect();
    folder.write("teachers.yaml", &format!("teachers:\n{}", teachers.concat()));
    let school = School::with(folder, RULES).await;
    let second = school.teachers().list_teachers(ListTeachersRequest { page: 2 }).await.unwrap().into_inner();
    assert_eq!((second.count, second.teachers.len(), second.teachers[0].id), (21, 1, 21));
    let third = school.teachers().list_teachers(ListTeachersRequest { page: 3 }).await;
    assert_eq!(refusal(third), "NotFound NOT_FOUND");
}

#[tokio::test]
async fn a_teacher_has_their_courses_and_an_unknown_one_is_not_found() {
    let school = School::open().await;
    let get = async |id| school.teachers().get_teacher(GetTeacherRequest { id }).await;
    let found = get(1).await.unwrap().into_inner();
    let teacher = Teacher {
        id: 1,
        name: "高瀬航".into(),
        kana: "タカセ ワタル".into(),
        subjects: vec!["数学".into()],
        message: "こんにちは".into(),
        career: "教員".into(),
    };
    assert_eq!(found.teacher.unwrap(), teacher);
    let courses: Vec<i64> = found.courses.iter().map(|course| course.id).collect();
    assert_eq!(courses, [101, 102]);
    for id in [2, 0, -1, i64::MAX] {
        assert_eq!(refusal(get(id).await), "NotFound NOT_FOUND");
    }
}
