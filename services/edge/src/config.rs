//! The manual of the edge: what it does and every setting it has.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

/// What the edge can be told to do.
#[derive(Subcommand)]
pub enum Command {
    /// Answer REST calls
    Serve(Box<Serve>),
    /// Print the `OpenAPI` document that `GET /api/schema/` serves
    Schema,
}

/// Where and how to serve.
#[derive(Args, Clone)]
pub struct Serve {
    /// Where to listen
    #[arg(long, env = "EDGE_LISTEN", default_value = "127.0.0.1:7000")]
    pub listen: SocketAddr,
    /// The server's own life
    #[command(flatten)]
    pub server: kit::config::Serve,
    /// What is served
    #[command(flatten)]
    pub settings: Settings,
}

/// All that the answers depend on.
#[derive(Args, Clone)]
#[command(next_help_heading = "Edge")]
pub struct Settings {
    /// The auth service, e.g. `http://auth:7000`; several addresses are separated by commas. After a `;`, one in front of all
    /// replicas, dialled while none of the others takes a connection
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
    /// The maintenance service, e.g. `http://maintenance:7000`; every address behind the name is listened to, and several
    /// names may be given with commas between
    #[arg(long, env = "EDGE_MAINTENANCE_URL")]
    pub maintenance_url: String,
    /// What calls to the services are signed with
    #[command(flatten)]
    pub keys: Keys,
    /// Signs the XSRF-TOKEN cookie; the same on every replica; at least 32 bytes
    #[arg(long, env = "EDGE_CSRF_SECRET", hide_env_values = true, value_parser = secret)]
    pub csrf_secret: String,
    /// Where people reach the product, scheme and host only, e.g. `https://www.konomana.jp`: the one origin that may
    /// write, and the beginning of `next` and `previous`
    #[arg(long, env = "EDGE_PUBLIC_ORIGIN", value_parser = origin)]
    pub public_origin: String,
    /// Further origins that the site may be opened at and write from, by commas
    #[arg(long, env = "EDGE_FURTHER_ORIGINS", value_delimiter = ',', value_parser = origin)]
    pub further_origins: Vec<String>,
    /// How many proxies of ours stand before the edge: so many hops of X-Forwarded-For are believed, from the right
    #[arg(long, env = "EDGE_TRUSTED_PROXIES", default_value_t = 0)]
    pub trusted_proxies: usize,
    /// The `iss` of access tokens; as auth is set
    #[arg(long, env = "EDGE_TOKEN_ISSUER", default_value = "konomana-auth")]
    pub token_issuer: String,
    /// The `aud` of access tokens; as auth is set
    #[arg(long, env = "EDGE_TOKEN_AUDIENCE", default_value = "konomana")]
    pub token_audience: String,
    /// How long browsers and caches may keep the public catalogue, in seconds
    #[arg(long, env = "EDGE_PUBLIC_MAX_AGE", default_value_t = 60)]
    pub public_max_age: u32,
    /// When to ask again during a maintenance that does not say so itself, in seconds
    #[arg(long, env = "EDGE_MAINTENANCE_RETRY_AFTER", default_value = "60")]
    pub maintenance_retry_after: NonZeroU32,
    /// Course trees kept ready to send, in MiB
    #[arg(long, env = "EDGE_COURSE_CACHE_MIB", default_value_t = 32)]
    pub course_cache_mib: u32,
    /// The files of lessons
    #[command(flatten)]
    pub media: Media,
    /// How much is done at once
    #[command(flatten)]
    pub limits: Limits,
}

/// The keys that the edge signs its calls with, one for each service: at least 32 random bytes in hex or base64, the same
/// that the service has for the edge in its `CALLER_KEYS`.
// Not parsed by clap, which would show what it can't read.
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
    /// Signs calls to maintenance
    #[arg(long = "maintenance-key", env = "EDGE_MAINTENANCE_KEY", hide_env_values = true)]
    pub maintenance: String,
}

