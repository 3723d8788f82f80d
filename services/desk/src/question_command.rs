//! `desk question`: the command line on which teachers answer questions.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use kit::Failure;
use kit::clock::Clock;
use kit::encryption::Encryptor;
use kit_db::Pool;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::command_input::{check_teacher, read_text};
use crate::config::Database;
use crate::config::question::{Question, QuestionAnswer, QuestionStorage};
use crate::email;
use crate::error::Error;
use crate::japan_time::format_in_japan;
use crate::learner_contact;
use crate::notification::{Notification, Notifier};
use crate::teacher_question::answering::{self, AnswerPicture, NewAnswer};
use crate::teacher_question::{self, message, picture};

/// Longest answer in characters.
const ANSWER_LIMIT: usize = 4_000;

/// Runs a command and prints its result.
///
/// # Errors
///
/// The database failed, or the command does not fit the question: the message says why.
#[expect(clippy::print_stdout, reason = "the output of a command")]
pub async fn run(command: Question, clock: &Clock) -> Result<(), Failure> {
    let output = match command {
        Question::Next { teacher, storage } => show_next(&storage, teacher.as_deref()).await?,
        Question::Show { id, storage } => {
            let (pool, encryptor) = open_storage(&storage).await?;
            let shown = show(&mut *pool.acquire().await?, id, &encryptor).await?;
            pool.close().await;
            shown.ok_or_else(|| no_question(id))?
        }
        Question::Picture { id, file, storage } => {
            let jpeg = find_picture(&storage, id).await?;
            if file == Path::new("-") {
                let mut output = std::io::stdout().lock();
                output.write_all(&jpeg)?;
                // Without it, an error at the end of the process is ignored.
                output.flush()?;
                return Ok(());
            }
            let written = std::fs::write(&file, jpeg);
            written.map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
            format!("picture {id} is in {}", file.display())
        }
        Question::Upload { id, file, storage } => upload_picture(&storage, id, &file, clock.now()).await?,
        Question::Release { id, database } => release(&database, id).await?,
        Question::Answer(answer) => send_answer(&answer, clock.now()).await?,
        Question::Status(database) => show_status(&database, clock.now()).await?,
    };
    println!("{output}");
    Ok(())
}

async fn open_storage(storage: &QuestionStorage) -> Result<(Pool, Encryptor), Failure> {
    let encryptor = storage.secret.question_encryptor()?;
    Ok((Pool::connect(&(&storage.database).into()).await?, encryptor))
}

async fn show_next(storage: &QuestionStorage, teacher: Option<&str>) -> Result<String, Failure> {
    let teacher = teacher.map(check_teacher).transpose()?;
    let (pool, encryptor) = open_storage(storage).await?;
    let mut transaction = pool.begin().await?;
    let shown = match answering::find_next(&mut transaction, teacher).await? {
        Some(id) => show(&mut transaction, id, &encryptor).await?,
        None => None,
    };
    transaction.commit().await?;
    pool.close().await;
    Ok(shown.unwrap_or_else(|| "no question waits".to_owned()))
}

/// The text of a question with its messages.
async fn show(
    database: &mut PgConnection,
    id: Uuid,
    encryptor: &Encryptor,
) -> Result<Option<String>, Failure> {
    let Some(question) = teacher_question::find(database, id, None, encryptor).await? else {
        return Ok(None);
    };
    let state = match (question.is_waiting, &question.teacher) {
        (true, None) => "waiting".to_owned(),
        (true, Some(teacher)) => format!("waiting, taken by {teacher}"),
        (false, teacher) => format!("answered by {}", teacher.as_deref().unwrap_or_default()),
    };
    let mut output = format!("question {id}\nstate    {state}\n");
    if let Some(due) = question.due_at.filter(|_| question.is_waiting) {
        writeln!(output, "due      {}", format_in_japan(due))?;
    }
    if let Some(place) = &question.place {
        writeln!(output, "course   {} {}", place.course, place.course_name)?;
        writeln!(output, "lesson   {} {}", place.lesson, place.lesson_name)?;
        if let Some(at) = place.at {
            writeln!(output, "at       {at} s ({}:{:02})", at / 60, at % 60)?;
        }
        if let Some((exercise, text)) = &place.exercise {
            writeln!(output, "exercise {exercise} {text}")?;
        }
    }
    for message in message::list(database, id, encryptor).await? {
        let author = message.teacher.as_deref().unwrap_or("the learner");
        write!(output, "\n{} {author}:\n{}\n", format_in_japan(message.sent_at), message.text)?;
        for picture in message.pictures {
            writeln!(output, "picture  {} {}", picture.id, picture.description)?;
        }
    }
    Ok(Some(output))
}

async fn find_picture(storage: &QuestionStorage, id: Uuid) -> Result<Vec<u8>, Failure> {
    let (pool, encryptor) = open_storage(storage).await?;
    let jpeg = picture::find(&mut *pool.acquire().await?, id, None, &encryptor).await?;
    pool.close().await;
    jpeg.ok_or_else(|| {
        format!("there is no picture {id}: `desk question show` lists those of a question").into()
    })
}

