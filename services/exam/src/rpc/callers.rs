//! The callers of each rpc of exam.

use kit::caller::Allowed::{Anyone, GuardianOf, Learner, Services, SignedIn};
use kit::caller::{Row, Service};

/// One row for each rpc.
pub const CALLERS: &[Row] = &[
    ("/common.v1.EventService/Deliver", Services(&[Service::Auth, Service::Commerce])),
    ("/exam.v1.ApplicationService/ListApplications", Learner),
    ("/exam.v1.ApplicationService/GetApplication", Learner),
    ("/exam.v1.ApplicationService/TakeSeat", Learner),
    ("/exam.v1.ApplicationService/SetBasicInfo", Learner),
    ("/exam.v1.ApplicationService/SetDesiredSchool", Learner),
    ("/exam.v1.ApplicationService/ClearDesiredSchool", Learner),
    ("/exam.v1.ApplicationService/SetDeviceCheck", Learner),
    ("/exam.v1.ApplicationService/ExportApplications", SignedIn),
    ("/exam.v1.CheckService/ListChecks", Anyone),
    ("/exam.v1.CheckService/GetCheck", Anyone),
    ("/exam.v1.CheckService/GradeCheck", Anyone),
    ("/exam.v1.ChildResultService/ListChildResults", GuardianOf),
    ("/exam.v1.ChildResultService/GetChildExamResult", GuardianOf),
    ("/exam.v1.ChildResultService/GetChildPaperResult", GuardianOf),
    ("/exam.v1.ChildResultService/GetChildExamResultPdf", GuardianOf),
    ("/exam.v1.ChildResultService/JudgeChildDepartment", GuardianOf),
    ("/exam.v1.ChildResultService/GetChildPicture", GuardianOf),
    ("/exam.v1.ExamService/ListExams", Anyone),
    ("/exam.v1.ExamService/GetExam", Anyone),
    ("/exam.v1.ExamService/GetFigure", Anyone),
    ("/exam.v1.SchoolService/ListSchools", Anyone),
    ("/exam.v1.ReceiptService/GetReceipt", Learner),
    ("/exam.v1.ReceiptService/ListReceiptKeys", Anyone),
    ("/exam.v1.ResultService/GetExamResult", Learner),
    ("/exam.v1.ResultService/GetExamResultPdf", Learner),
    ("/exam.v1.ResultService/GetPaperResult", Learner),
    ("/exam.v1.ResultService/GetQuestionResult", Learner),
    ("/exam.v1.ResultService/JudgeDepartment", Learner),
    ("/exam.v1.SittingService/StartSitting", Learner),
    ("/exam.v1.SittingService/FindSitting", Learner),
    ("/exam.v1.SittingService/SaveAnswers", Learner),
    ("/exam.v1.SittingService/PutPicture", Learner),
    ("/exam.v1.SittingService/GetPicture", Learner),
    ("/exam.v1.SittingService/TakeOverSitting", Learner),
    ("/exam.v1.SittingService/HandInSitting", Learner),
];
