//! Compiles every `.proto` of this folder, without protoc.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

const FILES: &[&str] = &[
    "auth/v1/auth.proto",
    "auth/v1/entry.proto",
    "auth/v1/event.proto",
    "auth/v1/guardian.proto",
    "auth/v1/passkey.proto",
    "auth/v1/profile.proto",
    "commerce/v1/card.proto",
    "commerce/v1/cart.proto",
    "commerce/v1/coupon.proto",
    "commerce/v1/event.proto",
    "commerce/v1/order.proto",
    "commerce/v1/product.proto",
    "commerce/v1/refund.proto",
    "commerce/v1/subscription.proto",
    "common/v1/event.proto",
    "desk/v1/appointment.proto",
    "desk/v1/calendar.proto",
    "desk/v1/contact.proto",
    "desk/v1/entry_exam.proto",
    "desk/v1/event.proto",
    "desk/v1/faq.proto",
    "desk/v1/interview.proto",
    "desk/v1/mail.proto",
    "desk/v1/member_notice.proto",
    "desk/v1/notice.proto",
    "desk/v1/notification.proto",
    "desk/v1/postal.proto",
    "desk/v1/school_event.proto",
    "desk/v1/search.proto",
    "desk/v1/success.proto",
    "desk/v1/teacher_question.proto",
    "exam/v1/application.proto",
    "exam/v1/check.proto",
    "exam/v1/event.proto",
    "exam/v1/exam.proto",
    "exam/v1/question.proto",
    "exam/v1/receipt.proto",
    "exam/v1/result.proto",
    "exam/v1/school.proto",
    "exam/v1/sitting.proto",
    "lms/v1/certificate.proto",
    "lms/v1/class.proto",
    "lms/v1/entitlement.proto",
    "lms/v1/exam_review.proto",
    "lms/v1/learner.proto",
    "lms/v1/lesson.proto",
    "lms/v1/lms.proto",
    "lms/v1/note.proto",
    "lms/v1/question.proto",
    "lms/v1/search.proto",
    "lms/v1/study_plan.proto",
    "lms/v1/teacher.proto",
    "lms/v1/watch.proto",
    "lms/v1/weekly_report.proto",
    "maintenance/v1/maintenance.proto",
];

#[expect(clippy::disallowed_methods, reason = "Cargo gives a build script its folder in a variable")]
fn main() -> Result<(), Box<dyn Error>> {
    for file in FILES {
        println!("cargo::rerun-if-changed={file}");
    }
    let mut config = tonic_prost_build::Config::new();
    config.enable_type_names();
    let mut compiler = protox::Compiler::new(["."])?;
    compiler.include_imports(true).open_files(FILES)?;
    // The descriptors of all services, for tests that go over every rpc.
    let descriptors = Path::new(&env::var("OUT_DIR")?).join("descriptors.bin");
    fs::write(descriptors, compiler.encode_file_descriptor_set())?;
    tonic_prost_build::configure().compile_fds_with_config(compiler.file_descriptor_set(), config)?;
    Ok(())
}
