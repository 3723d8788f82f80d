//! What browsers are told to forbid, on every answer.

use http::{HeaderMap, HeaderName, HeaderValue, header};

/// Scripts come from here alone, and text becomes HTML only through the app's one policy (Trusted Types): tokens lie in
/// the browser's storage. Style tags are the UI kit's way.
const CONTENT: &str = "default-src 'none'; \
    script-src 'self'; \
    style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; \
    font-src 'self'; \
    connect-src 'self'; \
    manifest-src 'self'; \
    media-src 'self' blob:; \
    worker-src 'self'; \
    base-uri 'none'; \
    form-action 'self'; \
    frame-ancestors 'none'; \
    require-trusted-types-for 'script'; \
    trusted-types default; \
    upgrade-insecure-requests";
/// What is left away where people come over plain HTTP, as on a laptop.
const ONLY_HTTPS: &str = "; upgrade-insecure-requests";

/// The security headers of a site that people reach over HTTPS, or not.
pub(crate) fn headers(https: bool) -> HeaderMap {
    let content = if https { CONTENT } else { CONTENT.strip_suffix(ONLY_HTTPS).unwrap_or(CONTENT) };
    HeaderMap::from_iter([
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(content)),
        // Without effect over plain HTTP; the gateway in front may speak HTTPS where this process does not know.
        (header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        // The path of a link for a new password holds a secret: no path goes along, not even to ourselves.
        (header::REFERRER_POLICY, HeaderValue::from_static("strict-origin")),
        (
            HeaderName::from_static("permissions-policy"),
            HeaderValue::from_static("camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
        ),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    ])
}
