//! `desk.v1.TeacherQuestionService`.

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use kit::caller::CallerOf as _;
use kit::error::FieldError;
use kit::page::Page;
use kit::timestamp::to_timestamp;
use kit_db::idempotency::{self, Attempt, IdempotencyKey, IdempotentRequest};
use kit_db::limit::{Bucket, Rate};
use prost::Message as _;
use proto::desk as wire;
use proto::desk::teacher_question_service_server::TeacherQuestionService;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Desk, commit, parse_id, take_token};
use crate::account_age;
use crate::contact::check_text;
use crate::error::Error;
use crate::learner_contact::LearnerContact;
use crate::teacher_question::asking::{self, NewQuestion};
use crate::teacher_question::message::Message;
use crate::teacher_question::picture::{self, Picture};
use crate::teacher_question::{self, PAGE_SIZE, Place, Rules, TeacherQuestion, shared};

/// Pictures that a learner stores an hour.
const PICTURES_PER_HOUR: u32 = 60;

#[tonic::async_trait]
impl TeacherQuestionService for Desk {
    async fn get_question_allowance(
        &self,
        request: Request<wire::GetQuestionAllowanceRequest>,
    ) -> Result<Response<wire::GetQuestionAllowanceResponse>, Status> {
        let account = request.caller()?.learner()?;
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let allowance = asking::find_allowance(&mut connection, account, self.questions, now)
            .await
            .map_err(Error::from)?;
        Ok(Response::new(wire::GetQuestionAllowanceResponse {
            left: allowance.left,
            monthly: self.questions.monthly,
            renews_at: Some(to_timestamp(asking::next_month(now))),
            unread: allowance.unread,
        }))
    }

    async fn ask(&self, request: Request<wire::AskRequest>) -> Result<Response<wire::AskResponse>, Status> {
        let account = request.caller()?.learner()?;
        Ok(Response::new(self.store_question(account, request.into_inner()).await?))
    }

    async fn ask_again(
        &self,
        request: Request<wire::AskAgainRequest>,
    ) -> Result<Response<wire::AskAgainResponse>, Status> {
        let account = request.caller()?.learner()?;
        Ok(Response::new(self.store_follow_up(account, request.into_inner()).await?))
    }

    async fn put_question_picture(
        &self,
        request: Request<wire::PutQuestionPictureRequest>,
    ) -> Result<Response<wire::PutQuestionPictureResponse>, Status> {
        let account = request.caller()?.learner()?;
        let id = self.store_question_picture(account, request.into_inner().content).await?;
        Ok(Response::new(wire::PutQuestionPictureResponse { id: id.to_string() }))
    }

    async fn get_question_picture(
        &self,
        request: Request<wire::GetQuestionPictureRequest>,
    ) -> Result<Response<wire::GetQuestionPictureResponse>, Status> {
        let account = request.caller()?.learner()?;
        let id = parse_id(&request.into_inner().id)?;
        let mut connection = self.acquire().await?;
        let jpeg = picture::find(&mut connection, id, Some(account), &self.question_encryptor).await?;
        Ok(Response::new(wire::GetQuestionPictureResponse { jpeg: jpeg.ok_or(Error::NotFound)? }))
    }

    async fn get_shared_question_picture(
        &self,
        request: Request<wire::GetSharedQuestionPictureRequest>,
    ) -> Result<Response<wire::GetSharedQuestionPictureResponse>, Status> {
        request.caller()?.learner()?;
        let request = request.into_inner();
        let id = parse_id(&request.id)?;
        let mut connection = self.acquire().await?;
        let jpeg =
            picture::find_shared(&mut connection, id, request.lesson_id, &self.question_encryptor).await?;
        Ok(Response::new(wire::GetSharedQuestionPictureResponse { jpeg: jpeg.ok_or(Error::NotFound)? }))
    }

    async fn list_teacher_questions(
        &self,
        request: Request<wire::ListTeacherQuestionsRequest>,
    ) -> Result<Response<wire::ListTeacherQuestionsResponse>, Status> {
        let account = request.caller()?.learner()?;
        let page = Page::parse(request.into_inner().page, PAGE_SIZE)?;
        let mut connection = self.acquire().await?;
        let (rows, questions) =
            teacher_question::list_page(&mut connection, account, page, &self.question_encryptor).await?;
        Ok(Response::new(wire::ListTeacherQuestionsResponse {
            count: page.encode_count(rows).ok_or(Error::NotFound)?,
            questions: questions.into_iter().map(|question| encode(question, self.questions)).collect(),
        }))
    }

