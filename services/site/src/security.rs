//! Security headers of every response.

use http::{HeaderMap, HeaderName, HeaderValue, header};

/// Scripts are allowed from this origin only, and text becomes HTML only through the app's Trusted Types policy,
/// because the browser's storage contains tokens. The UI kit needs inline styles.
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
/// Omitted for plain HTTP, as in local development.
const ONLY_HTTPS: &str = "; upgrade-insecure-requests";

/// Builds the security headers. `https`: whether visitors use HTTPS.
pub(crate) fn build_headers(https: bool) -> HeaderMap {
    let content = if https { CONTENT } else { CONTENT.strip_suffix(ONLY_HTTPS).unwrap_or(CONTENT) };
    HeaderMap::from_iter([
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(content)),
        // No effect over plain HTTP. A gateway in front may use HTTPS.
        (header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        // Paths of password reset links contain a secret, so no path is sent, not even to this origin.
        (header::REFERRER_POLICY, HeaderValue::from_static("strict-origin")),
        (
            HeaderName::from_static("permissions-policy"),
            HeaderValue::from_static("camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
        ),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    ])
}
