//! Pictures of questions to teachers and of their answers: limits, metadata, rights, sharing, export and erasure.

use image::ImageFormat;
use kit::clock::Clock;
use proto::auth::AccountErased;
use proto::desk::{
    AskAgainRequest, AskRequest, ExportQuestionPicturesRequest, GetQuestionPictureRequest,
    GetSharedQuestionPictureRequest, PutQuestionPictureRequest, QuestionPicture, ShareTeacherQuestionRequest,
};
use time::Duration;
use tonic::Status;
use uuid::Uuid;

use crate::contact::{NOBODY, bomb, encoded, with_metadata};
use crate::teacher_question::{
    Client, LESSON, OTHER, answer, ask, asker, at_a_second, command, command_with, learner, open, own,
    reason, request, shared, stdout,
};
use crate::world::{ACCOUNT, NOW, World};

async fn put(client: &mut Client, content: Vec<u8>) -> Result<String, String> {
    let stored = client.put_question_picture(PutQuestionPictureRequest { content }).await;
    stored.map(|stored| stored.into_inner().id).map_err(|status| reason(&status))
}

async fn put_photo(client: &mut Client) -> String {
    put(client, encoded(ImageFormat::Png)).await.unwrap()
}

fn picture(id: &str) -> QuestionPicture {
    QuestionPicture { id: id.to_owned(), description: String::new() }
}

async fn get(client: &mut Client, id: &str) -> Result<Vec<u8>, String> {
    let found = client.get_question_picture(GetQuestionPictureRequest { id: id.to_owned() }).await;
    found.map(|found| found.into_inner().jpeg).map_err(|status| reason(&status))
}

async fn get_shared(client: &mut Client, lesson_id: i64, id: &str) -> Result<Vec<u8>, String> {
    let request = GetSharedQuestionPictureRequest { lesson_id, id: id.to_owned() };
    let found = client.get_shared_question_picture(request).await;
    found.map(|found| found.into_inner().jpeg).map_err(|status| reason(&status))
}

async fn again(
    client: &mut Client,
    key: &str,
    id: &str,
    pictures: Vec<QuestionPicture>,
) -> Result<(), Status> {
    let request = AskAgainRequest {
        idempotency_key: key.to_owned(),
        id: id.to_owned(),
        text: "二行目の変形がまだわかりません。".to_owned(),
        asker: Some(asker()),
        pictures,
    };
    client.ask_again(request).await.map(drop)
}

/// The code of the field `pictures`, for a refused question.
async fn refused(client: &mut Client, pictures: Vec<QuestionPicture>) -> String {
    let key = Uuid::new_v4().to_string();
    let status = client.ask(AskRequest { pictures, ..request(&key) }).await.unwrap_err();
    let error = kit::error::ServiceError::from_status(&status);
    assert_eq!(error.fields[0].name, "pictures");
    error.fields[0].code.to_string()
}

const COUNT: &str = "SELECT count(*)::text FROM question_picture";

#[tokio::test]
async fn a_photo_is_stored_upright_without_metadata_and_encrypted_and_only_its_learner_sees_it() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let id = put(&mut client, with_metadata()).await.unwrap();
    let pictures =
        vec![QuestionPicture { id: id.clone(), description: " ノートの二行目 ".to_owned() }];
    let sent = AskRequest { pictures, ..request("with-a-photo") };
    let question = ask(&mut client, sent.clone()).await.unwrap();
    assert_eq!(ask(&mut client, sent).await.unwrap(), question, "the same again");

    let jpeg = get(&mut client, &id).await.unwrap();
    assert!(!jpeg.windows(4).any(|bytes| bytes == b"Exif" || bytes == b"GPS "));
    let seen = image::load_from_memory_with_format(&jpeg, ImageFormat::Jpeg).unwrap().to_rgb8();
    assert_eq!(seen.dimensions(), (40, 60), "upright");
    let found = open(&mut client, &question).await.unwrap();
    let described = QuestionPicture { id: id.clone(), description: "ノートの二行目".to_owned() };
    assert_eq!(found.messages[0].pictures, [described]);
    let stored = world
        .text("SELECT encode(sealed, 'hex') || encode(description, 'escape') FROM question_picture")
        .await;
    assert!(!stored[0].starts_with("ffd8") && !stored[0].contains("ノート"), "{stored:?}");

    let mut other = learner(&desk, OTHER);
    assert_eq!(get(&mut other, &id).await.unwrap_err(), "NOT_FOUND");
    assert_eq!(get(&mut client, &Uuid::nil().to_string()).await.unwrap_err(), "NOT_FOUND");
    assert_eq!(get(&mut client, "1").await.unwrap_err(), "NOT_FOUND");
    let waiting = put_photo(&mut other).await;
    assert_eq!(get(&mut other, &waiting).await.unwrap_err(), "NOT_FOUND", "it has no message");
    assert_eq!(refused(&mut client, vec![picture(&waiting)]).await, "UNKNOWN_CHOICE", "of another account");
}

