//! The edge's commands and settings. The comments are the text of `--help`.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

/// The edge's commands.
#[derive(Subcommand)]
pub enum Command {
    /// Serve the REST API
    Serve(Box<Serve>),
    /// Print the `OpenAPI` document that `GET /api/schema/` serves
    Schema,
}

/// Settings of `serve`.
#[derive(Args, Clone)]
pub struct Serve {
    /// The address to listen on
    #[arg(long, env = "EDGE_LISTEN", default_value = "127.0.0.1:7000")]
    pub listen: SocketAddr,
    /// Settings of every server
    #[command(flatten)]
    pub server: kit::config::Serve,
    /// Settings of the API
    #[command(flatten)]
    pub settings: Settings,
}

/// Settings of the API.
#[derive(Args, Clone)]
#[command(next_help_heading = "Edge")]
pub struct Settings {
    /// The auth service, e.g. `http://auth:7000`; several addresses are separated by commas. After a `;`, the
    /// address of a load balancer, used while no other address accepts a connection
    #[arg(long, env = "EDGE_AUTH_URL")]
    pub auth_url: String,
    /// The lms service, in the same form
    #[arg(long, env = "EDGE_LMS_URL")]
    pub lms_url: String,
    /// The desk service, in the same form
    #[arg(long, env = "EDGE_DESK_URL")]
    pub desk_url: String,
    /// The commerce service, in the same form
    #[arg(long, env = "EDGE_COMMERCE_URL")]
    pub commerce_url: String,
    /// The exam service, in the same form
    #[arg(long, env = "EDGE_EXAM_URL")]
    pub exam_url: String,
    /// The maintenance service, e.g. `http://maintenance:7000`; the edge follows every address of
    /// the name. Several URLs are separated by commas
    #[arg(long, env = "EDGE_MAINTENANCE_URL")]
    pub maintenance_url: String,
    /// The keys that sign calls to the services
    #[command(flatten)]
    pub keys: Keys,
    /// The key that signs the XSRF-TOKEN cookie: the same on every replica, at least 32 bytes
    #[arg(long, env = "EDGE_CSRF_SECRET", hide_env_values = true, value_parser = secret)]
    pub csrf_secret: String,
    /// The public origin of the product, scheme and host only, e.g. `https://www.konomana.jp`. Browsers may write from this
    /// origin only; `next` and `previous` begin with it
    #[arg(long, env = "EDGE_PUBLIC_ORIGIN", value_parser = origin)]
    pub public_origin: String,
    /// Further origins from which browsers may write, separated by commas
    #[arg(long, env = "EDGE_FURTHER_ORIGINS", value_delimiter = ',', value_parser = origin)]
    pub further_origins: Vec<String>,
    /// The number of trusted proxies in front of the edge: as many entries of X-Forwarded-For are trusted, from the right
    #[arg(long, env = "EDGE_TRUSTED_PROXIES", default_value_t = 0)]
    pub trusted_proxies: usize,
    /// The `iss` of access tokens, as configured in auth
    #[arg(long, env = "EDGE_TOKEN_ISSUER", default_value = "konomana-auth")]
    pub token_issuer: String,
    /// The `aud` of access tokens, as configured in auth
    #[arg(long, env = "EDGE_TOKEN_AUDIENCE", default_value = "konomana")]
    pub token_audience: String,
    /// `max-age` of the public catalogue, in seconds
    #[arg(long, env = "EDGE_PUBLIC_MAX_AGE", default_value_t = 60)]
    pub public_max_age: u32,
    /// `Retry-After` during a maintenance window that specifies none, in seconds
    #[arg(long, env = "EDGE_MAINTENANCE_RETRY_AFTER", default_value = "60")]
    pub maintenance_retry_after: NonZeroU32,
    /// Size of the course cache, in MiB
    #[arg(long, env = "EDGE_COURSE_CACHE_MIB", default_value_t = 32)]
    pub course_cache_mib: u32,
    /// The media store
    #[command(flatten)]
    pub media: Media,
    /// Limits
    #[command(flatten)]
    pub limits: Limits,
}

/// The keys that the edge signs its calls with, one for each service: at least 32 random bytes in hex or base64, the same
/// that the service has for the edge in its `CALLER_KEYS`.
// Not parsed by clap, because clap prints values that it cannot parse.
#[derive(Args, Clone)]
#[command(
    next_help_heading = "Caller keys (32 random bytes or more in hex or base64, as in the service's CALLER_KEYS)"
)]
pub struct Keys {
    /// Signs calls to auth
    #[arg(long = "auth-key", env = "EDGE_AUTH_KEY", hide_env_values = true)]
    pub auth: String,
    /// Signs calls to lms
    #[arg(long = "lms-key", env = "EDGE_LMS_KEY", hide_env_values = true)]
    pub lms: String,
    /// Signs calls to desk
    #[arg(long = "desk-key", env = "EDGE_DESK_KEY", hide_env_values = true)]
    pub desk: String,
    /// Signs calls to commerce
    #[arg(long = "commerce-key", env = "EDGE_COMMERCE_KEY", hide_env_values = true)]
    pub commerce: String,
    /// Signs calls to exam
    #[arg(long = "exam-key", env = "EDGE_EXAM_KEY", hide_env_values = true)]
    pub exam: String,
    /// Signs calls to maintenance
    #[arg(long = "maintenance-key", env = "EDGE_MAINTENANCE_KEY", hide_env_values = true)]
    pub maintenance: String,
}