    async fn get_teacher_question(
        &self,
        request: Request<wire::GetTeacherQuestionRequest>,
    ) -> Result<Response<wire::GetTeacherQuestionResponse>, Status> {
        let account = request.caller()?.learner()?;
        let id = parse_id(&request.into_inner().id)?;
        let mut connection = self.acquire().await?;
        let (question, messages) = teacher_question::open(
            &mut connection,
            (id, account),
            &self.question_encryptor,
            self.clock.now(),
        )
        .await?;
        Ok(Response::new(wire::GetTeacherQuestionResponse {
            question: Some(encode(question, self.questions)),
            messages: messages.into_iter().map(encode_message).collect(),
        }))
    }

    async fn thank(
        &self,
        request: Request<wire::ThankRequest>,
    ) -> Result<Response<wire::ThankResponse>, Status> {
        let account = request.caller()?.learner()?;
        let id = parse_id(&request.into_inner().id)?;
        let mut connection = self.acquire().await?;
        teacher_question::thank(&mut connection, (id, account), self.clock.now()).await?;
        Ok(Response::new(wire::ThankResponse {}))
    }

    async fn share_teacher_question(
        &self,
        request: Request<wire::ShareTeacherQuestionRequest>,
    ) -> Result<Response<wire::ShareTeacherQuestionResponse>, Status> {
        let account = request.caller()?.learner()?;
        let request = request.into_inner();
        let id = parse_id(&request.id)?;
        let mut connection = self.acquire().await?;
        shared::set_shared(&mut connection, (id, account), request.is_shared).await?;
        Ok(Response::new(wire::ShareTeacherQuestionResponse {}))
    }

    async fn list_shared_questions(
        &self,
        request: Request<wire::ListSharedQuestionsRequest>,
    ) -> Result<Response<wire::ListSharedQuestionsResponse>, Status> {
        let reader = request.caller()?.learner()?;
        let request = request.into_inner();
        let page = Page::parse(request.page, PAGE_SIZE)?;
        let mut connection = self.acquire().await?;
        let (rows, questions) =
            shared::list_page(&mut connection, request.lesson_id, reader, page, &self.question_encryptor)
                .await?;
        let questions = questions.into_iter().map(|question| wire::SharedQuestion {
            id: question.id.to_string(),
            at: question.at.map(i32::unsigned_abs),
            messages: question.messages.into_iter().map(encode_message).collect(),
            is_own: question.is_own,
        });
        Ok(Response::new(wire::ListSharedQuestionsResponse {
            count: page.encode_count(rows).ok_or(Error::NotFound)?,
            questions: questions.collect(),
        }))
    }

    type ExportTeacherQuestionsStream =
        BoxStream<'static, Result<wire::ExportTeacherQuestionsResponse, Status>>;

    async fn export_teacher_questions(
        &self,
        request: Request<wire::ExportTeacherQuestionsRequest>,
    ) -> Result<Response<Self::ExportTeacherQuestionsStream>, Status> {
        let account = request.caller()?.account()?;
        let mut connection = self.acquire().await?;
        let ids = teacher_question::list_ids(&mut connection, account).await.map_err(Error::from)?;
        let desk = self.clone();
        let questions = stream::iter(ids).then(move |id| {
            let desk = desk.clone();
            async move { Ok(desk.export_question(id, account).await?) }
        });
        Ok(Response::new(questions.boxed()))
    }

    type ExportQuestionPicturesStream =
        BoxStream<'static, Result<wire::ExportQuestionPicturesResponse, Status>>;

