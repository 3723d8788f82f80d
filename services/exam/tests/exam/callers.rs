//! The callers of exam.

use kit::caller::Service;
use kit::test::every_rpc_admits_only_its_callers;

use crate::school::School;

#[tokio::test]
async fn every_rpc_is_refused_to_all_but_its_callers() {
    let school = School::open().await;
    let packages = ["exam.v1", "common.v1"];
    every_rpc_admits_only_its_callers(&school.server, Service::Exam, exam::CALLERS, &packages).await;
}