/// The store of the media files of lessons, and the key of signed URLs.
#[derive(Args, Clone)]
#[command(next_help_heading = "Media")]
pub struct Media {
    /// The media files of lessons: a folder like `file:///media`, or a bucket like `s3://media` or `s3://media/folder`
    #[arg(long = "media-store", env = "EDGE_MEDIA_STORE", value_parser = media_place)]
    pub store: MediaPlace,
    /// The key of signed URLs: the same on every replica, at least 32 bytes
    #[arg(long = "media-key", env = "EDGE_MEDIA_KEY", hide_env_values = true, value_parser = secret)]
    pub key: String,
    /// Lifetime of a signed URL, in seconds
    #[arg(long = "media-link-time", env = "EDGE_MEDIA_LINK_TIME", default_value = "7200", value_parser = kit::config::time_seconds)]
    pub link_time: time::Duration,
    /// The bucket's region
    #[arg(long = "media-region", env = "AWS_REGION", default_value = "ap-northeast-1")]
    pub region: String,
    /// The S3 endpoint, if it is not AWS, e.g. `https://s3.example.jp`
    #[arg(long = "media-endpoint", env = "AWS_ENDPOINT_URL")]
    pub endpoint: Option<String>,
    /// The access key ID of the bucket. Without a key and a role, requests are anonymous
    #[arg(long = "media-access-key-id", env = "AWS_ACCESS_KEY_ID", requires = "secret_access_key")]
    pub access_key_id: Option<String>,
    /// The secret access key of the bucket
    #[arg(
        long = "media-secret-access-key",
        env = "AWS_SECRET_ACCESS_KEY",
        hide_env_values = true,
        requires = "access_key_id"
    )]
    pub secret_access_key: Option<String>,
    /// The role that reads the bucket if there is no key, assumed with the token below for an hour
    #[arg(long = "media-role-arn", env = "AWS_ROLE_ARN", requires = "web_identity_token_file")]
    pub role_arn: Option<String>,
    /// A file with a web identity token of the cluster, which renews it
    #[arg(
        long = "media-web-identity-token-file",
        env = "AWS_WEB_IDENTITY_TOKEN_FILE",
        requires = "role_arn"
    )]
    pub web_identity_token_file: Option<String>,
    /// The STS endpoint, if it is not AWS
    #[arg(long = "media-sts-endpoint", env = "AWS_ENDPOINT_URL_STS")]
    pub sts_endpoint: Option<String>,
}

/// A place of media files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MediaPlace {
    /// A local or mounted folder.
    Folder(PathBuf),
    /// An S3 bucket.
    Bucket {
        /// The bucket's name.
        name: String,
        /// The prefix of every key; may be empty.
        folder: String,
    },
}

