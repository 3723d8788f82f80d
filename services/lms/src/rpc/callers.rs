//! The callers of each rpc of lms.

use kit::caller::Allowed::{Anyone, GuardianOf, Learner, Services, SignedIn};
use kit::caller::{Row, Service};

pub(super) const LIST_PROGRESS: &str = "/lms.v1.LearnerService/ListProgress";

/// One row for each rpc.
pub const CALLERS: &[Row] = &[
    ("/common.v1.EventService/Deliver", Services(&[Service::Auth, Service::Commerce])),
    ("/lms.v1.CatalogueService/ListCourses", Anyone),
    ("/lms.v1.CatalogueService/GetCourses", Anyone),
    ("/lms.v1.CatalogueService/GetOverview", Anyone),
    ("/lms.v1.EntitlementService/ListActiveCourses", Services(&[Service::Commerce])),
    ("/lms.v1.InventoryService/ListInventory", Learner),
    ("/lms.v1.InventoryService/GetInventoryItem", Learner),
    (LIST_PROGRESS, GuardianOf),
    ("/lms.v1.LearnerService/ExportLearner", SignedIn),
    ("/lms.v1.LearnerService/ExportLearnerInParts", SignedIn),
    ("/lms.v1.LessonService/GetLesson", Learner),
    ("/lms.v1.LessonService/StartStream", Learner),
    ("/lms.v1.LessonService/EndStream", Learner),
    ("/lms.v1.LessonService/WatchEndedStreams", Services(&[Service::Edge])),
    ("/lms.v1.LessonService/CheckStream", Services(&[Service::Edge])),
    ("/lms.v1.LessonService/OpenHandouts", Learner),
    ("/lms.v1.LessonService/OpenBundle", Learner),
    ("/lms.v1.MarkService/ListBookmarks", Learner),
    ("/lms.v1.MarkService/SetBookmark", Learner),
    ("/lms.v1.MarkService/ClearBookmark", Learner),
    ("/lms.v1.MarkService/ListFavorites", Learner),
    ("/lms.v1.MarkService/SetFavorite", Learner),
    ("/lms.v1.MarkService/ClearFavorite", Learner),
    ("/lms.v1.MarkService/ListChecks", Learner),
    ("/lms.v1.MarkService/SetCheck", Learner),
    ("/lms.v1.MarkService/ClearCheck", Learner),
    ("/lms.v1.NoteService/ListNotes", Learner),
    ("/lms.v1.NoteService/SetNote", Learner),
    ("/lms.v1.NoteService/ClearNote", Learner),
    ("/lms.v1.QuestionService/ListQuestions", Learner),
    ("/lms.v1.QuestionService/GetQuestion", Learner),
    ("/lms.v1.QuestionService/AnswerQuestion", Learner),
    ("/lms.v1.QuestionService/StartPractice", Learner),
    ("/lms.v1.QuestionService/ListResults", Learner),
    ("/lms.v1.QuestionService/GetResult", Learner),
    ("/lms.v1.QuestionService/GetGrowth", Learner),
    ("/lms.v1.QuestionService/ListReviews", Learner),
    ("/lms.v1.SearchService/Search", Anyone),
    ("/lms.v1.SearchService/Suggest", Anyone),
    ("/lms.v1.TeacherService/ListTeachers", Anyone),
    ("/lms.v1.TeacherService/GetTeacher", Anyone),
    ("/lms.v1.WatchService/RecordBeat", Learner),
    ("/lms.v1.WatchService/ListRecent", Learner),
    ("/lms.v1.WatchService/GetWeek", Learner),
];