#[tokio::test]
async fn a_message_has_three_pictures_of_its_learner_that_no_other_message_has() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(picture(&put_photo(&mut client).await));
    }
    assert_eq!(refused(&mut client, ids.clone()).await, "TOO_LONG");
    assert_eq!(refused(&mut client, vec![ids[0].clone(); 2]).await, "UNKNOWN_CHOICE");
    assert_eq!(refused(&mut client, vec![picture("1")]).await, "INVALID_FORMAT");
    for (description, code) in [("あ".repeat(101), "TOO_LONG"), ("二\n行".to_owned(), "INVALID_FORMAT")] {
        assert_eq!(refused(&mut client, vec![QuestionPicture { description, ..ids[0].clone() }]).await, code);
    }
    let asked = AskRequest { pictures: ids[..3].to_vec(), ..at_a_second("with-three") };
    let question = ask(&mut client, asked).await.unwrap();
    assert_eq!(open(&mut client, &question).await.unwrap().messages[0].pictures, ids[..3]);
    assert_eq!(refused(&mut client, vec![ids[2].clone()]).await, "UNKNOWN_CHOICE", "another message has it");
    let changed = AskRequest { pictures: ids[..2].to_vec(), ..at_a_second("with-three") };
    assert_eq!(ask(&mut client, changed).await.unwrap_err(), "IDEMPOTENCY_KEY_REUSED");

    answer(&world, &question);
    let failed = again(&mut client, "again-0000", &question, vec![ids[0].clone()]).await.unwrap_err();
    assert_eq!(reason(&failed), "INVALID");
    assert!(!open(&mut client, &question).await.unwrap().question.unwrap().is_waiting, "nothing was stored");
    again(&mut client, "again-0001", &question, vec![ids[3].clone()]).await.unwrap();
    assert_eq!(open(&mut client, &question).await.unwrap().messages[2].pictures, [ids[3].clone()]);
}

#[tokio::test]
async fn other_files_are_refused_and_uploads_are_limited() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    for (wrong, code) in [
        (b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec(), "PICTURE_UNREADABLE"),
        (b"GIF89a\x01\0\x01\0\0\0\0;".to_vec(), "PICTURE_UNREADABLE"),
        (bomb(), "PICTURE_TOO_LARGE"),
        ([encoded(ImageFormat::Png), vec![0; 5 * 1024 * 1024]].concat(), "PICTURE_TOO_LARGE"),
    ] {
        assert_eq!(put(&mut client, wrong).await.unwrap_err(), code);
    }
    let first = put(&mut client, encoded(ImageFormat::WebP)).await.unwrap();
    // Twelve wait for a message: the oldest goes.
    for _ in 0..12 {
        put_photo(&mut client).await;
    }
    assert_eq!(world.text(COUNT).await, ["12"]);
    assert_eq!(refused(&mut client, vec![picture(&first)]).await, "UNKNOWN_CHOICE");
    // The file of more than 5 MiB took no token.
    for _ in 0..60 - 3 - 13 {
        assert_eq!(put(&mut client, b"no picture".to_vec()).await.unwrap_err(), "PICTURE_UNREADABLE");
    }
    assert_eq!(put(&mut client, encoded(ImageFormat::Png)).await.unwrap_err(), "RATE_LIMITED");
    put_photo(&mut learner(&desk, OTHER)).await;
}

