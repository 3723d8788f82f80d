//! `desk.v1.SuccessService`.

use proto::desk::success_service_server::SuccessService;
use proto::desk::{
    Figure, GetYearRequest, GetYearResponse, ListVoicesRequest, ListVoicesResponse, PassedSchool, Voice,
};
use tonic::{Request, Response, Status};

use super::Desk;
use crate::error::Error;
use crate::success;

#[tonic::async_trait]
impl SuccessService for Desk {
    async fn get_year(&self, request: Request<GetYearRequest>) -> Result<Response<GetYearResponse>, Status> {
        let year = request.into_inner().year;
        let mut connection = self.acquire().await?;
        let results =
            success::find_year(&mut connection, year).await.map_err(Error::from)?.ok_or(Error::NotFound)?;
        let voices = success::list_voices(&mut connection, Some(year), None, self.today())
            .await
            .map_err(Error::from)?;
        let figure = |figure: success::Figure| Figure {
            label: figure.label,
            count: figure.count,
            of: figure.of,
            unit: figure.unit,
        };
        let school = |school: success::School| PassedSchool {
            name: school.name,
            kind: school.kind,
            count: school.count,
        };
        Ok(Response::new(GetYearResponse {
            year,
            as_of: results.as_of.to_string(),
            figures: results.figures.into_iter().map(figure).collect(),
            schools: results.schools.into_iter().map(school).collect(),
            voices: voices.into_iter().map(encode).collect(),
        }))
    }

    async fn list_voices(
        &self,
        request: Request<ListVoicesRequest>,
    ) -> Result<Response<ListVoicesResponse>, Status> {
        let course = request.into_inner().course_id;
        let mut connection = self.acquire().await?;
        let voices =
            success::list_voices(&mut connection, None, course, self.today()).await.map_err(Error::from)?;
        Ok(Response::new(ListVoicesResponse { voices: voices.into_iter().map(encode).collect() }))
    }
}

fn encode(voice: success::Voice) -> Voice {
    Voice {
        name: voice.name,
        school: voice.school,
        school_year: voice.school_year,
        text: voice.text,
        course_ids: voice.course_ids,
    }
}
