//! Who may ask: the Host and Origin of every request, and the secret beyond loopback.
//!
//! A name that an attacker owns can be made to point to this machine (DNS rebinding); such a
//! request carries that name in `Host`, so only addresses and `localhost` are answered. A foreign
//! page can open a WebSocket to this machine; its browser says so in `Origin`.

use crate::hub::Hub;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

/// What everybody must know who connects from afar.
#[derive(Clone)]
pub struct Secret(String);

/// Why a file has no secret.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// It cannot be read.
    #[error("{file}: {error}")]
    File {
        /// Which.
        file: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// What it holds can be guessed.
    #[error("{0}: a token has 16 letters or digits at least")]
    Weak(String),
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// The cookie that holds the secret.
const COOKIE: &str = "yomikiri";
/// Shorter secrets can be guessed.
const SHORTEST: usize = 16;

impl Secret {
    /// A secret; `None` if it is too short or has characters that an address cannot carry.
    #[must_use]
    pub fn new(text: &str) -> Option<Secret> {
        let text = text.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.~".contains(c);
        (text.len() >= SHORTEST && text.chars().all(plain)).then(|| Secret(text.to_string()))
    }

    /// The secret in a file.
    ///
    /// # Errors
    /// If the file cannot be read, or holds none.
    pub fn read(path: &Path) -> Result<Secret, SecretError> {
        let name = || path.display().to_string();
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| SecretError::File { file: name(), error })?;
        Secret::new(&text).ok_or_else(|| SecretError::Weak(name()))
    }

    /// Compares without telling by the time how much of it was right.
    fn is(&self, other: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), other.as_bytes());
        let differences = ours.iter().zip(theirs).fold(0, |sum, (a, b)| sum | (a ^ b));
        ours.len() == theirs.len() && differences == 0
    }

    /// The page's address with the secret, once.
    #[must_use]
    pub fn address(&self, address: SocketAddr) -> String {
        format!("http://{address}/?token={}", self.0)
    }

    fn in_cookie(&self, headers: &HeaderMap) -> bool {
        headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .any(|(name, value)| name == COOKIE && self.is(value))
    }

    fn in_authorization(&self, headers: &HeaderMap) -> bool {
        let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        value.and_then(|value| value.strip_prefix("Bearer ")).is_some_and(|value| self.is(value))
    }

    fn in_query(&self, uri: &Uri) -> bool {
        let mut pairs = uri.query().unwrap_or("").split('&');
        pairs.any(|pair| pair.strip_prefix("token=").is_some_and(|value| self.is(value)))
    }
}

/// The host without its port, and the port.
fn split_host(host: &str) -> Option<(&str, u16)> {
    match host.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') || name.ends_with(']') => {
            Some((name, port.parse().ok()?))
        }
        _ => Some((host, 80)),
    }
}

/// Whether a request for this host is meant for us.
fn host_is_ours(host: &str, listening: SocketAddr) -> bool {
    let Some((name, port)) = split_host(host) else { return false };
    if port != listening.port() {
        return false;
    }
    let literal = name.trim_start_matches('[').trim_end_matches(']');
    match literal.parse::<IpAddr>() {
        Ok(address) if listening.ip().is_loopback() => address.is_loopback(),
        Ok(address) => listening.ip().is_unspecified() || address == listening.ip(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    }
}

fn origin_is_ours(origin: &str, host: &str) -> bool {
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host))
}

fn refuse(status: StatusCode, why: &'static str) -> Response {
    (status, why).into_response()
}

/// Refuses what is not meant for us, and adds the headers that every answer has.
pub async fn check(State(hub): State<Arc<Hub>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    if !host_is_ours(host, hub.address()) {
        return refuse(StatusCode::MISDIRECTED_REQUEST, "this host is not served here\n");
    }
    if headers.contains_key(header::ORIGIN)
        && !text(header::ORIGIN).is_some_and(|origin| origin_is_ours(origin, host))
    {
        return refuse(StatusCode::FORBIDDEN, "requests from other pages are refused\n");
    }
    if let Some(secret) = hub.secret()
        && !secret.in_cookie(headers)
        && !secret.in_authorization(headers)
    {
        if request.uri().path() == "/" && secret.in_query(request.uri()) {
            return set_cookie(secret);
        }
        return refuse(StatusCode::UNAUTHORIZED, "the token is missing or wrong\n");
    }
    with_headers(next.run(request).await)
}

/// Puts the secret into a cookie and leads to the page without it in the address.
fn set_cookie(secret: &Secret) -> Response {
    let cookie = format!("{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/", secret.0);
    let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, "/".to_string())];
    with_headers((StatusCode::SEE_OTHER, headers).into_response())
}

fn with_headers(mut response: Response) -> Response {
    let always = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in always {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_this_machine_are_served() {
        let loopback: SocketAddr = "127.0.0.1:8080".parse().unwrap();
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
            assert!(host_is_ours(host, loopback), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "127.0.0.1:80",
            "example.org:8080",
            "192.168.0.7:8080",
            "localhost.example.org:8080",
            "127.0.0.1.example.org:8080",
            "127.0.0.1:8080:8080",
            ":8080",
        ] {
            assert!(!host_is_ours(host, loopback), "{host}");
        }
        let everywhere: SocketAddr = "0.0.0.0:8080".parse().unwrap();
        assert!(host_is_ours("192.168.0.7:8080", everywhere));
        assert!(!host_is_ours("example.org:8080", everywhere));
    }

    #[test]
    fn only_the_page_itself_is_an_origin() {
        assert!(origin_is_ours("http://127.0.0.1:8080", "127.0.0.1:8080"));
        for origin in ["null", "http://127.0.0.1:9090", "http://example.org", "127.0.0.1:8080", ""]
        {
            assert!(!origin_is_ours(origin, "127.0.0.1:8080"), "{origin}");
        }
    }

    #[test]
    fn secrets_are_long_and_plain() {
        assert!(Secret::new("short").is_none());
        assert!(Secret::new("sixteen letters and; spaces").is_none());
        let secret = Secret::new("0123456789abcdef\n").unwrap();
        assert!(secret.is("0123456789abcdef"));
        assert!(
            !secret.is("0123456789abcdeF") && !secret.is("") && !secret.is("0123456789abcdef0")
        );
        assert_eq!(format!("{secret:?}"), "Secret(..)");
    }
}