async fn upload_picture(
    storage: &QuestionStorage,
    id: Uuid,
    file: &Path,
    now: OffsetDateTime,
) -> Result<String, Failure> {
    let jpeg = read_picture(file)?;
    let (pool, encryptor) = open_storage(storage).await?;
    let mut transaction = pool.begin().await?;
    let stored = match answering::store_picture(&mut transaction, id, &jpeg, &encryptor, now).await {
        Err(Error::NotFound) => return Err(no_question(id)),
        stored => stored?,
    };
    transaction.commit().await?;
    pool.close().await;
    Ok(stored.to_string())
}

/// Reads a picture from a file, or from the standard input for `-`, and converts it to a JPEG.
fn read_picture(file: &Path) -> Result<Vec<u8>, Failure> {
    let mut content = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().read_to_end(&mut content)?;
    } else {
        content = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    kit_picture::convert_to_jpeg(&content).map_err(|error| format!("{}: {error}", file.display()).into())
}

/// Reads the pictures of an answer: files, or ids of stored pictures.
fn read_pictures(given: &[PathBuf]) -> Result<Vec<AnswerPicture>, Failure> {
    if given.len() > picture::MESSAGE_LIMIT {
        return Err(format!("{} pictures: pass --picture at most three times", given.len()).into());
    }
    // The answer may come from the standard input.
    if given.iter().any(|file| file == Path::new("-")) {
        return Err("--picture - is not supported: store the picture with desk question upload first".into());
    }
    let read = |file: &PathBuf| match file.to_str().and_then(|text| text.parse().ok()) {
        Some(id) => Ok(AnswerPicture::Stored(id)),
        None => read_picture(file).map(AnswerPicture::New),
    };
    given.iter().map(read).collect()
}

async fn release(database: &Database, id: Uuid) -> Result<String, Failure> {
    let pool = Pool::connect(&database.into()).await?;
    let mut transaction = pool.begin().await?;
    let teacher = match answering::release(&mut transaction, id).await {
        Err(Error::NotFound) => return Err(no_question(id)),
        Err(Error::AlreadyAnswered) => return Err(already_answered(id)),
        teacher => teacher?,
    };
    transaction.commit().await?;
    pool.close().await;
    Ok(match teacher {
        Some(teacher) => format!("question {id} waits for any teacher; {teacher} had taken it"),
        None => format!("question {id} waits for any teacher; none had taken it"),
    })
}

async fn send_answer(answer: &QuestionAnswer, now: OffsetDateTime) -> Result<String, Failure> {
    let teacher = check_teacher(&answer.teacher)?;
    let text = read_text(&answer.file, "the answer", ANSWER_LIMIT)?;
    let pictures = read_pictures(&answer.picture)?;
    let (pool, encryptor) = open_storage(&answer.storage).await?;
    let mut transaction = pool.begin().await?;
    let id = answer.id;
    let question = teacher_question::find(&mut transaction, id, None, &encryptor).await?;
    let question = question.ok_or_else(|| no_question(id))?;
    let lesson = answer.lesson.map(i64::from).or_else(|| question.place.map(|place| place.lesson));
    let place = match (answer.at, lesson) {
        (None, _) => None,
        (Some(at), Some(lesson)) => Some((lesson, at.into())),
        (Some(_), None) => return Err("the question has no lesson: pass --lesson with --at".into()),
    };
    let new = NewAnswer { question: id, teacher, text: &text, place, pictures: &pictures };
    let account = match answering::answer(&mut transaction, &new, &encryptor, now).await {
        Err(Error::AlreadyAnswered) => return Err(already_answered(id)),
        Err(Error::Field(_)) => {
            return Err(
                "a picture is not stored, or another answer has it: `desk question upload` stores it".into(),
            );
        }
        account => account?,
    };
    if let Some(asker) = learner_contact::find(&mut transaction, account, &encryptor).await? {
        let email = email::question::write_answered(account, &asker, id, teacher);
        let notification = Notification {
            account,
            dedupe_key: &format!("{} {id} {}", email.kind, now.unix_timestamp()),
            about: None,
            email: &email,
        };
        let notifier = Notifier::new(&answer.emails, &answer.storage.secret)?;
        notifier.notify(&mut transaction, &notification, now).await?;
    }
    transaction.commit().await?;
    pool.close().await;
    Ok(format!("question {id} is answered"))
}

async fn show_status(database: &Database, now: OffsetDateTime) -> Result<String, Failure> {
    let pool = Pool::connect(&database.into()).await?;
    let mut connection = pool.acquire().await?;
    let waiting = answering::count_waiting(&mut connection, now).await?;
    let mut status = format!("waiting {}\noverdue {}", waiting.count, waiting.overdue);
    if let Some(oldest) = waiting.oldest {
        write!(status, "\noldest  {}", format_in_japan(oldest))?;
    }
    for (id, due, teacher) in answering::list_overdue(&mut connection, now).await? {
        let teacher = teacher.as_deref().unwrap_or("nobody");
        write!(status, "\n{id} was due {}, taken by {teacher}", format_in_japan(due))?;
    }
    drop(connection);
    pool.close().await;
    Ok(status)
}

fn no_question(id: Uuid) -> Failure {
    format!("there is no question {id}").into()
}

fn already_answered(id: Uuid) -> Failure {
    format!("question {id} is answered already: `desk question show {id}` shows it").into()
}