#[tokio::test]
async fn a_picture_that_a_teacher_stored_is_no_picture_of_the_learner() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let id = ask(&mut client, request("key-12345")).await.unwrap();
    let file = std::env::temp_dir().join(format!("konomana-{id}.png"));
    std::fs::write(&file, encoded(ImageFormat::Png)).unwrap();
    let uploaded = stdout(&command(&world, &["upload", &id, file.to_str().unwrap()])).trim().to_owned();
    std::fs::remove_file(&file).unwrap();
    // The command uses the system clock.
    world.clock.advance(Clock::system().now() + Duration::MINUTE - NOW);
    let mut photo = String::new();
    for _ in 0..12 {
        photo = put_photo(&mut client).await;
    }
    assert_eq!(world.text(COUNT).await, ["13"]);
    assert_eq!(refused(&mut client, vec![picture(&uploaded)]).await, "UNKNOWN_CHOICE");
    let send = |picture: &str| {
        let arguments = ["answer", &id, "-", "--teacher", "高瀬航", "--picture", picture];
        command_with(&world, &arguments, "グラフをかくと、交点が答えになります。")
    };
    let foreign = send(&photo);
    assert!(String::from_utf8_lossy(&foreign.stderr).contains("a picture is not stored"), "{foreign:?}");
    stdout(&send(&uploaded));
    assert_eq!(open(&mut client, &id).await.unwrap().messages[1].pictures, [picture(&uploaded)]);
}

#[tokio::test]
async fn a_new_picture_stays_even_if_older_ones_are_of_a_clock_that_is_ahead() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    for _ in 0..12 {
        put_photo(&mut client).await;
    }
    world.text("UPDATE question_picture SET stored_at = stored_at + interval '1 minute'").await;
    let new = put_photo(&mut client).await;
    assert_eq!(world.text(COUNT).await, ["12"]);
    ask(&mut client, AskRequest { pictures: vec![picture(&new)], ..request("with-a-photo") }).await.unwrap();
}

#[tokio::test]
async fn a_picture_without_a_message_is_deleted_after_a_day() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let sent = put_photo(&mut client).await;
    put_photo(&mut client).await;
    ask(&mut client, AskRequest { pictures: vec![picture(&sent)], ..request("with-a-photo") }).await.unwrap();
    let mut connection = world.database.pool.acquire().await.unwrap();
    for (hours, left) in [(23, "2"), (25, "1"), (24 * 400, "1")] {
        let now = NOW + Duration::hours(hours);
        desk::sweep::sweep_once(&mut connection, now, Duration::days(90)).await.unwrap();
        assert_eq!(world.text(COUNT).await, [left], "after {hours} hours");
    }
    assert!(get(&mut client, &sent).await.is_ok());
}

#[tokio::test]
async fn owners_of_the_lesson_see_the_pictures_of_a_shared_question_up_to_its_last_answer() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let (mut client, mut reader) = (own(&desk), learner(&desk, OTHER));
    let (first, second) = (put_photo(&mut client).await, put_photo(&mut client).await);
    let asked = AskRequest { pictures: vec![picture(&first)], ..at_a_second("key-12345") };
    let id = ask(&mut client, asked).await.unwrap();
    assert_eq!(get_shared(&mut reader, LESSON, &first).await.unwrap_err(), "NOT_FOUND", "not answered");
    answer(&world, &id);
    world.clock.advance(Clock::system().now() + Duration::MINUTE - NOW);
    again(&mut client, "again-0000", &id, vec![picture(&second)]).await.unwrap();

    assert_eq!(shared(&mut reader).await[0].messages[0].pictures, [picture(&first)]);
    let jpeg = get_shared(&mut reader, LESSON, &first).await.unwrap();
    assert_eq!(jpeg, get(&mut client, &first).await.unwrap());
    assert_eq!(get_shared(&mut reader, LESSON + 1, &first).await.unwrap_err(), "NOT_FOUND", "another lesson");
    assert_eq!(get_shared(&mut reader, LESSON, &second).await.unwrap_err(), "NOT_FOUND", "not answered");
    assert!(get(&mut client, &second).await.is_ok());
    assert_eq!(get(&mut reader, &first).await.unwrap_err(), "NOT_FOUND");
    answer(&world, &id);
    assert!(get_shared(&mut reader, LESSON, &second).await.is_ok());

    client.share_teacher_question(ShareTeacherQuestionRequest { id, is_shared: false }).await.unwrap();
    assert_eq!(get_shared(&mut reader, LESSON, &first).await.unwrap_err(), "NOT_FOUND", "not shared");
}

