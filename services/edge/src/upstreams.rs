//! Clients of the services behind the edge. A call on behalf of a caller carries the caller's identity.

use kit::client::Channel;
use proto::auth::auth_service_client::AuthServiceClient;
use proto::auth::entry_service_client::EntryServiceClient;
use proto::auth::guardian_service_client::GuardianServiceClient;
use proto::auth::passkey_service_client::PasskeyServiceClient;
use proto::auth::profile_service_client::ProfileServiceClient;
use proto::commerce::card_service_client::CardServiceClient;
use proto::commerce::cart_service_client::CartServiceClient;
use proto::commerce::coupon_service_client::CouponServiceClient;
use proto::commerce::order_service_client::OrderServiceClient;
use proto::commerce::product_service_client::ProductServiceClient;
use proto::commerce::provider_service_client::ProviderServiceClient;
use proto::commerce::refund_service_client::RefundServiceClient;
use proto::commerce::subscription_service_client::SubscriptionServiceClient;
use proto::desk::appointment_service_client::AppointmentServiceClient;
use proto::desk::calendar_service_client::CalendarServiceClient;
use proto::desk::contact_service_client::ContactServiceClient;
use proto::desk::entry_exam_service_client::EntryExamServiceClient;
use proto::desk::faq_service_client::FaqServiceClient;
use proto::desk::interview_service_client::InterviewServiceClient;
use proto::desk::mail_service_client::MailServiceClient;
use proto::desk::member_notice_service_client::MemberNoticeServiceClient;
use proto::desk::notice_service_client::NoticeServiceClient;
use proto::desk::notification_service_client::NotificationServiceClient;
use proto::desk::postal_service_client::PostalServiceClient;
use proto::desk::school_event_service_client::SchoolEventServiceClient;
use proto::desk::search_service_client as desk_search;
use proto::desk::success_service_client::SuccessServiceClient;
use proto::desk::teacher_question_service_client::TeacherQuestionServiceClient;
use proto::exam::application_service_client::ApplicationServiceClient;
use proto::exam::check_service_client::CheckServiceClient;
use proto::exam::child_result_service_client::ChildResultServiceClient;
use proto::exam::exam_service_client::ExamServiceClient;
use proto::exam::receipt_service_client::ReceiptServiceClient;
use proto::exam::result_service_client::ResultServiceClient;
use proto::exam::school_service_client::SchoolServiceClient;
use proto::exam::sitting_service_client::SittingServiceClient;
use proto::lms::catalogue_service_client::CatalogueServiceClient;
use proto::lms::certificate_service_client::CertificateServiceClient;
use proto::lms::class_service_client::ClassServiceClient;
use proto::lms::exam_review_service_client::ExamReviewServiceClient;
use proto::lms::inventory_service_client::InventoryServiceClient;
use proto::lms::learner_service_client::LearnerServiceClient;
use proto::lms::lesson_service_client::LessonServiceClient;
use proto::lms::mark_service_client::MarkServiceClient;
use proto::lms::note_service_client::NoteServiceClient;
use proto::lms::question_service_client::QuestionServiceClient;
use proto::lms::search_service_client as lms_search;
use proto::lms::study_plan_service_client::StudyPlanServiceClient;
use proto::lms::teacher_service_client::TeacherServiceClient;
use proto::lms::watch_service_client::WatchServiceClient;
use proto::lms::weekly_report_service_client::WeeklyReportServiceClient;

use crate::Edge;
use crate::session::OnBehalf;

impl Edge {
    pub(crate) fn auth(&self, who: &impl OnBehalf) -> AuthServiceClient<Channel> {
        AuthServiceClient::new(on_behalf(&self.0.auth, who))
    }

    pub(crate) fn entry(&self, who: &impl OnBehalf) -> EntryServiceClient<Channel> {
        EntryServiceClient::new(on_behalf(&self.0.auth, who))
    }

    pub(crate) fn passkeys(&self, who: &impl OnBehalf) -> PasskeyServiceClient<Channel> {
        PasskeyServiceClient::new(on_behalf(&self.0.auth, who))
    }

    pub(crate) fn profiles(&self, who: &impl OnBehalf) -> ProfileServiceClient<Channel> {
        ProfileServiceClient::new(on_behalf(&self.0.auth, who))
    }

    pub(crate) fn guardians(&self, who: &impl OnBehalf) -> GuardianServiceClient<Channel> {
        GuardianServiceClient::new(on_behalf(&self.0.auth, who))
    }

