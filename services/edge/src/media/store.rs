//! The store of files: a folder or an S3 bucket.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use kit::Failure;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt as _, RetryConfig};

use super::http_client::Connector;
use super::range::{ByteRange, parse_range};
use crate::answer::is_known;
use crate::config::{Media, MediaPlace};
use crate::error::Error;

/// Time limit of retries; less than the deadline of a request.
const RETRY_TIMEOUT: Duration = Duration::from_secs(5);

/// Reads files from the store.
pub(crate) struct Store(Arc<dyn ObjectStore>);

impl Store {
    /// Opens the store of the settings. Fails if a folder does not exist.
    pub(crate) fn new(settings: &Media) -> Result<Self, Failure> {
        Ok(Self(match &settings.store {
            MediaPlace::Folder(folder) => {
                let store = LocalFileSystem::new_with_prefix(folder);
                Arc::new(store.map_err(|error| format!("EDGE_MEDIA_STORE: {error}"))?)
            }
            MediaPlace::Bucket { name, folder } => {
                let mut bucket = AmazonS3Builder::new()
                    .with_bucket_name(name)
                    .with_region(&settings.region)
                    .with_retry(RetryConfig { retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() })
                    .with_http_connector(Connector);
                if let Some(endpoint) = &settings.endpoint {
                    bucket = bucket.with_endpoint(endpoint).with_allow_http(endpoint.starts_with("http://"));
                }
                Arc::new(PrefixStore::new(with_credentials(bucket, settings).build()?, folder.as_str()))
            }
        }))
    }

    /// Returns the file at `path`, or the requested range of it.
    pub(super) async fn answer(
        &self,
        path: &str,
        media_type: &'static str,
        method: &Method,
        request_headers: &HeaderMap,
    ) -> Result<Response, Error> {
        let path = Path::parse(path).map_err(|_| Error::NotFound)?;
        let head = self.0.head(&path).await.map_err(convert_error)?;
        let etag = etag(&head);
        let range = match request_headers.get(header::IF_RANGE) {
            _ if method == Method::HEAD => ByteRange::Whole,
            Some(known) if known.as_bytes() != etag.as_bytes() => ByteRange::Whole,
            _ => parse_range(request_headers, head.size),
        };
        let mut answer = if is_known(request_headers, &etag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            match range {
                ByteRange::Beyond => return Err(Error::RangeNotSatisfiable(head.size)),
                ByteRange::Whole if method == Method::HEAD => sized(StatusCode::OK, head.size, Body::empty()),
                ByteRange::Whole => sized(StatusCode::OK, head.size, self.body(&path, &head, None).await?),
                ByteRange::Part(range) => {
                    let last = range.end - 1;
                    let place = format!("bytes {}-{last}/{}", range.start, head.size);
                    let length = range.end - range.start;
                    let body = self.body(&path, &head, Some(GetRange::Bounded(range))).await?;
                    let mut answer = sized(StatusCode::PARTIAL_CONTENT, length, body);
                    if let Ok(place) = place.try_into() {
                        answer.headers_mut().insert(header::CONTENT_RANGE, place);
                    }
                    answer
                }
            }
        };
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        if let Ok(etag) = etag.try_into() {
            headers.insert(header::ETAG, etag);
        }
        Ok(answer)
    }

    /// Streams the bytes of the version that `head` describes.
    async fn body(&self, path: &Path, head: &ObjectMeta, range: Option<GetRange>) -> Result<Body, Error> {
        let options = GetOptions { range, if_match: head.e_tag.clone(), ..GetOptions::default() };
        let found = self.0.get_opts(path, options).await.map_err(convert_error)?;
        Ok(Body::from_stream(found.into_stream()))
    }
}

/// Adds the credentials in the settings: a key, a role, or none.
fn with_credentials(bucket: AmazonS3Builder, settings: &Media) -> AmazonS3Builder {
    if let (Some(id), Some(secret)) = (&settings.access_key_id, &settings.secret_access_key) {
        return bucket.with_access_key_id(id).with_secret_access_key(secret);
    }
    let (Some(role), Some(token)) = (&settings.role_arn, &settings.web_identity_token_file) else {
        return bucket.with_skip_signature(true);
    };
    let bucket = bucket
        .with_config(AmazonS3ConfigKey::RoleArn, role)
        .with_config(AmazonS3ConfigKey::WebIdentityTokenFile, token);
    match &settings.sts_endpoint {
        Some(endpoint) => bucket.with_config(AmazonS3ConfigKey::StsEndpoint, endpoint),
        None => bucket,
    }
}

fn sized(status: StatusCode, length: u64, body: Body) -> Response {
    (status, [(header::CONTENT_LENGTH, HeaderValue::from(length))], body).into_response()
}

/// Identifies a version of a file without revealing the store.
fn etag(head: &ObjectMeta) -> String {
    let state = head.e_tag.clone().unwrap_or_else(|| format!("{} {}", head.last_modified, head.size));
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, state.as_bytes());
    format!("\"{}\"", crate::base64url(&digest.as_ref()[..16]))
}

fn convert_error(error: object_store::Error) -> Error {
    match error {
        object_store::Error::NotFound { .. } | object_store::Error::InvalidPath { .. } => Error::NotFound,
        error => {
            tracing::error!(%error, "media files cannot be read");
            Error::Upstream(kit::error::Code::Unavailable.into())
        }
    }
}
