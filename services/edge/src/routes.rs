//! Every route of the REST API, one row each. The router, the `OpenAPI` document, the middleware and the access test are
//! derived from the rows.

mod openapi;

use axum::Router;
use axum::middleware::from_fn_with_state;
use http::Method;
use kit::trace::ServerTrace;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::openapi::Base;
pub use self::openapi::schema;

use crate::accounts::{
    address, close, consent, email, export, guardian, passkeys, password, profile, sessions, signup, user,
};
use crate::audience::Audience::{
    self, Anyone, Caller, Guardian, Learner, LearnerOrGuardian, SignedUrl, Webhook,
};
use crate::bulkhead::Bulkhead::{
    AnswerPictures, Openings, Other, PasswordCheck, Picture, PublicReads, Refresh, Requests, Saves, SignIn,
};
use crate::bulkhead::Part::{Accounts, Commerce, Desk, Exam, Lms, Media, Postal, Search};
use crate::closure::Scope;
use crate::commerce::webhook::PROVIDER;
use crate::commerce::{
    card, cart, confirmation, coupon, guardian_request, order, product, receipt, refund, subscription,
    webhook,
};
use crate::desk::{
    calendar_address, contact, entry_exam, faq, feed, interview, interview_slot, member_notice, notice,
    notification, push_device, question_picture, school_event, shared_question, success, teacher_question,
    teacher_question_draft,
};
use crate::error::Error;
use crate::exam::{
    answers, applications, checks, child_results, exams, figures, paper_result, pictures,
    receipts as exam_receipts, result as exam_result, schools, sitting,
};
use crate::input::{EVENT, FORM, JSON, NO_BODY, PICTURE};
use crate::lms::{
    certificates, classes, course_list, courses, exam_reviews, handouts, heartbeats, home, inventory, lesson,
    marks, notes, questions, results, reviews, streams, study_plan, teachers,
};
use crate::middleware::{handle_request, shed_load};
use crate::overview::report;
use crate::route::Route;
use crate::route::XsrfCookie::{Issued, NotIssued};
use crate::{Edge, calendar, maintenance, media, overview, postal, search};