    pub(crate) fn learners(&self, who: &impl OnBehalf) -> LearnerServiceClient<Channel> {
        LearnerServiceClient::new(on_behalf(&self.0.lms, who))
    }

    pub(crate) fn catalogue(&self) -> CatalogueServiceClient<Channel> {
        CatalogueServiceClient::new(self.0.lms.clone())
    }

    pub(crate) fn inventory(&self, who: &impl OnBehalf) -> InventoryServiceClient<Channel> {
        InventoryServiceClient::new(on_behalf(&self.0.lms, who))
    }

    pub(crate) fn lessons(&self, who: &impl OnBehalf) -> LessonServiceClient<Channel> {
        LessonServiceClient::new(on_behalf(&self.0.lms, who))
    }

    pub(crate) fn marks(&self, who: &impl OnBehalf) -> MarkServiceClient<Channel> {
        MarkServiceClient::new(on_behalf(&self.0.lms, who))
    }

    pub(crate) fn notes(&self, who: &impl OnBehalf) -> NoteServiceClient<Channel> {
        NoteServiceClient::new(on_behalf(&self.0.lms, who))
    }

    pub(crate) fn watching(&self, who: &impl OnBehalf) -> WatchServiceClient<Channel> {
        WatchServiceClient::new(on_behalf(&self.0.lms, who))
    }

    pub(crate) fn questions(&self, who: &impl OnBehalf) -> QuestionServiceClient<Channel> {
        QuestionServiceClient::new(on_behalf(&self.0.lms, who))
    }

    pub(crate) fn exam_reviews(&self, who: &impl OnBehalf) -> ExamReviewServiceClient<Channel> {
        ExamReviewServiceClient::new(on_behalf(&self.0.lms, who))
    }

    pub(crate) fn certificates(&self, who: &impl OnBehalf) -> CertificateServiceClient<Channel> {
        CertificateServiceClient::new(on_behalf(&self.0.lms, who))
    }

    pub(crate) fn classes(&self, who: &impl OnBehalf) -> ClassServiceClient<Channel> {
        ClassServiceClient::new(on_behalf(&self.0.lms, who))
    }

    pub(crate) fn study_plans(&self, who: &impl OnBehalf) -> StudyPlanServiceClient<Channel> {
        StudyPlanServiceClient::new(on_behalf(&self.0.lms, who))
    }

    pub(crate) fn weekly_reports(&self, who: &impl OnBehalf) -> WeeklyReportServiceClient<Channel> {
        WeeklyReportServiceClient::new(on_behalf(&self.0.lms, who))
    }

    pub(crate) fn teachers(&self) -> TeacherServiceClient<Channel> {
        TeacherServiceClient::new(self.0.lms.clone())
    }

    pub(crate) fn lms_search(&self) -> lms_search::SearchServiceClient<Channel> {
        lms_search::SearchServiceClient::new(self.0.lms.clone())
    }

    pub(crate) fn desk_search(&self) -> desk_search::SearchServiceClient<Channel> {
        desk_search::SearchServiceClient::new(self.0.desk.clone())
    }

    pub(crate) fn mails(&self, who: &impl OnBehalf) -> MailServiceClient<Channel> {
        MailServiceClient::new(on_behalf(&self.0.desk, who))
    }

    pub(crate) fn teacher_questions(&self, who: &impl OnBehalf) -> TeacherQuestionServiceClient<Channel> {
        TeacherQuestionServiceClient::new(on_behalf(&self.0.desk, who))
    }

    pub(crate) fn interviews(&self, who: &impl OnBehalf) -> InterviewServiceClient<Channel> {
        InterviewServiceClient::new(on_behalf(&self.0.desk, who))
    }

    pub(crate) fn appointments(&self, who: &impl OnBehalf) -> AppointmentServiceClient<Channel> {
        AppointmentServiceClient::new(on_behalf(&self.0.desk, who))
    }

    pub(crate) fn calendar_addresses(&self, who: &impl OnBehalf) -> CalendarServiceClient<Channel> {
        CalendarServiceClient::new(on_behalf(&self.0.desk, who))
    }

    pub(crate) fn calendar_accounts(&self) -> CalendarServiceClient<Channel> {
        CalendarServiceClient::new(self.0.desk.clone())
    }

    pub(crate) fn notices(&self) -> NoticeServiceClient<Channel> {
        NoticeServiceClient::new(self.0.desk.clone())
    }

    pub(crate) fn member_notices(&self, who: &impl OnBehalf) -> MemberNoticeServiceClient<Channel> {
        MemberNoticeServiceClient::new(on_behalf(&self.0.desk, who))
    }