/// Where the files of lessons are, and how the addresses of those are signed that not everybody may load.
#[derive(Args, Clone)]
#[command(next_help_heading = "Media")]
pub struct Media {
    /// Where the files of lessons are: a folder like `file:///media`, or a bucket like `s3://media` or `s3://media/folder`
    #[arg(long = "media-store", env = "EDGE_MEDIA_STORE", value_parser = media_place)]
    pub store: MediaPlace,
    /// Signs their addresses; the same on every replica; at least 32 bytes
    #[arg(long = "media-key", env = "EDGE_MEDIA_KEY", hide_env_values = true, value_parser = secret)]
    pub key: String,
    /// How long such an address works, in seconds
    #[arg(long = "media-link-time", env = "EDGE_MEDIA_LINK_TIME", default_value = "7200", value_parser = seconds)]
    pub link_time: time::Duration,
    /// The bucket's region
    #[arg(long = "media-region", env = "AWS_REGION", default_value = "ap-northeast-1")]
    pub region: String,
    /// Who has the bucket, where it is not AWS, e.g. `https://s3.example.jp`
    #[arg(long = "media-endpoint", env = "AWS_ENDPOINT_URL")]
    pub endpoint: Option<String>,
    /// Who reads the bucket; without it and without a role, it is read as anybody
    #[arg(long = "media-access-key-id", env = "AWS_ACCESS_KEY_ID", requires = "secret_access_key")]
    pub access_key_id: Option<String>,
    /// The secret of whoever reads the bucket
    #[arg(
        long = "media-secret-access-key",
        env = "AWS_SECRET_ACCESS_KEY",
        hide_env_values = true,
        requires = "access_key_id"
    )]
    pub secret_access_key: Option<String>,
    /// The role that reads the bucket where there is no key: whoever has the token below may take it for an hour
    #[arg(long = "media-role-arn", env = "AWS_ROLE_ARN", requires = "web_identity_token_file")]
    pub role_arn: Option<String>,
    /// A file with a token of the cluster's, which renews it
    #[arg(
        long = "media-web-identity-token-file",
        env = "AWS_WEB_IDENTITY_TOKEN_FILE",
        requires = "role_arn"
    )]
    pub web_identity_token_file: Option<String>,
    /// Who gives roles, where it is not AWS
    #[arg(long = "media-sts-endpoint", env = "AWS_ENDPOINT_URL_STS")]
    pub sts_endpoint: Option<String>,
}

/// Where files can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MediaPlace {
    /// Here, or mounted here.
    Folder(PathBuf),
    /// Behind S3.
    Bucket {
        /// Its name.
        name: String,
        /// What stands before every file; empty where nothing does.
        folder: String,
    },
}

/// How much is done at once; what is beyond waits, and beyond that is 429.
#[derive(Args, Clone)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// From a request's head to the beginning of its answer, in milliseconds; less than the 25 s of browsers
    #[arg(long, env = "EDGE_TIME_LIMIT_MS", default_value = "10000", value_parser = kit::config::milliseconds)]
    pub time: Duration,
    /// Requests served at once in each part of the API (accounts, lms, …), and as many reads of what is public in it
    #[arg(long, env = "EDGE_REQUESTS", default_value_t = 64)]
    pub requests: usize,
    /// Requests that may wait for that, in each part as well
    #[arg(long, env = "EDGE_REQUESTS_QUEUE", default_value_t = 192)]
    pub requests_queue: usize,
    /// Calls served at once that hash a password for somebody without a token: sign-in, sign-up, reset. With the password
    /// checks below not more than one auth hashes and queues (`AUTH_HASHES_AT_ONCE`, `AUTH_HASHES_QUEUED`)
    #[arg(long, env = "EDGE_LOGINS", default_value_t = 24)]
    pub logins: usize,
    /// Such calls that may wait for that
    #[arg(long, env = "EDGE_LOGINS_QUEUE", default_value_t = 24)]
    pub logins_queue: usize,
    /// Calls served at once that hash a password for a caller with a token, as a change of the password
    #[arg(long, env = "EDGE_PASSWORD_CHECKS", default_value_t = 8)]
    pub password_checks: usize,
    /// Such calls that may wait for that
    #[arg(long, env = "EDGE_PASSWORD_CHECKS_QUEUE", default_value_t = 8)]
    pub password_checks_queue: usize,
    /// Refreshes of a session served at once
    #[arg(long, env = "EDGE_REFRESHES", default_value_t = 64)]
    pub refreshes: usize,
    /// Refreshes that may wait for that
    #[arg(long, env = "EDGE_REFRESHES_QUEUE", default_value_t = 64)]
    pub refreshes_queue: usize,
    /// Pictures taken at once, each of up to 5 MiB
    #[arg(long, env = "EDGE_PICTURES", default_value_t = 6)]
    pub pictures: usize,
    /// Pictures that may wait for that
    #[arg(long, env = "EDGE_PICTURES_QUEUE", default_value_t = 6)]
    pub pictures_queue: usize,
    /// Pictures that one client address may send at once
    #[arg(long, env = "EDGE_UPLOADS_PER_ADDRESS", default_value_t = 2)]
    pub uploads_per_address: usize,
    /// Memory for pictures that arrive, wait or are taken, in MiB
    #[arg(long, env = "EDGE_UPLOAD_MEMORY_MIB", default_value_t = 64)]
    pub upload_memory_mib: usize,
    /// Requests of one client address (a /64 in IPv6) in flight at once; a school has one for all its learners. A /56 has
    /// 1.5 times as many, a /48 1.75 times
    #[arg(long, env = "EDGE_REQUESTS_PER_ADDRESS", default_value_t = 128)]
    pub requests_per_address: usize,
}

fn seconds(text: &str) -> Result<time::Duration, String> {
    let seconds = text.parse::<u32>().map_err(|_| format!("'{text}' is not a number of seconds"))?;
    Ok(time::Duration::seconds(seconds.into()))
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

/// An origin as a browser writes it: no path, no port that the scheme has anyway, lower case.
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