    async fn export_question_pictures(
        &self,
        request: Request<wire::ExportQuestionPicturesRequest>,
    ) -> Result<Response<Self::ExportQuestionPicturesStream>, Status> {
        let account = request.caller()?.account()?;
        let mut connection = self.acquire().await?;
        let ids = picture::list_ids(&mut connection, account).await.map_err(Error::from)?;
        let desk = self.clone();
        let pictures = stream::iter(ids).then(move |id| {
            let desk = desk.clone();
            async move {
                let mut connection = desk.acquire().await?;
                let jpeg =
                    picture::find(&mut connection, id, Some(account), &desk.question_encryptor).await?;
                let jpeg = jpeg.ok_or(Error::NotFound)?;
                Ok(wire::ExportQuestionPicturesResponse { id: id.to_string(), jpeg })
            }
        });
        Ok(Response::new(pictures.boxed()))
    }
}

impl Desk {
    async fn store_question_picture(&self, account: Uuid, content: Vec<u8>) -> Result<Uuid, Error> {
        if content.len() > kit_picture::BYTES_LIMIT {
            return Err(Error::PictureTooLarge);
        }
        let bucket = Bucket::new(self.keyed_hash.hash("question picture", &account.to_string()));
        let rate = Rate::hourly(PICTURES_PER_HOUR);
        take_token(&mut *self.acquire().await?, &bucket, rate, self.clock.now()).await?;
        let jpeg = self.converter.convert(content).await?;
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let id = picture::store(&mut transaction, account, &jpeg, &self.question_encryptor, now).await?;
        commit(transaction).await?;
        Ok(id)
    }

    async fn store_question(
        &self,
        account: Uuid,
        request: wire::AskRequest,
    ) -> Result<wire::AskResponse, Error> {
        let key = IdempotencyKey::parse(&request.idempotency_key)?;
        let text = parse_text(&request.text)?;
        let pictures = parse_pictures(&request.pictures)?;
        let place = request.place.clone().map(Place::try_from).transpose()?;
        let asker = parse_asker(request.asker.clone())?;
        let birth_date = request.asker.as_ref().and_then(|asker| asker.birth_date.clone());
        // Without the asker and names: they may have changed when the request is repeated.
        let body = wire::AskRequest {
            place: request.place.as_ref().map(|place| wire::QuestionPlace {
                course_name: String::new(),
                lesson_name: String::new(),
                exercise_text: None,
                ..place.clone()
            }),
            asker: None,
            ..request.clone()
        };
        let scope = format!("teacher question {account}");
        let request = IdempotentRequest::new(&self.keyed_hash, &scope, key, &body.encode_to_vec());
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let claim = match idempotency::claim(&mut transaction, &request, now).await? {
            Attempt::Answered(answer) => return Ok(answer),
            Attempt::First(claim) => claim,
        };
        let new = NewQuestion {
            account,
            text: &text,
            place: place.as_ref(),
            is_shared: body.is_shared,
            pictures: &pictures,
        };
        let (encryptor, rules) = (&self.question_encryptor, self.questions);
        let id = asking::ask(&mut transaction, &new, &asker, encryptor, rules, now).await?;
        account_age::save_text(&mut transaction, account, birth_date.as_deref(), now).await?;
        let answer = wire::AskResponse { id: id.to_string() };
        claim.store(&mut transaction, &answer).await?;
        commit(transaction).await?;
        Ok(answer)
    }

    async fn store_follow_up(
        &self,
        account: Uuid,
        request: wire::AskAgainRequest,
    ) -> Result<wire::AskAgainResponse, Error> {
        let key = IdempotencyKey::parse(&request.idempotency_key)?;
        let id = parse_id(&request.id)?;
        let text = parse_text(&request.text)?;
        let pictures = parse_pictures(&request.pictures)?;
        let asker = parse_asker(request.asker.clone())?;
        let birth_date = request.asker.as_ref().and_then(|asker| asker.birth_date.clone());
        let body = wire::AskAgainRequest { asker: None, ..request.clone() };
        let scope = format!("teacher question again {account}");
        let request = IdempotentRequest::new(&self.keyed_hash, &scope, key, &body.encode_to_vec());
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let claim = match idempotency::claim(&mut transaction, &request, now).await? {
            Attempt::Answered(answer) => return Ok(answer),
            Attempt::First(claim) => claim,
        };
        let (encryptor, rules) = (&self.question_encryptor, self.questions);
        let message = (text.as_str(), pictures.as_slice());
        asking::ask_again(&mut transaction, (id, account), message, &asker, encryptor, rules, now).await?;
        account_age::save_text(&mut transaction, account, birth_date.as_deref(), now).await?;
        let answer = wire::AskAgainResponse {};
        claim.store(&mut transaction, &answer).await?;
        commit(transaction).await?;
        Ok(answer)
    }