    pub(crate) fn notifications(&self, who: &impl OnBehalf) -> NotificationServiceClient<Channel> {
        NotificationServiceClient::new(on_behalf(&self.0.desk, who))
    }

    pub(crate) fn unsubscriptions(&self) -> NotificationServiceClient<Channel> {
        NotificationServiceClient::new(self.0.desk.clone())
    }

    pub(crate) fn school_events(&self, who: &impl OnBehalf) -> SchoolEventServiceClient<Channel> {
        SchoolEventServiceClient::new(on_behalf(&self.0.desk, who))
    }

    pub(crate) fn faqs(&self) -> FaqServiceClient<Channel> {
        FaqServiceClient::new(self.0.desk.clone())
    }

    pub(crate) fn success(&self) -> SuccessServiceClient<Channel> {
        SuccessServiceClient::new(self.0.desk.clone())
    }

    pub(crate) fn entry_exams(&self) -> EntryExamServiceClient<Channel> {
        EntryExamServiceClient::new(self.0.desk.clone())
    }

    pub(crate) fn contacts(&self) -> ContactServiceClient<Channel> {
        ContactServiceClient::new(self.0.desk.clone())
    }

    pub(crate) fn postal(&self) -> PostalServiceClient<Channel> {
        PostalServiceClient::new(self.0.desk.clone())
    }

    pub(crate) fn carts(&self, who: &impl OnBehalf) -> CartServiceClient<Channel> {
        CartServiceClient::new(on_behalf(&self.0.commerce, who))
    }

    pub(crate) fn coupons(&self, who: &impl OnBehalf) -> CouponServiceClient<Channel> {
        CouponServiceClient::new(on_behalf(&self.0.commerce, who))
    }

    pub(crate) fn orders(&self, who: &impl OnBehalf) -> OrderServiceClient<Channel> {
        OrderServiceClient::new(on_behalf(&self.0.commerce, who))
    }

    pub(crate) fn refunds(&self, who: &impl OnBehalf) -> RefundServiceClient<Channel> {
        RefundServiceClient::new(on_behalf(&self.0.commerce, who))
    }

    pub(crate) fn cards(&self, who: &impl OnBehalf) -> CardServiceClient<Channel> {
        CardServiceClient::new(on_behalf(&self.0.commerce, who))
    }

    pub(crate) fn subscriptions(&self, who: &impl OnBehalf) -> SubscriptionServiceClient<Channel> {
        SubscriptionServiceClient::new(on_behalf(&self.0.commerce, who))
    }

    pub(crate) fn applications(&self, who: &impl OnBehalf) -> ApplicationServiceClient<Channel> {
        ApplicationServiceClient::new(on_behalf(&self.0.exam, who))
    }

    pub(crate) fn checks(&self) -> CheckServiceClient<Channel> {
        CheckServiceClient::new(self.0.exam.clone())
    }

    pub(crate) fn exams(&self) -> ExamServiceClient<Channel> {
        ExamServiceClient::new(self.0.exam.clone())
    }

    pub(crate) fn schools(&self) -> SchoolServiceClient<Channel> {
        SchoolServiceClient::new(self.0.exam.clone())
    }

    pub(crate) fn receipts(&self, who: &impl OnBehalf) -> ReceiptServiceClient<Channel> {
        ReceiptServiceClient::new(on_behalf(&self.0.exam, who))
    }

    pub(crate) fn receipt_keys(&self) -> ReceiptServiceClient<Channel> {
        ReceiptServiceClient::new(self.0.exam.clone())
    }

    pub(crate) fn exam_results(&self, who: &impl OnBehalf) -> ResultServiceClient<Channel> {
        ResultServiceClient::new(on_behalf(&self.0.exam, who))
    }

    pub(crate) fn child_results(&self, who: &impl OnBehalf) -> ChildResultServiceClient<Channel> {
        ChildResultServiceClient::new(on_behalf(&self.0.exam, who))
    }

    pub(crate) fn sittings(&self, who: &impl OnBehalf) -> SittingServiceClient<Channel> {
        SittingServiceClient::new(on_behalf(&self.0.exam, who))
    }

    pub(crate) fn providers(&self) -> ProviderServiceClient<Channel> {
        ProviderServiceClient::new(self.0.commerce.clone())
    }

    pub(crate) fn products(&self) -> ProductServiceClient<Channel> {
        ProductServiceClient::new(self.0.commerce.clone())
    }
}

fn on_behalf(channel: &Channel, who: &impl OnBehalf) -> Channel {
    who.person().map_or_else(|| channel.clone(), |person| channel.on_behalf_of(person))
}
