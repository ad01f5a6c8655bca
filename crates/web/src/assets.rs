//! What is embedded in the program: the page and the reports. Paths are looked up in a list that
//! was made when the program was built; none reaches the file system.

use crate::hub::Hub;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use std::sync::Arc;
use yomikiri_render::{Picture, draw};
use yomikiri_shogi::Position;

static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/page");
static REPORTS: Dir<'_> = include_dir!("$YOMIKIRI_REPORTS");

/// The page runs its own files only.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; \
    manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";
/// The reports run nothing, and carry their style within.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

fn mime(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "csv" | "txt" | "toml" | "ts" | "jsonl" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn serve(folder: &Dir<'static>, path: &str, policy: &'static str) -> Response {
    // The list compares paths part by part; one file has one address.
    let plain = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    let Some(file) = folder.get_file(path).filter(|_| plain) else {
        return (StatusCode::NOT_FOUND, "there is no such page\n").into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, mime(path)),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, file.contents()).into_response()
}

/// The page.
pub async fn root() -> Response {
    serve(&PAGE, "index.html", PAGE_POLICY)
}

/// What browsers ask for beside a page that names no icon, as reports do.
pub async fn icon() -> Response {
    serve(&PAGE, "icon-192.png", PAGE_POLICY)
}

/// A file of the page.
pub async fn file(Path(path): Path<String>) -> Response {
    serve(&PAGE, &path, PAGE_POLICY)
}

/// The list of reports.
pub async fn reports_root() -> Response {
    serve(&REPORTS, "index.html", REPORT_POLICY)
}

/// A file of the reports.
pub async fn report(Path(path): Path<String>) -> Response {
    match path.strip_suffix('/') {
        Some(folder) => serve(&REPORTS, &format!("{folder}/index.html"), REPORT_POLICY),
        None => serve(&REPORTS, &path, REPORT_POLICY),
    }
}

/// Seconds of work behind a report.
pub fn report_seconds(experiment: &str) -> Option<f64> {
    let file = REPORTS.get_file(format!("{experiment}/manifest.json"))?;
    let manifest: serde_json::Value = serde_json::from_slice(file.contents()).ok()?;
    manifest.get("work_seconds")?.as_f64()
}

/// A file of what was measured on this computer.
pub async fn result(
    State(hub): State<Arc<Hub>>,
    Path((experiment, name)): Path<(String, String)>,
) -> Response {
    let kind = mime(&name);
    found(kind, move || hub.laboratory().file(&experiment, &name)).await
}

/// A page over all that was measured on this computer.
pub async fn results_index(State(hub): State<Arc<Hub>>, Path(name): Path<String>) -> Response {
    found(mime(&name), move || hub.laboratory().index(&name)).await
}

async fn found(
    kind: &'static str,
    work: impl FnOnce() -> Option<Vec<u8>> + Send + 'static,
) -> Response {
    match tokio::task::spawn_blocking(work).await {
        Ok(Some(bytes)) => {
            let headers = [
                (header::CONTENT_TYPE, kind),
                (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
                (header::CACHE_CONTROL, "no-cache"),
            ];
            (headers, bytes).into_response()
        }
        _ => (StatusCode::NOT_FOUND, "there is no such page\n").into_response(),
    }
}

#[derive(Deserialize)]
pub struct PictureQuery {
    /// A position as SFEN; the start of a game if absent.
    sfen: Option<String>,
    /// Whether white sits at the bottom.
    #[serde(default)]
    flip: bool,
}

/// A picture of a position, for links.
pub async fn picture(Query(query): Query<PictureQuery>) -> Response {
    let position = match query.sfen.as_deref() {
        None => Ok(Position::start()),
        Some(sfen) => Position::from_problem_sfen(sfen),
    };
    match position {
        Ok(position) => {
            let svg = draw(&Picture { position: &position, flipped: query.flip });
            let headers = [
                (header::CONTENT_TYPE, "image/svg+xml"),
                (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
            ];
            (headers, svg).into_response()
        }
        Err(error) => (StatusCode::BAD_REQUEST, format!("the position: {error}\n")).into_response(),
    }
}
