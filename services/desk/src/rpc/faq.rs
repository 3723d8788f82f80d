//! `desk.v1.FaqService`.

use kit::page::Page;
use proto::desk::faq_service_server::FaqService;
use proto::desk::{
    Faq, GetFaqRequest, GetFaqResponse, ListFaqsRequest, ListFaqsResponse, RelatedFaq, VoteRequest,
    VoteResponse,
};
use tonic::{Request, Response, Status};

use super::{Desk, check_filter, commit, parse_words};
use crate::error::Error;
use crate::faq;

#[tonic::async_trait]
impl FaqService for Desk {
    async fn list_faqs(
        &self,
        request: Request<ListFaqsRequest>,
    ) -> Result<Response<ListFaqsResponse>, Status> {
        let request = request.into_inner();
        let page = Page::parse(request.page, faq::PAGE_SIZE)?;
        let category = check_filter("category", request.category.as_deref())?;
        let words = request.q.map(|typed| parse_words("q", &typed)).transpose()?;
        let mut connection = self.acquire().await?;
        let (rows, faqs) =
            faq::list_page(&mut connection, page, category, words.as_ref()).await.map_err(Error::from)?;
        let faqs = faqs.into_iter().map(encode).collect();
        Ok(Response::new(ListFaqsResponse { count: page.encode_count(rows).ok_or(Error::NotFound)?, faqs }))
    }

    async fn get_faq(&self, request: Request<GetFaqRequest>) -> Result<Response<GetFaqResponse>, Status> {
        let id = request.into_inner().id;
        let mut connection = self.acquire().await?;
        let faq = faq::find_faq(&mut connection, id).await.map_err(Error::from)?.ok_or(Error::NotFound)?;
        let related = faq::list_related(&mut connection, id).await.map_err(Error::from)?;
        let related = related.into_iter().map(|near| RelatedFaq { id: near.id, question: near.question });
        Ok(Response::new(GetFaqResponse { faq: Some(encode(faq)), related: related.collect() }))
    }

    async fn vote(&self, request: Request<VoteRequest>) -> Result<Response<VoteResponse>, Status> {
        let request = request.into_inner();
        let visitor =
            kit_db::limit::bucket(&self.keyed_hash, "faq vote", &request.client_address).narrowest();
        let mut transaction = self.pool.begin().await.map_err(Error::from)?;
        let exists = faq::add_vote(&mut transaction, request.id, &visitor, request.helpful, self.today())
            .await
            .map_err(Error::from)?;
        if !exists {
            return Err(Error::NotFound.into());
        }
        commit(transaction).await?;
        Ok(Response::new(VoteResponse {}))
    }
}

fn encode(faq: faq::Faq) -> Faq {
    Faq {
        id: faq.id,
        category: faq.category,
        question: faq.question,
        answer: faq.answer,
        helpful_count: faq.helpful_count.unsigned_abs(),
    }
}
