//! `desk.v1.MemberNoticeService`.

use kit::caller::{CallerOf as _, Person, Scope};
use kit::page::Page;
use kit::timestamp::to_timestamp;
use proto::desk as wire;
use proto::desk::member_notice_service_server::MemberNoticeService;
use tonic::{Request, Response, Status};

use super::{Desk, commit};
use crate::error::Error;
use crate::member_notice::{self, MemberNotice, PAGE_SIZE, Reader};

#[tonic::async_trait]
impl MemberNoticeService for Desk {
    async fn list_member_notices(
        &self,
        request: Request<wire::ListMemberNoticesRequest>,
    ) -> Result<Response<wire::ListMemberNoticesResponse>, Status> {
        let person = *request.caller()?.person()?;
        let request = request.into_inner();
        let page = Page::parse(request.page, PAGE_SIZE)?;
        let reader = build_reader(&person, request.reader);
        let mut connection = self.acquire().await?;
        let (rows, notices) = member_notice::list_page(&mut connection, &reader, page, self.clock.now())
            .await
            .map_err(Error::from)?;
        Ok(Response::new(wire::ListMemberNoticesResponse {
            count: page.encode_count(rows).ok_or(Error::NotFound)?,
            notices: notices.into_iter().map(encode).collect(),
        }))
    }

    async fn open_member_notice(
        &self,
        request: Request<wire::OpenMemberNoticeRequest>,
    ) -> Result<Response<wire::OpenMemberNoticeResponse>, Status> {
        let person = *request.caller()?.person()?;
        let request = request.into_inner();
        let reader = build_reader(&person, request.reader);
        let notice = self.read_notice(&reader, request.id).await?;
        Ok(Response::new(wire::OpenMemberNoticeResponse { notice: Some(encode(notice)) }))
    }

    async fn count_unread_notices(
        &self,
        request: Request<wire::CountUnreadNoticesRequest>,
    ) -> Result<Response<wire::CountUnreadNoticesResponse>, Status> {
        let person = *request.caller()?.person()?;
        let mut audiences = find_audiences(&person);
        if person.scopes.contains(Scope::Learner) {
            audiences.extend(["course", "school_year"].map(str::to_owned));
        }
        let mut connection = self.acquire().await?;
        let counts = member_notice::count_unread(&mut connection, person.actor, &audiences, self.clock.now())
            .await
            .map_err(Error::from)?;
        let mut response = wire::CountUnreadNoticesResponse::default();
        for member_notice::Unread { course, school_year, count: unread } in counts {
            match (course, school_year) {
                (Some(course_id), _) => response.courses.push(wire::UnreadOfCourse { course_id, unread }),
                (None, Some(school_year)) => {
                    response.school_years.push(wire::UnreadOfSchoolYear { school_year, unread });
                }
                (None, None) => response.unread = unread,
            }
        }
        Ok(Response::new(response))
    }

    async fn export_member_notices(
        &self,
        request: Request<wire::ExportMemberNoticesRequest>,
    ) -> Result<Response<wire::ExportMemberNoticesResponse>, Status> {
        let account = request.caller()?.account()?;
        let mut connection = self.acquire().await?;
        let notices = member_notice::list_personal(&mut connection, account).await.map_err(Error::from)?;
        let readings = member_notice::list_readings(&mut connection, account).await.map_err(Error::from)?;
        let readings = readings.into_iter().map(|(notice_id, read_at)| wire::NoticeReading {
            notice_id,
            read_at: Some(to_timestamp(read_at)),
        });
        Ok(Response::new(wire::ExportMemberNoticesResponse {
            notices: notices.into_iter().map(encode).collect(),
            readings: readings.collect(),
        }))
    }
}

impl Desk {
    /// Finds a notice and marks it as read.
    async fn read_notice(&self, reader: &Reader, id: i64) -> Result<MemberNotice, Error> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let notice = member_notice::find(&mut transaction, reader, id, now).await?;
        let mut notice = notice.ok_or(Error::NotFound)?;
        if notice.is_unread {
            member_notice::mark_read(&mut transaction, reader.account, id, now).await?;
            commit(transaction).await?;
            notice.is_unread = false;
        }
        Ok(notice)
    }
}

/// The audiences of all accounts of this kind.
fn find_audiences(person: &Person) -> Vec<String> {
    let kinds = [(Scope::Learner, "learner"), (Scope::Guardian, "guardian")];
    let own = kinds.into_iter().filter(|(scope, _)| person.scopes.contains(*scope));
    ["everyone"].into_iter().chain(own.map(|(_, name)| name)).map(str::to_owned).collect()
}

/// Only learners have courses and a school year.
fn build_reader(person: &Person, known: Option<wire::NoticeReader>) -> Reader {
    let known = known.filter(|_| person.scopes.contains(Scope::Learner)).unwrap_or_default();
    Reader {
        account: person.actor,
        audiences: find_audiences(person),
        courses: known.course_ids,
        school_year: known.school_year,
    }
}

fn encode(notice: MemberNotice) -> wire::MemberNotice {
    wire::MemberNotice {
        id: notice.id,
        category: notice.category,
        title: notice.title,
        summary: notice.summary,
        body: notice.body,
        is_pinned: notice.is_pinned,
        published_at: Some(to_timestamp(notice.published_at)),
        modified_at: Some(to_timestamp(notice.modified_at)),
        is_unread: notice.is_unread,
        is_personal: notice.is_personal,
    }
}
