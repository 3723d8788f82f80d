//! `exam.v1.ApplicationService`.

mod convert;

use kit::caller::CallerOf as _;
use kit::error::FieldError;
use proto::exam::application_service_server::ApplicationService;
use proto::exam::{
    ClearDesiredSchoolRequest, ClearDesiredSchoolResponse, ExportApplicationsRequest,
    ExportApplicationsResponse, GetApplicationRequest, GetApplicationResponse, ListApplicationsRequest,
    ListApplicationsResponse, SetBasicInfoRequest, SetBasicInfoResponse, SetDesiredSchoolRequest,
    SetDesiredSchoolResponse, SetDeviceCheckRequest, SetDeviceCheckResponse, TakeSeatRequest,
    TakeSeatResponse,
};
use tonic::{Request, Response, Status};

use super::{Exam, commit};
use crate::application::{self, DeviceReport, SchoolWish};
use crate::error::Error;
use crate::sitting::export;

use convert::{decode_info, encode_application, encode_sitting};

#[tonic::async_trait]
impl ApplicationService for Exam {
    async fn list_applications(
        &self,
        request: Request<ListApplicationsRequest>,
    ) -> Result<Response<ListApplicationsResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let applications =
            application::list(&mut connection, learner, Some(now)).await.map_err(Error::from)?;
        self.pool.keep(connection);
        let applications = applications.into_iter().map(|found| encode_application(found, now)).collect();
        Ok(Response::new(ListApplicationsResponse { applications }))
    }

    async fn get_application(
        &self,
        request: Request<GetApplicationRequest>,
    ) -> Result<Response<GetApplicationResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let mut connection = self.acquire().await?;
        let found = application::find(&mut connection, learner, request.get_ref().exam_id).await;
        let found = found.map_err(Error::from)?.ok_or(Error::NotFound)?;
        self.pool.keep(connection);
        let application = Some(encode_application(found, self.clock.now()));
        Ok(Response::new(GetApplicationResponse { application }))
    }

    async fn take_seat(
        &self,
        request: Request<TakeSeatRequest>,
    ) -> Result<Response<TakeSeatResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let mut transaction = self.begin().await?;
        application::take_seat(&mut transaction, learner, request.get_ref().exam_id, self.clock.now())
            .await?;
        commit(transaction).await?;
        Ok(Response::new(TakeSeatResponse {}))
    }

    async fn set_basic_info(
        &self,
        request: Request<SetBasicInfoRequest>,
    ) -> Result<Response<SetBasicInfoResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let SetBasicInfoRequest { exam_id, basic_info } = request.into_inner();
        let info = decode_info(basic_info.unwrap_or_default());
        let mut transaction = self.begin().await?;
        application::set_basic_info(&mut transaction, learner, exam_id, &info, self.clock.now()).await?;
        commit(transaction).await?;
        Ok(Response::new(SetBasicInfoResponse {}))
    }

    async fn set_desired_school(
        &self,
        request: Request<SetDesiredSchoolRequest>,
    ) -> Result<Response<SetDesiredSchoolResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let SetDesiredSchoolRequest { exam_id, rank, school_id, department_id, school_marks } =
            request.into_inner();
        let wish = SchoolWish { rank, school_id, department_id, school_marks };
        let mut transaction = self.begin().await?;
        application::set_desired_school(&mut transaction, learner, exam_id, wish, self.clock.now()).await?;
        commit(transaction).await?;
        Ok(Response::new(SetDesiredSchoolResponse {}))
    }

    async fn clear_desired_school(
        &self,
        request: Request<ClearDesiredSchoolRequest>,
    ) -> Result<Response<ClearDesiredSchoolResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let ClearDesiredSchoolRequest { exam_id, rank } = request.into_inner();
        let mut transaction = self.begin().await?;
        application::clear_desired_school(&mut transaction, learner, exam_id, rank, self.clock.now()).await?;
        commit(transaction).await?;
        Ok(Response::new(ClearDesiredSchoolResponse {}))
    }

    async fn set_device_check(
        &self,
        request: Request<SetDeviceCheckRequest>,
    ) -> Result<Response<SetDeviceCheckResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let device_id = request.device_id.parse();
        let report = DeviceReport {
            device_id: device_id.map_err(|_| Error::Field(FieldError::new("device_id", "INVALID_FORMAT")))?,
            browser: request.browser,
            clock_offset_ms: request.clock_offset_ms,
            storage_kept: request.storage_kept,
            round_trip_ms: request.round_trip_ms,
            sound: request.sound,
            quiet_place: request.quiet_place,
            browser_fits: request.browser_fits.unwrap_or(true),
        };
        let mut transaction = self.begin().await?;
        let passed = application::set_device_check(
            &mut transaction,
            learner,
            request.exam_id,
            &report,
            self.clock.now(),
        )
        .await?;
        commit(transaction).await?;
        Ok(Response::new(SetDeviceCheckResponse { passed }))
    }

    async fn export_applications(
        &self,
        request: Request<ExportApplicationsRequest>,
    ) -> Result<Response<ExportApplicationsResponse>, Status> {
        let account = request.caller()?.account()?;
        let mut connection = self.acquire().await?;
        let applications = application::list(&mut connection, account, None).await.map_err(Error::from)?;
        let sittings = export::list_sittings(&mut connection, account).await.map_err(Error::from)?;
        self.pool.keep(connection);
        let now = self.clock.now();
        Ok(Response::new(ExportApplicationsResponse {
            applications: applications.into_iter().map(|found| encode_application(found, now)).collect(),
            sittings: sittings.into_iter().map(encode_sitting).collect(),
        }))
    }
}
