//! Access control: every route of the document, with every invalid credential and every wrong audience.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use edge::Audience;
use jsonwebtoken::Header;
use serde_json::{Value, json};

use crate::support::{Edge, Forge, GUARDIAN, NOW, ONE, STAFF, TWO, Tap, World};

/// Every route: method, template, a path that belongs to the first learner, body, and the expected outcomes
/// for the first learner and for another learner. Routes for guardians have the outcomes for a guardian and
/// for a learner. Routes without a token have none. The audience of a route is declared in `routes.rs`.
#[rustfmt::skip]
static ROUTES: [(&str, &str, &str, &str, &str, &str); 228] = [
    ("POST",   "/api/accounts/login/",         "/api/accounts/login/",          "", "",    ""),
    ("POST",   "/api/accounts/token/refresh/", "/api/accounts/token/refresh/",  "", "",    ""),
    ("POST",   "/api/accounts/login/change/",  "/api/accounts/login/change/",   "", "",    ""),
    ("POST",   "/api/accounts/signup/",        "/api/accounts/signup/",         "", "",    ""),
    ("POST",   "/api/accounts/signup/resend/", "/api/accounts/signup/resend/",  "", "",    ""),
    ("POST",   "/api/accounts/signup/verify/", "/api/accounts/signup/verify/",  "", "",    ""),
    ("POST",   "/api/accounts/signup/status/", "/api/accounts/signup/status/",  "", "",    ""),
    ("POST",   "/api/accounts/signup/complete/", "/api/accounts/signup/complete/", "", "",    ""),
    ("POST",   "/api/accounts/password/reset/", "/api/accounts/password/reset/", "", "",    ""),
    ("POST",   "/api/accounts/password/reset/check/", "/api/accounts/password/reset/check/", "", "",    ""),
    ("POST",   "/api/accounts/password/reset/confirm/", "/api/accounts/password/reset/confirm/", "", "",    ""),
    ("POST",   "/api/accounts/login/passkey/options/", "/api/accounts/login/passkey/options/", "", "", ""),
    ("POST",   "/api/accounts/login/passkey/", "/api/accounts/login/passkey/",  "", "",    ""),
    ("GET",    "/api/accounts/user/",          "/api/accounts/user/",           "", "200", "200"),
    ("GET",    "/api/accounts/passkeys/",      "/api/accounts/passkeys/",       "", "200", "200"),
    ("POST",   "/api/accounts/passkeys/options/", "/api/accounts/passkeys/options/", PASSWORD, "200", "200"),
    ("POST",   "/api/accounts/passkeys/",      "/api/accounts/passkeys/",       PASSKEY, "400 INVALID", "400 INVALID"),
    ("PUT",    "/api/accounts/passkeys/{id}/", "/api/accounts/passkeys/KEY/",   NAME, "404 NOT_FOUND", "404 NOT_FOUND"),
    ("DELETE", "/api/accounts/passkeys/{id}/", "/api/accounts/passkeys/KEY/",   "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/accounts/passkeys/{id}/keep/", "/api/accounts/passkeys/KEY/keep/", PASSWORD, "404 NOT_FOUND", "404 NOT_FOUND"),
    ("PUT",    "/api/accounts/profile/",       "/api/accounts/profile/",        PROFILE, "200", "200"),
    ("GET",    "/api/accounts/address/",       "/api/accounts/address/",        "", "200", "200"),
    ("PUT",    "/api/accounts/address/",       "/api/accounts/address/",        ADDRESS, "200", "200"),
    ("POST",   "/api/accounts/password/",      "/api/accounts/password/",       NEW_PASSWORD, "400 BAD_CREDENTIALS", "400 BAD_CREDENTIALS"),
    ("POST",   "/api/accounts/email/",         "/api/accounts/email/",          EMAIL, "400 BAD_CREDENTIALS", "400 BAD_CREDENTIALS"),
    ("POST",   "/api/accounts/email/confirm/", "/api/accounts/email/confirm/",  "", "",    ""),
    ("POST",   "/api/accounts/email/stop/",    "/api/accounts/email/stop/",     "", "",    ""),
    ("POST",   "/api/accounts/email/undo/",    "/api/accounts/email/undo/",     "", "",    ""),
    ("GET",    "/api/accounts/sessions/",      "/api/accounts/sessions/",       "", "200", "200"),
    ("DELETE", "/api/accounts/sessions/{id}/", "/api/accounts/sessions/SESSION/", "", "204", "404 NOT_FOUND"),
    ("POST",   "/api/accounts/guardian/consent/", "/api/accounts/guardian/consent/", CONSENT, "202", "202"),
    ("POST",   "/api/accounts/guardian/consent/check/", "/api/accounts/guardian/consent/check/", "", "", ""),
    ("POST",   "/api/accounts/guardian/consent/confirm/", "/api/accounts/guardian/consent/confirm/", "", "", ""),
    ("POST",   "/api/accounts/guardian/consent/withdraw/check/", "/api/accounts/guardian/consent/withdraw/check/", "", "", ""),
    ("POST",   "/api/accounts/guardian/consent/withdraw/", "/api/accounts/guardian/consent/withdraw/", "", "", ""),
    ("DELETE", "/api/accounts/guardian/children/{id}/consent/", "/api/accounts/guardian/children/KEY/consent/", "", "404 NOT_FOUND", "403 FORBIDDEN"),
    ("POST",   "/api/accounts/guardian/birth-date/check/", "/api/accounts/guardian/birth-date/check/", "", "", ""),
    ("POST",   "/api/accounts/guardian/birth-date/", "/api/accounts/guardian/birth-date/", "", "", ""),
    ("POST",   "/api/accounts/guardian/code/", "/api/accounts/guardian/code/",  "", "201", "201"),
    ("GET",    "/api/accounts/guardian/links/", "/api/accounts/guardian/links/", "", "200", "200"),
    ("DELETE", "/api/accounts/guardian/links/{id}/", "/api/accounts/guardian/links/KEY/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/accounts/guardian/link/", "/api/accounts/guardian/link/",  CODE, "400 CODE_WRONG", "403 FORBIDDEN"),
    ("GET",    "/api/accounts/guardian/children/", "/api/accounts/guardian/children/", "", "200", "403 FORBIDDEN"),
    ("GET",    "/api/accounts/guardian/children/{id}/", "/api/accounts/guardian/children/KEY/", "", "404 NOT_FOUND", "403 FORBIDDEN"),
    ("GET",    "/api/accounts/guardian/children/{id}/overview/", "/api/accounts/guardian/children/KEY/overview/", "", "404 NOT_FOUND", "403 FORBIDDEN"),
    ("GET",    "/api/accounts/guardian/children/{id}/report/", "/api/accounts/guardian/children/KEY/report/?week=2026-11-09", "", "404 NOT_FOUND", "403 FORBIDDEN"),
    ("GET",    "/api/accounts/guardian/report/", "/api/accounts/guardian/report/?week=2026-11-09", "", "200", "200"),
    ("GET",    "/api/accounts/guardian/overview/", "/api/accounts/guardian/overview/", "", "200", "200"),
    ("POST",   "/api/accounts/export/",        "/api/accounts/export/",         PASSWORD, "200", "200"),
    ("POST",   "/api/accounts/close/",         "/api/accounts/close/",          WRONG_PASSWORD, "400 BAD_CREDENTIALS", "400 BAD_CREDENTIALS"),
    ("POST",   "/api/accounts/login/reopen/",  "/api/accounts/login/reopen/",   "", "",    ""),
    ("GET",    "/api/lms/inventory/",          "/api/lms/inventory/",           "", "200", "200"),
    ("GET",    "/api/lms/inventory/{id}/",     "/api/lms/inventory/ITEM/",      "", "200", "404 NOT_FOUND"),
    ("GET",    "/api/lms/lesson/{id}/",        "/api/lms/lesson/201010101/",    "", "200", "404 NOT_FOUND"),
    ("POST",   "/api/lms/lesson/{id}/stream/", "/api/lms/lesson/201010101/stream/", STREAM, "201", "404 NOT_FOUND"),
    ("DELETE", "/api/lms/stream/{stream}/",    "/api/lms/stream/KEY/",          "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/lms/lesson/{id}/handout/", "/api/lms/lesson/201010101/handout/", "", "200", "404 NOT_FOUND"),
    ("GET",    "/api/lms/inventory/{id}/bundle/{kind}/", "/api/lms/inventory/ITEM/bundle/textbook/", "", "200", "404 NOT_FOUND"),
    ("GET",    "/api/exam/exam/",              "/api/exam/exam/",               "", "",    ""),
    ("GET",    "/api/exam/exam/{id}/",         "/api/exam/exam/1/",             "", "",    ""),
    ("GET",    "/api/exam/check/",             "/api/exam/check/",              "", "",    ""),
    ("GET",    "/api/exam/check/{id}/",        "/api/exam/check/1/",            "", "",    ""),
    ("POST",   "/api/exam/check/{id}/result/", "/api/exam/check/1/result/",     "", "",    ""),
    ("GET",    "/api/exam/school/",            "/api/exam/school/",             "", "",    ""),
    ("GET",    "/api/exam/figure/{name}/",     "/api/exam/figure/0/",           "", "",    ""),
    ("GET",    "/api/exam/receipt-keys/",      "/api/exam/receipt-keys/",       "", "",    ""),
    ("GET",    "/api/exam/application/",       "/api/exam/application/",        "", "200", "200"),
    // No exam is imported.
    ("GET",    "/api/exam/application/{id}/",  "/api/exam/application/1/",      "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/exam/application/{id}/seat/", "/api/exam/application/1/seat/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("PUT",    "/api/exam/application/{id}/basic-info/", "/api/exam/application/1/basic-info/", EXAM_INFO, "404 NOT_FOUND", "404 NOT_FOUND"),
    ("PUT",    "/api/exam/application/{id}/desired-school/{rank}/", "/api/exam/application/1/desired-school/1/", EXAM_SCHOOL, "404 NOT_FOUND", "404 NOT_FOUND"),
    ("DELETE", "/api/exam/application/{id}/desired-school/{rank}/", "/api/exam/application/1/desired-school/1/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("PUT",    "/api/exam/application/{id}/device-check/{device}/", "/api/exam/application/1/device-check/KEY/", EXAM_CHECK, "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/exam/application/{id}/judgement/", "/api/exam/application/1/judgement/?school_id=1&department_id=1", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/exam/application/{id}/result/", "/api/exam/application/1/result/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/exam/application/{id}/result/pdf/", "/api/exam/application/1/result/pdf/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/exam/paper/{id}/result/", "/api/exam/paper/1/result/",     "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/exam/question/{id}/result/", "/api/exam/question/1/result/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/exam/children/{id}/result/", "/api/exam/children/KEY/result/", "", "404 NOT_FOUND", "403 FORBIDDEN"),
    ("GET",    "/api/exam/children/{id}/result/{exam}/", "/api/exam/children/KEY/result/1/", "", "404 NOT_FOUND", "403 FORBIDDEN"),
    ("GET",    "/api/exam/children/{id}/result/{exam}/pdf/", "/api/exam/children/KEY/result/1/pdf/", "", "404 NOT_FOUND", "403 FORBIDDEN"),
    ("GET",    "/api/exam/children/{id}/result/{exam}/judgement/", "/api/exam/children/KEY/result/1/judgement/?school_id=1&department_id=1", "", "404 NOT_FOUND", "403 FORBIDDEN"),
    ("GET",    "/api/exam/children/{id}/paper/{paper}/result/", "/api/exam/children/KEY/paper/1/result/", "", "404 NOT_FOUND", "403 FORBIDDEN"),
    ("POST",   "/api/exam/paper/{id}/sitting/", "/api/exam/paper/1/sitting/",   EXAM_DEVICE, "404 NOT_FOUND", "404 NOT_FOUND"),
    // For an existing sitting, see sitting.rs.
    ("GET",    "/api/exam/sitting/{id}/",      "/api/exam/sitting/KEY/",        "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("PUT",    "/api/exam/sitting/{id}/answers/", "/api/exam/sitting/KEY/answers/", EXAM_SAVE, "404 NOT_FOUND", "404 NOT_FOUND"),
    ("PUT",    "/api/exam/sitting/{id}/picture/{question}/", "/api/exam/sitting/KEY/picture/1/", "", "415 UNSUPPORTED_MEDIA_TYPE", "415 UNSUPPORTED_MEDIA_TYPE"),
    ("GET",    "/api/exam/question/{id}/picture/{picture}/", "/api/exam/question/1/picture/ff/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/exam/children/{id}/question/{question}/picture/{picture}/", "/api/exam/children/KEY/question/1/picture/ff/", "", "404 NOT_FOUND", "403 FORBIDDEN"),
    ("POST",   "/api/exam/sitting/{id}/take-over/", "/api/exam/sitting/KEY/take-over/", EXAM_DEVICE, "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/exam/sitting/{id}/hand-in/", "/api/exam/sitting/KEY/hand-in/", EXAM_HAND_IN, "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/exam/sitting/{id}/receipt/", "/api/exam/sitting/KEY/receipt/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    // Access depends on the signed URL: see media.rs.
    ("GET",    "/api/media/{ticket}/{path}",   "/api/media/A/lesson/1/a.mp4",   "", "",    ""),
    ("GET",    "/api/media/open/{path}",       "/api/media/open/course/201/sample/master.m3u8", "", "", ""),
    ("GET",    "/api/lms/bookmark/",           "/api/lms/bookmark/",            "", "200", "200"),
    // Anyone may bookmark a course.
    ("PUT",    "/api/lms/bookmark/{course}/",  "/api/lms/bookmark/201/",        "", "204", "204"),
    ("DELETE", "/api/lms/bookmark/{course}/",  "/api/lms/bookmark/201/",        "", "204", "204"),
    ("GET",    "/api/lms/favorite/",           "/api/lms/favorite/",            "", "200", "200"),
    ("PUT",    "/api/lms/favorite/{lesson}/",  "/api/lms/favorite/201010101/",  "", "204", "404 NOT_FOUND"),
    ("DELETE", "/api/lms/favorite/{lesson}/",  "/api/lms/favorite/201010101/",  "", "204", "204"),
    ("GET",    "/api/lms/check/",              "/api/lms/check/",               "", "200", "200"),
    ("PUT",    "/api/lms/check/{lesson}/",     "/api/lms/check/201010101/",     "", "204", "404 NOT_FOUND"),
    ("DELETE", "/api/lms/check/{lesson}/",     "/api/lms/check/201010101/",     "", "204", "204"),
    ("POST",   "/api/lms/lesson/{id}/beat/",   "/api/lms/lesson/201010101/beat/", BEAT, "200", "404 NOT_FOUND"),
    ("GET",    "/api/lms/recent/",             "/api/lms/recent/",              "", "200", "200"),
    ("GET",    "/api/lms/week/",               "/api/lms/week/",                "", "200", "200"),
    ("GET",    "/api/lms/note/",               "/api/lms/note/",                "", "200", "200"),
    ("PUT",    "/api/lms/note/{id}/",          "/api/lms/note/KEY/",            NOTE, "200", "404 NOT_FOUND"),
    ("DELETE", "/api/lms/note/{id}/",          "/api/lms/note/KEY/",            "", "204", "204"),
    ("GET",    "/api/lms/lesson/{id}/question/", "/api/lms/lesson/201010101/question/", "", "200", "404 NOT_FOUND"),
    ("GET",    "/api/lms/question/{id}/",      "/api/lms/question/20101010101/", "", "200", "404 NOT_FOUND"),
    ("POST",   "/api/lms/question/{id}/answer/", "/api/lms/question/20101010101/answer/", ANSWER, "200", "404 NOT_FOUND"),
    ("POST",   "/api/lms/lesson/{id}/practice/", "/api/lms/lesson/201010101/practice/", "", "409 NOT_ANSWERED_YET", "404 NOT_FOUND"),
    ("GET",    "/api/lms/result/",             "/api/lms/result/",              "", "200", "200"),
    // The result of the answer above.
    ("GET",    "/api/lms/result/{id}/",        "/api/lms/result/1/",            "", "200", "404 NOT_FOUND"),
    ("GET",    "/api/lms/result/growth/",      "/api/lms/result/growth/",       "", "200", "200"),
    ("GET",    "/api/lms/review/",             "/api/lms/review/",              "", "200", "200"),
    ("GET",    "/api/lms/exam-review/",        "/api/lms/exam-review/",         "", "200", "200"),
    ("POST",   "/api/lms/exam-review/{id}/",   "/api/lms/exam-review/1/",       EXAM_REVIEW, "409 NOT_DUE", "409 NOT_DUE"),
    ("GET",    "/api/lms/course/{id}/certificate/", "/api/lms/course/201/certificate/", "", "200", "404 NOT_FOUND"),
    ("POST",   "/api/lms/course/{id}/certificate/", "/api/lms/course/201/certificate/", "", "409 CERTIFICATE_NOT_EARNED", "404 NOT_FOUND"),
    // For an existing certificate, see certificate.rs.
    ("PUT",    "/api/lms/certificate/{id}/visibility/", "/api/lms/certificate/KEY/visibility/", VISIBILITY, "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/lms/certificate/{id}/pdf/", "/api/lms/certificate/KEY/pdf/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/lms/certificate/{id}/",   "/api/lms/certificate/KEY/",     "", "",    ""),
    ("GET",    "/api/lms/class/",              "/api/lms/class/",               "", "200", "200"),
    // For a live lesson that can be joined, see class.rs.
    ("GET",    "/api/lms/class/{id}/lesson/",  "/api/lms/class/1/lesson/",      "", "200", "404 NOT_FOUND"),
    ("PUT",    "/api/lms/live-lesson/{id}/attendance/", "/api/lms/live-lesson/1/attendance/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("PUT",    "/api/lms/live-lesson/{id}/homework/", "/api/lms/live-lesson/1/homework/", "", "204", "404 NOT_FOUND"),
    ("DELETE", "/api/lms/live-lesson/{id}/homework/", "/api/lms/live-lesson/1/homework/", "", "204", "204"),
    ("GET",    "/api/lms/study-plan/",         "/api/lms/study-plan/",          "", "200", "200"),
    ("PUT",    "/api/lms/study-plan/",         "/api/lms/study-plan/",          STUDY_MINUTES, "204", "204"),
    ("GET",    "/api/lms/home/",               "/api/lms/home/",                "", "",    ""),
    ("GET",    "/api/lms/course/",             "/api/lms/course/",              "", "",    ""),
    ("GET",    "/api/lms/course/{id}/",        "/api/lms/course/201/",          "", "",    ""),
    ("GET",    "/api/lms/teacher/",            "/api/lms/teacher/",             "", "",    ""),
    ("GET",    "/api/lms/teacher/{id}/",       "/api/lms/teacher/1/",           "", "",    ""),
    ("GET",    "/api/search/",                 "/api/search/?q=a",              "", "",    ""),
    ("GET",    "/api/search/suggest/",         "/api/search/suggest/?q=a",      "", "",    ""),
    ("GET",    "/api/commerce/product/",       "/api/commerce/product/",        "", "",    ""),
    ("GET",    "/api/commerce/product/{id}/",  "/api/commerce/product/1201/",   "", "",    ""),
    ("GET",    "/api/commerce/cart/", "/api/commerce/cart/", "", "200", "200"),
    ("POST",   "/api/commerce/cart/line/", "/api/commerce/cart/line/", CART_LINE, "200", "200"),
    // The first learner may buy for themselves, the other not for the first.
    ("PUT",    "/api/commerce/cart/line/{id}/", "/api/commerce/cart/line/KEY/", CART_LEARNER, "404 NOT_FOUND", "400 INVALID"),
    ("DELETE", "/api/commerce/cart/line/{id}/", "/api/commerce/cart/line/KEY/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/commerce/cart/join/", "/api/commerce/cart/join/", VISITOR_CART, "200", "200"),
    // The first of two coupons is public. No account holds the other.
    ("GET",    "/api/commerce/coupon/", "/api/commerce/coupon/", "", "200", "200"),
    ("POST",   "/api/commerce/coupon/", "/api/commerce/coupon/", COUPON_CODE, "400 INVALID", "400 INVALID"),
    ("GET",    "/api/commerce/coupon/{id}/", "/api/commerce/coupon/2/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("PUT",    "/api/commerce/cart/coupon/{id}/", "/api/commerce/cart/coupon/2/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("DELETE", "/api/commerce/cart/coupon/{id}/", "/api/commerce/cart/coupon/2/", "", "200", "200"),
    ("POST",   "/api/commerce/cart/ask/", "/api/commerce/cart/ask/", "{}", "409 NO_GUARDIAN", "409 NO_GUARDIAN"),
    ("GET",    "/api/commerce/confirmation/", "/api/commerce/confirmation/", "", "409 CART_EMPTY", "409 CART_EMPTY"),
    // Without an idempotency key.
    ("POST",   "/api/commerce/order/", "/api/commerce/order/", ORDER, "400 INVALID", "400 INVALID"),
    ("GET",    "/api/commerce/order/", "/api/commerce/order/", "", "200", "200"),
    ("GET",    "/api/commerce/order/{id}/", "/api/commerce/order/KEY/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/commerce/order/{id}/check/", "/api/commerce/order/KEY/check/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/commerce/order/{id}/pay/", "/api/commerce/order/KEY/pay/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/commerce/order/{id}/cancel/", "/api/commerce/order/KEY/cancel/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/commerce/order/{id}/receipt/", "/api/commerce/order/KEY/receipt/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/commerce/order/{id}/receipt/", "/api/commerce/order/KEY/receipt/", ADDRESSEE, "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/commerce/order/{id}/refund/", "/api/commerce/order/KEY/refund/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/commerce/order/{id}/refund/", "/api/commerce/order/KEY/refund/", REFUND, "400 INVALID", "400 INVALID"),
    ("GET",    "/api/commerce/order/{id}/refund/{refund}/invoice/", "/api/commerce/order/KEY/refund/KEY/invoice/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/commerce/order/{id}/refund/{refund}/invoice/pdf/", "/api/commerce/order/KEY/refund/KEY/invoice/pdf/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/commerce/order/{id}/refund/{refund}/retry/", "/api/commerce/order/KEY/refund/KEY/retry/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/commerce/order/{id}/receipt/pdf/", "/api/commerce/order/KEY/receipt/pdf/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/commerce/card/", "/api/commerce/card/", "", "200", "200"),
    ("POST",   "/api/commerce/card/check/", "/api/commerce/card/check/", "", "200", "200"),
    ("POST",   "/api/commerce/card/setup/", "/api/commerce/card/setup/", "", "200", "200"),
    ("DELETE", "/api/commerce/card/", "/api/commerce/card/", "", "204", "204"),
    ("GET",    "/api/commerce/subscription/", "/api/commerce/subscription/", "", "200", "200"),
    ("GET",    "/api/commerce/subscription/{id}/", "/api/commerce/subscription/KEY/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/commerce/subscription/{id}/cancel/", "/api/commerce/subscription/KEY/cancel/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/commerce/subscription/{id}/resume/", "/api/commerce/subscription/KEY/resume/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    // Only the provider can sign.
    ("POST",   "/api/commerce/webhook/",      "/api/commerce/webhook/",       "", "",    ""),
    ("GET",    "/api/desk/notice/",            "/api/desk/notice/",             "", "",    ""),
    ("GET",    "/api/desk/notice/feed/",       "/api/desk/notice/feed/",        "", "",    ""),
    ("GET",    "/api/desk/notice/{id}/",       "/api/desk/notice/1/",           "", "",    ""),
    ("GET",    "/api/desk/notice/mine/",       "/api/desk/notice/mine/",        "", "200", "200"),
    ("GET",    "/api/desk/notice/mine/unread/", "/api/desk/notice/mine/unread/", "", "200", "200"),
    // For the owners of a course of the first learner.
    ("GET",    "/api/desk/notice/mine/{id}/",  "/api/desk/notice/mine/4/",      "", "200", "404 NOT_FOUND"),
    ("GET",    "/api/desk/notification/setting/", "/api/desk/notification/setting/", "", "200", "200"),
    ("PUT",    "/api/desk/notification/setting/", "/api/desk/notification/setting/", NOTIFICATIONS, "204", "204"),
    // The demo of this test offers no pushes.
    ("POST",   "/api/desk/notification/device/", "/api/desk/notification/device/", PUSH_DEVICE, "404 NOT_FOUND", "404 NOT_FOUND"),
    ("DELETE", "/api/desk/notification/device/{id}/", "/api/desk/notification/device/KEY/", "", "204", "204"),
    ("GET",    "/api/desk/notification/unsubscribe/{token}/", "/api/desk/notification/unsubscribe/TOKEN/", "", "", ""),
    ("POST",   "/api/desk/notification/unsubscribe/{token}/", "/api/desk/notification/unsubscribe/TOKEN/", "", "", ""),
    ("GET",    "/api/desk/faq/",               "/api/desk/faq/",                "", "",    ""),
    ("GET",    "/api/desk/faq/{id}/",          "/api/desk/faq/1/",              "", "",    ""),
    ("POST",   "/api/desk/faq/{id}/vote/",     "/api/desk/faq/1/vote/",         "", "",    ""),
    ("POST",   "/api/desk/contact/",           "/api/desk/contact/",            "", "",    ""),
    ("POST",   "/api/desk/contact/picture/",   "/api/desk/contact/picture/",    "", "",    ""),
    ("GET",    "/api/desk/question/allowance/", "/api/desk/question/allowance/", "", "200", "200"),
    // Without an idempotency key.
    ("POST",   "/api/desk/question/",          "/api/desk/question/",           TEACHER_QUESTION, "400 INVALID", "400 INVALID"),
    ("GET",    "/api/desk/question/",          "/api/desk/question/",           "", "200", "200"),
    ("POST",   "/api/desk/question/picture/",  "/api/desk/question/picture/",   "", "415 UNSUPPORTED_MEDIA_TYPE", "415 UNSUPPORTED_MEDIA_TYPE"),
    // For existing questions and pictures, see teacher_question.rs.
    ("GET",    "/api/desk/question/picture/{id}/", "/api/desk/question/picture/KEY/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/desk/lesson/{id}/question/picture/{picture}/", "/api/desk/lesson/201010101/question/picture/KEY/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/desk/question/{id}/",     "/api/desk/question/KEY/",       "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("POST",   "/api/desk/question/{id}/again/", "/api/desk/question/KEY/again/", FOLLOW_UP, "400 INVALID", "400 INVALID"),
    ("PUT",    "/api/desk/question/{id}/thanks/", "/api/desk/question/KEY/thanks/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("PUT",    "/api/desk/question/{id}/sharing/", "/api/desk/question/KEY/sharing/", SHARING, "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/desk/lesson/{id}/question/", "/api/desk/lesson/201010101/question/", "", "200", "404 NOT_FOUND"),
    ("GET",    "/api/desk/calendar/",          "/api/desk/calendar/",           "", "200", "200"),
    ("POST",   "/api/desk/calendar/",          "/api/desk/calendar/",           "", "201", "201"),
    ("DELETE", "/api/desk/calendar/",          "/api/desk/calendar/",           "", "204", "204"),
    ("GET",    "/api/desk/calendar/{file}",    "/api/desk/calendar/TOKEN.ics",  "", "", ""),
    ("GET",    "/api/desk/interview/kind/",    "/api/desk/interview/kind/",     "", "200", "200"),
    ("GET",    "/api/desk/interview/kind/{id}/slot/", "/api/desk/interview/kind/1/slot/", "", "200", "200"),
    // For an existing slot and interview, see interview.rs.
    ("PUT",    "/api/desk/interview/slot/{id}/hold/", "/api/desk/interview/slot/KEY/hold/", INTERVIEW_HOLD, "404 NOT_FOUND", "404 NOT_FOUND"),
    ("DELETE", "/api/desk/interview/slot/{id}/hold/", "/api/desk/interview/slot/KEY/hold/", "", "204", "204"),
    ("GET",    "/api/desk/interview/",         "/api/desk/interview/",          "", "200", "200"),
    // Without an idempotency key.
    ("POST",   "/api/desk/interview/",         "/api/desk/interview/",          INTERVIEW, "400 INVALID", "400 INVALID"),
    ("GET",    "/api/desk/interview/{id}/",    "/api/desk/interview/KEY/",      "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("DELETE", "/api/desk/interview/{id}/",    "/api/desk/interview/KEY/",      "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/desk/event/",             "/api/desk/event/",              "", "200", "200"),
    ("GET",    "/api/desk/event/{id}/",        "/api/desk/event/1/",            "", "200", "200"),
    ("POST",   "/api/desk/event/{id}/entry/",  "/api/desk/event/2/entry/",      PARTICIPANT, "200", "200"),
    // For an existing entry, see school_event.rs.
    ("POST",   "/api/desk/event/entry/{id}/accept/", "/api/desk/event/entry/KEY/accept/", "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("DELETE", "/api/desk/event/entry/{id}/",  "/api/desk/event/entry/KEY/",    "", "404 NOT_FOUND", "404 NOT_FOUND"),
    ("GET",    "/api/desk/success/voice/",     "/api/desk/success/voice/",      "", "",    ""),
    ("GET",    "/api/desk/success/{year}/",    "/api/desk/success/2025/",       "", "",    ""),
    ("GET",    "/api/desk/entry-exam/",        "/api/desk/entry-exam/",         "", "",    ""),
    ("GET",    "/api/postal/{postal_code}/",   "/api/postal/1000001/",          "", "",    ""),
    ("GET",    "/api/maintenance/",            "/api/maintenance/",             "", "",    ""),
    ("GET",    "/api/schema/",                 "/api/schema/",                  "", "",    ""),
    // Last, because they end the tested sessions.
    ("POST",   "/api/accounts/logout/all/",    "/api/accounts/logout/all/",     "", "204", "204"),
    ("POST",   "/api/accounts/logout/",        "/api/accounts/logout/",         "", "204", "204"),
];

/// Password of every account of this test.
const PASSWORD: &str = r#"{"password":"a long enough password"}"#;
const WRONG_PASSWORD: &str = r#"{"password":"another password"}"#;
const NEW_PASSWORD: &str = r#"{"password":"another password","new_password":"yet another password"}"#;
const EMAIL: &str = r#"{"password":"another password","email":"new@konomana.example"}"#;
const PROFILE: &str = r#"{"last_name":"井上","first_name":"拓海","last_name_kana":"イノウエ","first_name_kana":"タクミ","birth_date":"2011-04-01","school_year":null,"school_name":"","news":false}"#;
const ADDRESS: &str = r#"{"postal_code":"","prefecture":"","city":"","town":"","building":"","phone":""}"#;
const CONSENT: &str = r#"{"name":"井上 恵子","relation":"母","email":"guardian@konomana.example"}"#;
const CODE: &str = r#"{"code":"ABCD-EFGH"}"#;
const BEAT: &str = r#"{"sequence":1,"position":15,"watched":[[0,15]],"stream":null}"#;
const TEACHER_QUESTION: &str = r#"{"text":"この式の変形がわかりません。","lesson":null,"is_shared":false}"#;
const FOLLOW_UP: &str = r#"{"text":"二行目がまだわかりません。"}"#;
const PARTICIPANT: &str = r#"{"child":null}"#;
const NOTIFICATIONS: &str = r#"{"mail_off":[],"push_off":[],"quiet_hours":null}"#;
const PUSH_DEVICE: &str = r#"{"endpoint":"https://push.example.com/x","p256dh":"BA","auth":"AA"}"#;
const SHARING: &str = r#"{"is_shared":true}"#;
const VISIBILITY: &str = r#"{"is_name_shown":true}"#;
const INTERVIEW_HOLD: &str = r#"{"replaces":null}"#;
const INTERVIEW: &str = r#"{"slot":"00000000-0000-4000-8000-000000000000"}"#;
const NOTE: &str = r#"{"lesson":201010101,"at":15,"text":"主語"}"#;
const NAME: &str = r#"{"name":"スマホ"}"#;
const STREAM: &str = r#"{"device":"00000000-0000-4000-8000-000000000001","take_over":false}"#;
const ANSWER: &str = r#"{"answer":{"choices":[1]}}"#;
const CART_LINE: &str = r#"{"product":1201,"learner":null}"#;
const CART_LEARNER: &str = r#"{"learner":"00000000-0000-7000-8000-000000000001"}"#;
const VISITOR_CART: &str = r#"{"products":[]}"#;
const ORDER: &str =
    r#"{"confirmation":"0000000000000000000000000000000000000000000000000000000000000000","method":"card"}"#;
const COUPON_CODE: &str = r#"{"code":"UNKNOWN"}"#;
const REFUND: &str =
    r#"{"quote":"0000000000000000000000000000000000000000000000000000000000000000","lines":[1]}"#;
const ADDRESSEE: &str = r#"{"addressee":"井上 拓海"}"#;
const STUDY_MINUTES: &str = r#"{"minutes":30}"#;
const EXAM_REVIEW: &str = r#"{"is_solved":true}"#;
const EXAM_INFO: &str = r#"{"last_name":"井上","first_name":"拓海","last_kana":"イノウエ","first_kana":"タクミ","school_year":"中3","school_name":"青葉中学校","prefecture":"東京都"}"#;
const EXAM_SCHOOL: &str = r#"{"school_id":1,"department_id":101,"school_marks":null}"#;
const EXAM_CHECK: &str = r#"{"browser":"Firefox 151","clock_offset_ms":-20,"storage_kept":true,"round_trip_ms":40,"sound":true,"quiet_place":true}"#;
const EXAM_DEVICE: &str =
    r#"{"device_id":"00000000-0000-4000-8000-000000000001","device_time":"2026-11-20T10:00:00Z"}"#;
const EXAM_SAVE: &str = r#"{"device_id":"00000000-0000-4000-8000-000000000001","epoch":1,"device_time":"2026-11-20T10:00:00Z","pending":0,"answers":[]}"#;
const EXAM_HAND_IN: &str = r#"{"device_id":"00000000-0000-4000-8000-000000000001","epoch":1}"#;
/// Valid format, but not signed by a device.
const PASSKEY: &str =
    r#"{"challenge":"00000000-0000-4000-8000-000000000000","name":"スマホ","credential":{"id":"AA"}}"#;

#[test]
fn every_route_has_its_row() {
    let declared = edge::declared_routes().into_iter().map(|(method, path, _)| (method.to_string(), path));
    let tested = ROUTES.map(|(method, path, ..)| (method.to_owned(), path.to_owned()));
    assert_eq!(declared.collect::<BTreeSet<_>>(), BTreeSet::from(tested));
}

/// Returns the declared audience of a route.
fn audience(method: &str, template: &str) -> Audience {
    let mut routes = edge::declared_routes().into_iter();
    routes.find(|(declared, path, _)| declared == method && path == template).unwrap().2
}

/// Returns every Authorization header that is not one valid token, by name.
fn refused(forge: &Forge, good: &str, revoked: &str) -> Vec<(String, Vec<String>)> {
    let header = forge.header();
    let of = |claims: &Value| forge.sign(&header, claims);
    let now = NOW.unix_timestamp();
    let (head, signature) = good.rsplit_once('.').unwrap();
    let other = Forge::new();
    let mut all: Vec<(String, Vec<String>)> = [
        ("nothing", ""),
        ("only a scheme", "Bearer"),
        ("a scheme and a space", "Bearer "),
        ("another scheme", &format!("Basic {good}")),
        ("an unknown scheme", &format!("Token {good}")),
        ("two spaces", &format!("Bearer  {good}")),
        ("something after it", &format!("Bearer {good} x")),
        ("two tokens", &format!("{good},{good}")),
        ("two parts", head),
        ("no signature", &format!("{head}.")),
        ("half a signature", &format!("{head}.{}", &signature[..40])),
        ("another's signature", &format!("{head}.{}", of(&Forge::claims()).rsplit_once('.').unwrap().1)),
        ("padding", &format!("{good}=")),
        ("full-width letters", &format!("Bearer {}", good.replacen('e', "\u{ff45}", 1))),
        ("too much", &format!("{good}{}", "A".repeat(4000))),
        ("no JWT", "Bearer a.b.c"),
        ("no algorithm", &forge.unsigned()[0]),
        ("no algorithm, a signature", &forge.unsigned()[1]),
        ("HS256 with the public key", &forge.sign_with_the_public_key()),
        (
            "an unknown key",
            &other.sign(&Header { kid: Some("unknown".to_owned()), ..header.clone() }, &Forge::claims()),
        ),
        ("another key under this name", &other.sign(&header, &Forge::claims())),
        ("no key's name", &forge.sign(&Header { kid: None, ..header.clone() }, &Forge::claims())),
        ("typ JWT", &forge.sign(&Header { typ: Some("JWT".to_owned()), ..header.clone() }, &Forge::claims())),
        ("no typ", &forge.sign(&Header { typ: None, ..header.clone() }, &Forge::claims())),
        (
            "a critical extension",
            &forge.sign(&Header { crit: Some(vec!["b64".to_owned()]), ..header.clone() }, &Forge::claims()),
        ),
        ("revoked", revoked),
    ]
    .map(|(name, value)| (name.to_owned(), vec![value.to_owned()]))
    .into();
    all.push(("two headers".to_owned(), vec![format!("Bearer {good}"), format!("Bearer {good}")]));
    let wrong = [
        ("iss", json!("somebody else")),
        ("iss", json!(["konomana-auth"])),
        ("aud", json!("another product")),
        ("aud", json!(["konomana"])),
        ("sub", json!("1")),
        ("sid", json!(1)),
        ("scope", json!("learner")),
        ("nbf", json!(now + 6)),
        ("exp", json!(now - 5)),
        ("exp", json!("never")),
        ("exp", json!(9.3e18)),
    ];
    let missing =
        ["iss", "aud", "sub", "sid", "scope", "iat", "nbf", "exp", "jti"].map(|name| (name, Value::Null));
    for (name, value) in wrong.into_iter().chain(missing) {
        all.push((format!("{name} {value}"), vec![of(&Forge::claims_with(name, value))]));
    }
    all
}

/// Starts the services, and an edge that also accepts forged tokens.
async fn tapped() -> (World, Tap, Forge, Edge) {
    let world = World::new().await;
    let forge = Forge::new();
    let tap = Tap::new(world.auth.channel(), forge.public.clone()).await;
    let mut settings = world.settings();
    settings.auth_url = tap.server.url();
    let edge = Edge::new(&settings, world.clock.clock()).await;
    (world, tap, forge, edge)
}

#[tokio::test]
async fn every_route_refuses_callers_outside_its_audience() {
    let (_world, _tap, forge, edge) = tapped().await;
    let (mut good, _) = edge.login(ONE).await;
    let (mut other, _) = edge.login(TWO).await;
    let (mut staff, _) = edge.login(STAFF).await;
    let (guardian, _) = edge.login(GUARDIAN).await;
    let (revoked, _) = edge.login(ONE).await;
    assert_eq!(edge.call("POST", "/api/accounts/logout/", Some(&revoked)).await.outcome(), "204");
    let refused = refused(&forge, &good, &revoked);
    let item = edge.get("/api/lms/inventory/", Some(&good)).await.json()["results"][0]["id"].to_string();

    let (device, _) = edge.login(ONE).await;
    let devices = edge.get("/api/accounts/sessions/", Some(&device)).await.json();
    let devices = devices["results"].as_array().unwrap();
    let device = devices.iter().find(|device| device["is_current"] == true).unwrap()["id"].as_str().unwrap();

    for (method, template, path, body, owners, others) in ROUTES {
        let audience = audience(method, template);
        assert_eq!(owners.is_empty(), !audience.needs_token(), "{method} {template}");
        if path == "/api/accounts/logout/" {
            good = edge.login(ONE).await.0;
            other = edge.login(TWO).await.0;
            staff = edge.login(STAFF).await.0;
        }
        let path = path
            .replace("ITEM", &item)
            .replace("SESSION", device)
            .replace("KEY", "00000000-0000-4000-8000-000000000000");
        let call = async |token: &str| {
            let headers = [("authorization", token), ("content-type", "application/json")];
            edge.send(method, &path, &headers[..if body.is_empty() { 1 } else { 2 }], body).await.outcome()
        };
        let open = edge.call(method, &path, None).await.outcome();
        for (name, values) in &refused {
            let headers: Vec<_> = values.iter().map(|value| ("authorization", value.as_str())).collect();
            let outcome = edge.send(method, &path, &headers, "").await.outcome();
            let wanted = if audience.needs_token() { "401 UNAUTHENTICATED" } else { &open };
            assert_eq!(outcome, wanted, "{method} {path} with {name}");
        }
        if !audience.needs_token() {
            assert_ne!(open, "401 UNAUTHENTICATED", "{method} {path}");
            continue;
        }
        assert_eq!(open, "401 UNAUTHENTICATED", "{method} {path}");
        let bearer = format!("Bearer {}", if audience == Audience::Guardian { &guardian } else { &good });
        assert_eq!(call(&bearer).await, owners, "{method} {path}");
        assert_eq!(call(&other).await, others, "{method} {path}");
        let staffs = if audience == Audience::Caller { others } else { "403 FORBIDDEN" };
        assert_eq!(call(&staff).await, staffs, "{method} {path}");
        if audience == Audience::Learner {
            assert_eq!(call(&guardian).await, "403 FORBIDDEN", "{method} {path}");
        }
    }
}

#[tokio::test]
async fn a_good_token_is_taken_both_ways_and_five_seconds_beyond_its_times() {
    let (_world, _tap, forge, edge) = tapped().await;
    let now = NOW.unix_timestamp();
    for (name, value) in [("exp", json!(now + 1)), ("exp", json!(now - 4)), ("nbf", json!(now + 5))] {
        let token = forge.sign(&forge.header(), &Forge::claims_with(name, value));
        for value in [token.clone(), format!("Bearer {token}"), format!("bearer {token}")] {
            assert_eq!(edge.get("/api/accounts/user/", Some(&value)).await.outcome(), "200", "{name}");
        }
    }
}

#[tokio::test]
async fn a_valid_token_expires() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (token, _) = edge.login(ONE).await;
    assert_eq!(edge.get("/api/accounts/user/", Some(&token)).await.outcome(), "200");
    world.clock.advance(time::Duration::seconds(86_404));
    assert_eq!(edge.get("/api/accounts/user/", Some(&token)).await.outcome(), "200");
    world.clock.advance(time::Duration::seconds(1));
    assert_eq!(edge.get("/api/accounts/user/", Some(&token)).await.outcome(), "401 UNAUTHENTICATED");
}

#[tokio::test]
async fn what_one_learner_marks_another_does_not_see() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (one, _) = edge.login(ONE).await;
    let (two, _) = edge.login(TWO).await;
    for (kind, id) in [("bookmark", 201), ("favorite", 202_010_101), ("check", 202_010_101)] {
        let list = format!("/api/lms/{kind}/");
        let before = edge.get(&list, Some(&one)).await.json();
        assert_eq!(edge.call("PUT", &format!("{list}{id}/"), Some(&two)).await.outcome(), "204");
        assert_eq!(edge.get(&list, Some(&two)).await.json()["count"], 1, "{kind}");
        assert_eq!(edge.get(&list, Some(&one)).await.json(), before, "{kind}");
    }
}

#[tokio::test]
async fn what_one_learner_wrote_another_neither_sees_nor_changes() {
    let world = World::new().await;
    let edge = world.edge().await;
    let (one, _) = edge.login(ONE).await;
    let (two, _) = edge.login(TWO).await;
    let note = "/api/lms/note/01936f2a-4c00-7a31-8b52-1f6d0c9e4a01/";
    // Both own the course of the lesson.
    let draft = |text: &str| json!({"lesson": 202_010_101, "at": 1, "text": text});
    assert_eq!(edge.with("PUT", note, &one, &draft("変化")).await.outcome(), "200");
    assert_eq!(edge.with("PUT", note, &two, &draft("割合")).await.outcome(), "404 NOT_FOUND");
    assert_eq!(edge.call("DELETE", note, Some(&two)).await.outcome(), "404 NOT_FOUND");
    assert_eq!(edge.get("/api/lms/note/", Some(&two)).await.json()["count"], 0);
    assert_eq!(edge.get("/api/lms/note/", Some(&one)).await.json()["results"][0]["text"], "変化");
}

#[tokio::test]
async fn after_logout_a_token_is_dead_on_every_edge_within_a_second() {
    let world = World::new().await;
    let (here, there) = (world.edge().await, world.edge().await);
    for _ in 0..5 {
        let (token, _) = here.login(ONE).await;
        assert_eq!(there.get("/api/accounts/user/", Some(&token)).await.outcome(), "200");
        assert_eq!(here.call("POST", "/api/accounts/logout/", Some(&token)).await.outcome(), "204");
        let ended = Instant::now();
        assert_eq!(here.get("/api/accounts/user/", Some(&token)).await.outcome(), "401 UNAUTHENTICATED");
        while there.get("/api/accounts/user/", Some(&token)).await.outcome() == "200" {
            assert!(ended.elapsed() < Duration::from_secs(1), "still alive on the other edge");
        }
    }
}

#[tokio::test]
async fn with_a_stale_view_auth_is_asked_and_without_auth_nobody_passes() {
    let (world, tap, _, edge) = tapped().await;
    let (kept, _) = edge.login(ONE).await;
    let (ended, _) = edge.login(ONE).await;
    let user = |token: &str| {
        let (edge, token) = (&edge, token.to_owned());
        async move { edge.get("/api/accounts/user/", Some(&token)).await.outcome() }
    };
    assert_eq!((user(&kept).await, user(&ended).await), ("200".to_owned(), "200".to_owned()));
    assert_eq!(tap.session_checks(), 0, "a fresh view needs no call");

    tap.fall_silent();
    let silent = Instant::now();
    while tap.session_checks() == 0 {
        assert_eq!(user(&kept).await, "200");
        assert!(silent.elapsed() < Duration::from_secs(2), "the view is still fresh");
    }
    // Ended through another edge. The first edge gets no more messages.
    let elsewhere = world.edge().await;
    assert_eq!(elsewhere.call("POST", "/api/accounts/logout/", Some(&ended)).await.outcome(), "204");
    assert_eq!(user(&ended).await, "401 UNAUTHENTICATED");
    assert_eq!(user(&kept).await, "200");

    world.auth.shutdown.begin();
    let stopped = Instant::now();
    loop {
        let outcome = user(&kept).await;
        if outcome == "502 UPSTREAM_UNAVAILABLE" {
            break;
        }
        assert_eq!(outcome, "200");
        assert!(stopped.elapsed() < Duration::from_secs(5), "auth still answers");
    }
    assert_eq!(edge.get("/api/lms/inventory/", Some(&kept)).await.outcome(), "502 UPSTREAM_UNAVAILABLE");
}

#[tokio::test]
async fn a_token_of_a_retired_key_is_refused_even_if_its_session_is_active() {
    let (_world, tap, forge, edge) = tapped().await;
    let (kept, _) = edge.login(ONE).await;
    let claims = URL_SAFE_NO_PAD.decode(kept.split('.').nth(1).unwrap()).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    // An attacker with the key signs any account into the attacker's own active session.
    let stolen = forge.sign(&forge.header(), &Forge::claims_with("sid", claims["sid"].clone()));
    let user = |token: &str| {
        let (edge, token) = (&edge, token.to_owned());
        async move { edge.get("/api/accounts/user/", Some(&token)).await.outcome() }
    };
    assert_eq!(user(&stolen).await, "200");
    tap.fall_silent();
    tap.retire_key();
    let retired = Instant::now();
    while user(&stolen).await == "200" {
        assert!(retired.elapsed() < Duration::from_secs(1), "the key is still trusted");
    }
    assert_eq!(user(&stolen).await, "401 UNAUTHENTICATED");
    assert_eq!(user(&kept).await, "200");
}