/// Every route, one row each: its handler (whose `utoipa::path` attribute has the method, path and
/// documentation), its audience, bulkhead, maintenance scope, whether it issues the XSRF-TOKEN cookie, and
/// its body.
///
/// A route for which auth hashes a password takes `SignIn` without a token and `PasswordCheck` with one; a
/// test finds routes that do not.
#[rustfmt::skip]
pub(crate) fn all_routes() -> Vec<Route> {
    vec![
        // /api/accounts/
        Route::new(routes!(sessions::login),              Anyone,            SignIn,                Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(password::change),             Anyone,            SignIn,                Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(sessions::refresh),            Anyone,            Refresh,               Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(signup::start),                Anyone,            SignIn,                Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(signup::resend),               Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(signup::verify),               Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(signup::status),               Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(signup::complete),             Anyone,            SignIn,                Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(password::reset),              Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(password::check),              Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(password::confirm),            Anyone,            SignIn,                Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(user::user),                   Caller,            Requests(Accounts),    Some(Scope::Accounts), Issued,    NO_BODY),
        Route::new(routes!(sessions::logout),             Caller,            Requests(Accounts),    None,                  Issued,    JSON),
        Route::new(routes!(profile::set_profile),         Caller,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(address::address),             Caller,            Requests(Accounts),    Some(Scope::Accounts), Issued,    NO_BODY),
        Route::new(routes!(address::set_address),         Caller,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(password::change_password),    Caller,            PasswordCheck,         Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(email::change_email),          Caller,            PasswordCheck,         Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(email::confirm_email),         Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(email::stop_email),            Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(email::undo_email),            Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(sessions::list),               Caller,            Requests(Accounts),    Some(Scope::Accounts), Issued,    NO_BODY),
        Route::new(routes!(sessions::end),                Caller,            Requests(Accounts),    Some(Scope::Accounts), Issued,    NO_BODY),
        Route::new(routes!(sessions::end_all),            Caller,            Requests(Accounts),    None,                  Issued,    JSON),
        Route::new(routes!(consent::ask_consent),         Learner,           Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(consent::check_consent),       Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(consent::give_consent),        Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(consent::check_withdrawal),    Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(consent::withdraw),            Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(consent::withdraw_for_child),  Guardian,          Requests(Accounts),    Some(Scope::Accounts), Issued,    NO_BODY),
        Route::new(routes!(consent::check_birth_date),    Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(consent::decide_birth_date),   Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(guardian::new_code),           Learner,           Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(guardian::links),              Learner,           Requests(Accounts),    Some(Scope::Accounts), Issued,    NO_BODY),
        Route::new(routes!(guardian::end_link),           LearnerOrGuardian, Requests(Accounts),    Some(Scope::Accounts), Issued,    NO_BODY),
        Route::new(routes!(guardian::use_code),           Guardian,          Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(guardian::children),           Guardian,          Requests(Accounts),    Some(Scope::Accounts), Issued,    NO_BODY),
        Route::new(routes!(guardian::child),              Guardian,          Requests(Accounts),    Some(Scope::Accounts), Issued,    NO_BODY),
        Route::new(routes!(overview::child_overview),     Guardian,          Requests(Accounts),    Some(Scope::Accounts), Issued,    NO_BODY),
        Route::new(routes!(report::child_report),         Guardian,          Requests(Lms),         Some(Scope::Learning), Issued,    NO_BODY),
        Route::new(routes!(report::own_report),           Learner,           Requests(Lms),         Some(Scope::Learning), Issued,    NO_BODY),
        Route::new(routes!(overview::own_overview),       Learner,           Requests(Accounts),    Some(Scope::Accounts), Issued,    NO_BODY),
        Route::new(routes!(export::export_account),       Caller,            PasswordCheck,         Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(close::close),                 Caller,            PasswordCheck,         Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(close::reopen),                Anyone,            SignIn,                Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(passkeys::list),               Caller,            Requests(Accounts),    Some(Scope::Accounts), Issued,    NO_BODY),
        Route::new(routes!(passkeys::add),                Caller,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(passkeys::options),            Caller,            PasswordCheck,         Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(passkeys::rename),             Caller,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(passkeys::remove),             Caller,            Requests(Accounts),    Some(Scope::Accounts), Issued,    NO_BODY),
        Route::new(routes!(passkeys::keep),               Caller,            PasswordCheck,         Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(passkeys::login_options),      Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        Route::new(routes!(passkeys::log_in),             Anyone,            Requests(Accounts),    Some(Scope::Accounts), Issued,    JSON),
        // /api/lms/
        Route::new(routes!(inventory::list),              Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(inventory::item),              Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(lesson::lesson),               Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(streams::start),               Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(streams::end),                 Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(handouts::list),               Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(handouts::bundle),             Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(marks::bookmarks),             Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(marks::set_bookmark),          Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(marks::remove_bookmark),       Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(marks::favorites),             Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(marks::set_favorite),          Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(marks::remove_favorite),       Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(marks::checks),                Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(marks::set_check),             Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(marks::remove_check),          Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(heartbeats::record_heartbeat), Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(heartbeats::recent),           Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(heartbeats::week),             Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(notes::notes),                 Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(notes::set_note),              Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(notes::remove_note),           Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(questions::list),              Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(questions::question),          Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(questions::answer),            Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(questions::practise),          Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(results::list),                Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(results::growth),              Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(results::result),              Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(reviews::list),                Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(exam_reviews::list),           Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(exam_reviews::record),         Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(certificates::certificate),    Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(certificates::issue),          Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(certificates::set_visibility), Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(certificates::pdf),            Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(classes::week),                Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(classes::lessons),             Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(classes::record_attendance),   Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(classes::set_homework_mark),   Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(classes::remove_homework_mark),Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(study_plan::plan),             Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(study_plan::set_minutes),      Learner,           Requests(Lms),         Some(Scope::Learning), NotIssued, JSON),
        // People without an account check certificates.
        Route::new(routes!(certificates::check),          Anyone,            PublicReads(Lms),      Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(home::home),                   Anyone,            PublicReads(Lms),      Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(course_list::list),            Anyone,            PublicReads(Lms),      Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(courses::course),              Anyone,            PublicReads(Lms),      Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(teachers::list),               Anyone,            PublicReads(Lms),      Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(teachers::teacher),            Anyone,            PublicReads(Lms),      Some(Scope::Learning), NotIssued, NO_BODY),
        // /api/exam/
        Route::new(routes!(exams::list),                  Anyone,            PublicReads(Exam),     Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(exams::exam),                  Anyone,            PublicReads(Exam),     Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(checks::list),                 Anyone,            PublicReads(Exam),     Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(checks::check),                Anyone,            PublicReads(Exam),     Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(checks::grade),                Anyone,            Requests(Exam),        Some(Scope::Exam),     NotIssued, JSON),
        Route::new(routes!(schools::list),                Anyone,            PublicReads(Exam),     Some(Scope::Exam),     NotIssued, NO_BODY),
        // A sitting shows figures, and maintenance never closes it.
        Route::new(routes!(figures::figure),              Anyone,            PublicReads(Exam),     None,                  NotIssued, NO_BODY),
        Route::new(routes!(applications::list),           Learner,           Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        // Another device finds the running sitting in the sheet, so maintenance never closes it.
        Route::new(routes!(applications::application),    Learner,           Requests(Exam),        None,                  NotIssued, NO_BODY),
        Route::new(routes!(applications::take_seat),      Learner,           Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(applications::set_basic_info), Learner,           Requests(Exam),        Some(Scope::Exam),     NotIssued, JSON),
        Route::new(routes!(applications::set_desired_school), Learner,       Requests(Exam),        Some(Scope::Exam),     NotIssued, JSON),
        Route::new(routes!(applications::clear_desired_school), Learner,     Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(applications::set_device_check), Learner,         Requests(Exam),        Some(Scope::Exam),     NotIssued, JSON),
        Route::new(routes!(exam_result::exam_result),     Learner,           Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(exam_result::exam_result_pdf), Learner,           Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(paper_result::paper_result),   Learner,           Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(paper_result::question_result), Learner,           Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(exam_result::judgement),       Learner,           Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(child_results::list),          Guardian,          Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(child_results::exam_result),   Guardian,          Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(child_results::paper_result),  Guardian,          Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(child_results::exam_result_pdf), Guardian,        Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(child_results::judgement),     Guardian,          Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        Route::new(routes!(pictures::child_picture),      Guardian,          Requests(Exam),        Some(Scope::Exam),     NotIssued, NO_BODY),
        // People without an account check receipts too.
        Route::new(routes!(exam_receipts::keys),          Anyone,            PublicReads(Exam),     None,                  NotIssued, NO_BODY),
        // Maintenance never closes a sitting that has started. `start` refuses new ones itself.
        Route::new(routes!(sitting::start),               Learner,           Openings,              None,                  NotIssued, JSON),
        Route::new(routes!(sitting::find),                Learner,           Openings,              None,                  NotIssued, NO_BODY),
        Route::new(routes!(answers::save),                Learner,           Saves,                 None,                  NotIssued, JSON),
        Route::new(routes!(pictures::put_picture),        Learner,           AnswerPictures,        None,                  NotIssued, PICTURE),
        Route::new(routes!(pictures::picture),            Learner,           Requests(Exam),        None,                  NotIssued, NO_BODY),
        Route::new(routes!(sitting::take_over),           Learner,           Openings,              None,                  NotIssued, JSON),
        Route::new(routes!(sitting::hand_in),             Learner,           Saves,                 None,                  NotIssued, JSON),
        Route::new(routes!(exam_receipts::receipt),       Learner,           Requests(Exam),        None,                  NotIssued, NO_BODY),
        // /api/media/
        Route::new(routes!(media::file),                  SignedUrl,         Requests(Media),       Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(media::open),                  Anyone,            PublicReads(Media),    Some(Scope::Learning), NotIssued, NO_BODY),
        // /api/search/
        Route::new(routes!(search::search),               Anyone,            PublicReads(Search),   Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(search::suggest),              Anyone,            PublicReads(Search),   Some(Scope::Site),     NotIssued, NO_BODY),
        // /api/commerce/
        Route::new(routes!(product::list),                Anyone,            PublicReads(Commerce), Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(product::product),             Anyone,            PublicReads(Commerce), Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(cart::cart),                   LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(cart::add_line),               LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(cart::assign_line),            LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(cart::remove_line),            LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(cart::join),                   LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(coupon::apply),                LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(coupon::take_off),             LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(coupon::list),                 LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(coupon::claim),                LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(coupon::coupon),               LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(guardian_request::ask),        Learner,           Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(confirmation::confirmation),   LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(order::place),                 LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(order::list),                  LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(order::order),                 LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(order::check),                 LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(order::pay),                   LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(order::cancel),                LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(receipt::receipt),             LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(receipt::issue),               LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(refund::quote),                LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(refund::request),              LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(refund::invoice),              LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(refund::invoice_pdf),          LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(refund::retry),                LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(receipt::pdf),                 LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(card::card),                   LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(card::start_setup),            LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(card::check_setup),            LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(card::remove),                 LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(subscription::list),           LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(subscription::subscription),   LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, NO_BODY),
        Route::new(routes!(subscription::cancel),         LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(subscription::resume),         LearnerOrGuardian, Requests(Commerce),    Some(Scope::Commerce), NotIssued, JSON),
        Route::new(routes!(webhook::receive_event),       Webhook(PROVIDER), Requests(Commerce),    Some(Scope::Commerce), NotIssued, EVENT),
        // /api/desk/
        Route::new(routes!(notice::list),                 Anyone,            PublicReads(Desk),     Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(feed::feed),                   Anyone,            PublicReads(Desk),     Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(notice::notice),               Anyone,            PublicReads(Desk),     Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(member_notice::list),          Caller,            Requests(Desk),        Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(member_notice::unread),        Caller,            Requests(Desk),        Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(member_notice::notice),        Caller,            Requests(Desk),        Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(notification::settings),       Caller,            Requests(Desk),        Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(notification::set_settings),   Caller,            Requests(Desk),        Some(Scope::Site),     NotIssued, JSON),
        Route::new(routes!(notification::open_unsubscribe), Anyone,          PublicReads(Desk),     None,                  NotIssued, NO_BODY),
        Route::new(routes!(notification::unsubscribe),    Anyone,            Requests(Desk),        Some(Scope::Site),     NotIssued, FORM),
        Route::new(routes!(push_device::save),            Caller,            Requests(Desk),        Some(Scope::Site),     NotIssued, JSON),
        Route::new(routes!(push_device::delete),          Caller,            Requests(Desk),        Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(faq::list),                    Anyone,            PublicReads(Desk),     Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(faq::faq),                     Anyone,            PublicReads(Desk),     Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(faq::vote),                    Anyone,            Requests(Desk),        Some(Scope::Site),     NotIssued, JSON),
        Route::new(routes!(contact::send),                Anyone,            Requests(Desk),        Some(Scope::Site),     NotIssued, JSON),
        Route::new(routes!(contact::put_picture),         Anyone,            Picture,               Some(Scope::Site),     NotIssued, PICTURE),
        Route::new(routes!(teacher_question::allowance),  Learner,           Requests(Desk),        Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(teacher_question_draft::ask),  Learner,           Requests(Desk),        Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(question_picture::put),        Learner,           Picture,               Some(Scope::Learning), NotIssued, PICTURE),
        Route::new(routes!(question_picture::picture),    Learner,           Requests(Desk),        Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(question_picture::shared_picture), Learner,           Requests(Desk),        Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(teacher_question::list),       Learner,           Requests(Desk),        Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(teacher_question::question),   Learner,           Requests(Desk),        Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(teacher_question_draft::ask_again), Learner,           Requests(Desk),        Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(teacher_question::thank),      Learner,           Requests(Desk),        Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(shared_question::share),       Learner,           Requests(Desk),        Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(shared_question::list),        Learner,           Requests(Desk),        Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(interview_slot::kinds),        LearnerOrGuardian, Requests(Desk),        Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(interview_slot::week),         LearnerOrGuardian, Requests(Desk),        Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(interview_slot::hold),         LearnerOrGuardian, Requests(Desk),        Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(interview_slot::release),      LearnerOrGuardian, Requests(Desk),        Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(interview::list),              LearnerOrGuardian, Requests(Desk),        Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(interview::book),              LearnerOrGuardian, Requests(Desk),        Some(Scope::Learning), NotIssued, JSON),
        Route::new(routes!(interview::interview),         LearnerOrGuardian, Requests(Desk),        Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(interview::cancel),            LearnerOrGuardian, Requests(Desk),        Some(Scope::Learning), NotIssued, NO_BODY),
        Route::new(routes!(school_event::list),           Caller,            Requests(Desk),        Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(school_event::event),          Caller,            Requests(Desk),        Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(school_event::sign_up),        LearnerOrGuardian, Requests(Desk),        Some(Scope::Site),     NotIssued, JSON),
        Route::new(routes!(school_event::accept),         LearnerOrGuardian, Requests(Desk),        Some(Scope::Site),     NotIssued, JSON),
        Route::new(routes!(school_event::cancel),         LearnerOrGuardian, Requests(Desk),        Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(calendar_address::address),    Caller,            Requests(Desk),        Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(calendar_address::make),       LearnerOrGuardian, Requests(Desk),        Some(Scope::Site),     NotIssued, JSON),
        Route::new(routes!(calendar_address::end),        Caller,            Requests(Desk),        Some(Scope::Site),     NotIssued, NO_BODY),
        // Takes permits of the services behind itself.
        Route::new(routes!(calendar::calendar),           Anyone,            PublicReads(Accounts), Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(success::voices),              Anyone,            PublicReads(Desk),     Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(success::year),                Anyone,            PublicReads(Desk),     Some(Scope::Site),     NotIssued, NO_BODY),
        Route::new(routes!(entry_exam::list),             Anyone,            PublicReads(Desk),     Some(Scope::Site),     NotIssued, NO_BODY),
        // /api/postal/
        Route::new(routes!(postal::look_up),              Anyone,            PublicReads(Postal),   Some(Scope::Site),     NotIssued, NO_BODY),
        // /api/maintenance/
        Route::new(routes!(maintenance::list),            Anyone,            Other,                 None,                  Issued,    NO_BODY),
        // /api/schema/
        Route::new(routes!(openapi::document),            Anyone,            Other,                 None,                  NotIssued, NO_BODY),
    ]
}

/// Returns method, path and audience of every route, for the access test. Paths are those of the document.
#[doc(hidden)]
#[must_use]
pub fn declared_routes() -> Vec<(Method, String, Audience)> {
    let routes = all_routes();
    let operations = routes.iter().flat_map(|route| {
        let audience = route.policy.audience;
        route.operations().map(move |(method, path)| (method, documented_path(path), audience))
    });
    operations.collect()
}

/// Converts a path of the router to one of the document. The router writes `{*name}` for a parameter with
/// slashes.
fn documented_path(path: &str) -> String {
    path.replace("{*", "{")
}

fn collect_routes(routes: Vec<Route>) -> OpenApiRouter<Edge> {
    let empty = OpenApiRouter::with_openapi(Base::openapi());
    routes.into_iter().fold(empty, |router, route| router.routes(route.handler))
}

/// Builds the router of these routes, with the middleware of every request.
pub(crate) fn build_router(edge: Edge, declared: Vec<Route>) -> Router {
    let (router, _) = collect_routes(declared).split_for_parts();
    router
        .fallback(async || Error::NotFound)
        .layer(from_fn_with_state(edge.clone(), handle_request))
        .layer(ServerTrace::new(edge.time_limit()))
        .layer(from_fn_with_state(edge.clone(), shed_load))
        .with_state(edge)
}

#[cfg(test)]
mod tests;