/// Concurrency limits. Requests beyond a limit wait in its queue; beyond the queue they get 429.
#[derive(Args, Clone)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Time limit from a request's head to the start of its answer, in milliseconds; less than the 25 s of browsers
    #[arg(long, env = "EDGE_TIME_LIMIT_MS", default_value = "10000", value_parser = kit::config::milliseconds)]
    pub time: Duration,
    /// Concurrent requests in each part of the API (accounts, lms, …), and as many public reads in it
    #[arg(long, env = "EDGE_REQUESTS", default_value_t = 64)]
    pub requests: usize,
    /// Queue length of these requests, in each part
    #[arg(long, env = "EDGE_REQUESTS_QUEUE", default_value_t = 192)]
    pub requests_queue: usize,
    /// Concurrent calls that hash a password without a token: sign-in, sign-up, reset. With the password checks below,
    /// they must not exceed what one auth hashes and queues (`AUTH_HASHES_AT_ONCE`, `AUTH_HASHES_QUEUED`)
    #[arg(long, env = "EDGE_LOGINS", default_value_t = 24)]
    pub logins: usize,
    /// Queue length of these calls
    #[arg(long, env = "EDGE_LOGINS_QUEUE", default_value_t = 24)]
    pub logins_queue: usize,
    /// Concurrent calls that hash a password for a caller with a token, such as a password change
    #[arg(long, env = "EDGE_PASSWORD_CHECKS", default_value_t = 8)]
    pub password_checks: usize,
    /// Queue length of these calls
    #[arg(long, env = "EDGE_PASSWORD_CHECKS_QUEUE", default_value_t = 8)]
    pub password_checks_queue: usize,
    /// Concurrent session refreshes
    #[arg(long, env = "EDGE_REFRESHES", default_value_t = 64)]
    pub refreshes: usize,
    /// Queue length of session refreshes
    #[arg(long, env = "EDGE_REFRESHES_QUEUE", default_value_t = 64)]
    pub refreshes_queue: usize,
    /// Concurrent saves of candidates in a mock exam. Further ones wait until the time limit, and never get 429
    #[arg(long, env = "EDGE_SAVES", default_value_t = 64)]
    pub saves: usize,
    /// Concurrent pictures of candidates for their answers, each of up to 5 MiB. Further ones wait, as saves do
    #[arg(long, env = "EDGE_ANSWER_PICTURES", default_value_t = 4)]
    pub answer_pictures: usize,
    /// Concurrent calls of candidates who open a paper or take it over. Further ones wait, as saves do
    #[arg(long, env = "EDGE_OPENINGS", default_value_t = 32)]
    pub openings: usize,
    /// Concurrent picture uploads of visitors, each of up to 5 MiB
    #[arg(long, env = "EDGE_PICTURES", default_value_t = 6)]
    pub pictures: usize,
    /// Queue length of picture uploads
    #[arg(long, env = "EDGE_PICTURES_QUEUE", default_value_t = 6)]
    pub pictures_queue: usize,
    /// Concurrent picture uploads of visitors of one client address
    #[arg(long, env = "EDGE_UPLOADS_PER_ADDRESS", default_value_t = 2)]
    pub uploads_per_address: usize,
    /// Memory limit of all picture uploads, in MiB. Visitors beyond it get 429, candidates wait
    #[arg(long, env = "EDGE_UPLOAD_MEMORY_MIB", default_value_t = 64)]
    pub upload_memory_mib: usize,
    /// Requests in flight of one client address (a /64 in IPv6). A whole school may share one address. A /56 has 1.5 times
    /// as many, a /48 1.75 times
    #[arg(long, env = "EDGE_REQUESTS_PER_ADDRESS", default_value_t = 128)]
    pub requests_per_address: usize,
}

/// `file:///folder`, `s3://bucket` or `s3://bucket/folder`.
fn media_place(text: &str) -> Result<MediaPlace, String> {
    if let Some(folder) = text.strip_prefix("file://").filter(|folder| folder.starts_with('/')) {
        return Ok(MediaPlace::Folder(folder.into()));
    }
    let bucket = text.strip_prefix("s3://").map(|bucket| bucket.split_once('/').unwrap_or((bucket, "")));
    match bucket {
        Some((name, folder)) if !name.is_empty() => {
            Ok(MediaPlace::Bucket { name: name.to_owned(), folder: folder.trim_matches('/').to_owned() })
        }
        _ => Err(format!("'{text}' is neither like file:///folder nor like s3://bucket")),
    }
}

fn secret(text: &str) -> Result<String, String> {
    if text.len() < 32 { Err("shorter than 32 bytes".to_owned()) } else { Ok(text.to_owned()) }
}

/// An origin as browsers write it: lower case, without a path and without the scheme's default port.
fn origin(text: &str) -> Result<String, String> {
    let wrong = || format!("'{text}' is not an origin like https://www.konomana.jp");
    let uri: http::Uri = text.parse().map_err(|_| wrong())?;
    let scheme = uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme)).ok_or_else(wrong)?;
    let authority =
        uri.authority().filter(|authority| !authority.as_str().contains('@')).ok_or_else(wrong)?;
    let default_port = if scheme == "https" { 443 } else { 80 };
    let port = authority.port_u16().filter(|port| *port != default_port);
    let host = authority.host().to_ascii_lowercase();
    let origin =
        port.map_or_else(|| format!("{scheme}://{host}"), |port| format!("{scheme}://{host}:{port}"));
    let same = text.trim_end_matches('/').to_ascii_lowercase();
    if same == origin || same == format!("{origin}:{default_port}") { Ok(origin) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_origin_is_written_as_browsers_write_it() {
        assert_eq!(origin("https://www.Konomana.jp/").unwrap(), "https://www.konomana.jp");
        assert_eq!(origin("https://www.konomana.jp:443").unwrap(), "https://www.konomana.jp");
        assert_eq!(origin("http://127.0.0.1:8080").unwrap(), "http://127.0.0.1:8080");
        for wrong in ["", "www.konomana.jp", "ftp://a.jp", "https://a.jp/path", "https://u@a.jp", "https://"]
        {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_short_secret_is_refused() {
        assert!(secret("0123456789abcdef0123456789abcde").is_err());
        assert!(secret("0123456789abcdef0123456789abcdef").is_ok());
    }
}