    async fn export_question(
        &self,
        id: Uuid,
        account: Uuid,
    ) -> Result<wire::ExportTeacherQuestionsResponse, Error> {
        let mut connection = self.acquire().await?;
        let encryptor = &self.question_encryptor;
        let question = teacher_question::find(&mut connection, id, Some(account), encryptor).await?;
        let messages = teacher_question::message::list(&mut connection, id, encryptor).await?;
        Ok(wire::ExportTeacherQuestionsResponse {
            question: question.map(|question| encode(question, self.questions)),
            messages: messages.into_iter().map(encode_message).collect(),
        })
    }
}

impl TryFrom<wire::QuestionPlace> for Place {
    type Error = Error;

    fn try_from(place: wire::QuestionPlace) -> Result<Self, Error> {
        let at = place.at.map(i32::try_from).transpose();
        Ok(Self {
            course: place.course_id,
            course_name: place.course_name,
            lesson: place.lesson_id,
            lesson_name: place.lesson_name,
            at: at.map_err(|_| FieldError::new("at", "OUT_OF_RANGE"))?,
            exercise: place.exercise_id.zip(place.exercise_text),
        })
    }
}

impl From<Place> for wire::QuestionPlace {
    fn from(place: Place) -> Self {
        let (exercise_id, exercise_text) = place.exercise.unzip();
        Self {
            course_id: place.course,
            course_name: place.course_name,
            lesson_id: place.lesson,
            lesson_name: place.lesson_name,
            at: place.at.map(i32::unsigned_abs),
            exercise_id,
            exercise_text,
        }
    }
}

fn parse_text(typed: &str) -> Result<String, Error> {
    check_text(typed).map_err(|wrong| Error::Field(FieldError::new("text", wrong.code())))
}

fn parse_pictures(pictures: &[wire::QuestionPicture]) -> Result<Vec<Picture>, Error> {
    let wrong = |code: &'static str| Error::Field(FieldError::new("pictures", code));
    if pictures.len() > picture::MESSAGE_LIMIT {
        return Err(wrong("TOO_LONG"));
    }
    let parse = |sent: &wire::QuestionPicture| {
        let id = sent.id.parse().map_err(|_| wrong("INVALID_FORMAT"))?;
        Picture::new(id, &sent.description).map_err(|reason| wrong(reason.code()))
    };
    pictures.iter().map(parse).collect()
}

fn parse_asker(asker: Option<wire::QuestionAsker>) -> Result<LearnerContact, Error> {
    let contact = asker.and_then(|asker| LearnerContact::new(asker.name, asker.email));
    contact.ok_or(Error::Field(FieldError::new("asker", "REQUIRED")))
}

fn encode(question: TeacherQuestion, rules: Rules) -> wire::TeacherQuestion {
    wire::TeacherQuestion {
        id: question.id.to_string(),
        is_unread: question.is_unread(),
        can_ask_again: question.can_ask_again(rules),
        text: question.text,
        place: question.place.map(Into::into),
        asked_at: Some(to_timestamp(question.asked_at)),
        is_waiting: question.is_waiting,
        due_at: question.due_at.filter(|_| question.is_waiting).map(to_timestamp),
        teacher: question.teacher.unwrap_or_default(),
        answered_at: question.answered_at.map(to_timestamp),
        is_thanked: question.is_thanked,
        is_shared: question.is_shared,
    }
}

fn encode_message(message: Message) -> wire::QuestionMessage {
    wire::QuestionMessage {
        teacher: message.teacher.unwrap_or_default(),
        text: message.text,
        sent_at: Some(to_timestamp(message.sent_at)),
        lesson_id: message.place.map(|(lesson, _)| lesson),
        at: message.place.map(|(_, at)| at.unsigned_abs()),
        pictures: message.pictures.into_iter().map(encode_picture).collect(),
    }
}

fn encode_picture(picture: Picture) -> wire::QuestionPicture {
    wire::QuestionPicture { id: picture.id.to_string(), description: picture.description }
}