#[tokio::test]
async fn a_teacher_sees_the_photos_and_answers_with_pictures_on_the_command_line() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let photo = put_photo(&mut client).await;
    let described = QuestionPicture { description: "ノートの二行目".to_owned(), ..picture(&photo) };
    let id =
        ask(&mut client, AskRequest { pictures: vec![described], ..request("key-12345") }).await.unwrap();
    let next = stdout(&command(&world, &["next"]));
    assert!(next.contains(&format!("picture  {photo} ノートの二行目")), "{next}");
    let written = command(&world, &["picture", &photo, "-"]);
    assert_eq!(written.stdout, get(&mut client, &photo).await.unwrap());
    let folder = std::env::temp_dir().join(format!("konomana-{id}"));
    std::fs::create_dir(&folder).unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (drawn, text) = (file("graph.jpg", &with_metadata()), file("notes.txt", b"no picture"));
    let saved = folder.join("saved.jpg").to_str().unwrap().to_owned();
    assert!(stdout(&command(&world, &["picture", &photo, &saved])).contains("saved.jpg"));
    assert_eq!(std::fs::read(&saved).unwrap(), written.stdout);
    let missing = command(&world, &["picture", &id, "-"]);
    assert!(String::from_utf8_lossy(&missing.stderr).contains("there is no picture"), "{missing:?}");

    let send = |pictures: &[&str]| {
        let mut arguments = vec!["answer", &id, "-", "--teacher", "高瀬航"];
        arguments.extend(pictures.iter().flat_map(|picture| ["--picture", picture]));
        command_with(&world, &arguments, "グラフをかくと、交点が答えになります。")
    };
    for (pictures, reason) in [
        (vec![&*drawn, &text], "notes.txt: the picture cannot be read"),
        (vec![&*drawn; 4], "at most three times"),
        (vec!["/nowhere.png"], "/nowhere.png"),
        (vec!["-"], "--picture - is not supported: store the picture with desk question upload first"),
    ] {
        let refused = send(&pictures);
        assert!(String::from_utf8_lossy(&refused.stderr).contains(reason), "{refused:?}");
    }
    // As in a cluster, where a command has no files.
    let uploaded = stdout(&command(&world, &["upload", &id, &saved])).trim().to_owned();
    let unknown = send(&[&uploaded, &uploaded]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("a picture is not stored"), "{unknown:?}");
    let nowhere = command(&world, &["upload", &photo, &saved]);
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("there is no question"), "{nowhere:?}");
    stdout(&send(&[&drawn, &uploaded]));
    std::fs::remove_dir_all(&folder).unwrap();
    let found = open(&mut client, &id).await.unwrap();
    let pictures = &found.messages[1].pictures;
    assert_eq!((pictures.len(), pictures[0].description.as_str(), &pictures[1].id), (2, "", &uploaded));
    let jpeg = get(&mut client, &pictures[0].id).await.unwrap();
    assert!(!jpeg.windows(4).any(|bytes| bytes == b"GPS "));
}

#[tokio::test]
async fn pictures_are_exported_and_erased_with_the_account() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let (mut client, mut other) = (own(&desk), learner(&desk, OTHER));
    let (sent, theirs) = (put_photo(&mut client).await, put_photo(&mut other).await);
    let asked = |key: &str, id: &str| AskRequest { pictures: vec![picture(id)], ..request(key) };
    ask(&mut client, asked("key-of-mine", &sent)).await.unwrap();
    ask(&mut other, asked("key-of-theirs", &theirs)).await.unwrap();
    put_photo(&mut client).await;
    let mut export =
        client.export_question_pictures(ExportQuestionPicturesRequest {}).await.unwrap().into_inner();
    let mut exported = Vec::new();
    while let Some(picture) = export.message().await.unwrap() {
        assert!(picture.jpeg.starts_with(&[0xff, 0xd8]));
        exported.push(picture.id);
    }
    assert_eq!(exported, [sent]);

    desk.tell(&AccountErased { account_id: ACCOUNT.to_owned() }).await;
    assert_eq!(world.text(COUNT).await, ["1"], "that of another account");
    assert!(get(&mut other, &theirs).await.is_ok());
    let late = put(&mut client, encoded(ImageFormat::Png)).await;
    assert_eq!(late.unwrap_err(), "NOT_FOUND");
    assert_eq!(world.text(COUNT).await, ["1"]);
}
