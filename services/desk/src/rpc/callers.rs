//! The callers that each rpc admits.

use kit::caller::Allowed::{Anyone, Learner, Services, SignedIn};
use kit::caller::{Row, Service};

/// One row for each rpc.
pub const CALLERS: &[Row] = &[
    ("/common.v1.EventService/Deliver", Services(&[Service::Auth, Service::Commerce])),
    ("/desk.v1.ContactService/PutPicture", Anyone),
    ("/desk.v1.ContactService/Send", Anyone),
    ("/desk.v1.EntryExamService/ListEntryExams", Anyone),
    ("/desk.v1.FaqService/ListFaqs", Anyone),
    ("/desk.v1.FaqService/GetFaq", Anyone),
    ("/desk.v1.FaqService/Vote", Anyone),
    ("/desk.v1.MailService/Export", SignedIn),
    ("/desk.v1.MemberNoticeService/ListMemberNotices", SignedIn),
    ("/desk.v1.MemberNoticeService/OpenMemberNotice", SignedIn),
    ("/desk.v1.MemberNoticeService/CountUnreadNotices", SignedIn),
    ("/desk.v1.MemberNoticeService/ExportMemberNotices", SignedIn),
    ("/desk.v1.NoticeService/ListNotices", Anyone),
    ("/desk.v1.NoticeService/GetNotice", Anyone),
    ("/desk.v1.PostalService/LookUp", Anyone),
    ("/desk.v1.SearchService/Search", Anyone),
    ("/desk.v1.SearchService/Suggest", Anyone),
    ("/desk.v1.SuccessService/GetYear", Anyone),
    ("/desk.v1.SuccessService/ListVoices", Anyone),
    ("/desk.v1.TeacherQuestionService/GetQuestionAllowance", Learner),
    ("/desk.v1.TeacherQuestionService/Ask", Learner),
    ("/desk.v1.TeacherQuestionService/AskAgain", Learner),
    ("/desk.v1.TeacherQuestionService/ListTeacherQuestions", Learner),
    ("/desk.v1.TeacherQuestionService/GetTeacherQuestion", Learner),
    ("/desk.v1.TeacherQuestionService/Thank", Learner),
    ("/desk.v1.TeacherQuestionService/ShareTeacherQuestion", Learner),
    ("/desk.v1.TeacherQuestionService/ListSharedQuestions", Learner),
    ("/desk.v1.TeacherQuestionService/ExportTeacherQuestions", SignedIn),
];
