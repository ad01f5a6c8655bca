//! HTTP and WebSocket server, and the page it serves.
//!
//! One WebSocket a page carries the messages of [`yomikiri_session`]; everything else is static and
//! embedded in the program. A session belongs to a token that the server makes; it outlives its
//! connection, and with a data folder the server.
//!
//! Whoever reaches the port could otherwise be any web site that the user looks at, so the Host and
//! Origin of every request are checked (`guard`), and beyond loopback a secret is needed.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod assets;
mod browser;
mod guard;
mod hub;
mod laboratory;
mod outbox;
mod port;
mod scheduler;
mod socket;
mod store;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

pub use browser::open_browser;
pub use guard::{Secret, SecretError};
use hub::Hub;

/// What a server may use.
#[derive(Clone, Debug)]
pub struct ServerLimits {
    /// Bytes of a message from a page.
    pub message: usize,
    /// Connections at a time.
    pub connections: usize,
    /// Sessions in memory.
    pub sessions: usize,
    /// Searches without an end of their own (analysis, problems) at a time; others wait.
    pub long_searches: usize,
    /// Searches for a move or a hint at a time; others wait.
    pub short_searches: usize,
    /// Megabytes of the engine's table in each search.
    pub hash_megabytes: usize,
    /// Megabytes of the solver's table in each search.
    pub mate_megabytes: usize,
    /// The longest that one search may take; `None` for no limit.
    pub longest: Option<Duration>,
    /// How long the searches of a session go on without a connection.
    pub grace: Duration,
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        let cores = yomikiri_base::process::processors();
        ServerLimits {
            message: 4 << 20,
            connections: 600,
            sessions: 1_000,
            long_searches: cores.clamp(4, 8),
            short_searches: cores.clamp(2, 8),
            hash_megabytes: 16,
            mate_megabytes: 64,
            longest: None,
            grace: Duration::from_secs(1),
        }
    }
}

/// How to serve.
#[derive(Debug)]
pub struct ServerOptions {
    /// Where to listen; port 0 for that of the data folder, or any.
    pub listen: SocketAddr,
    /// What everybody must know who connects; needed beyond loopback.
    pub secret: Option<Secret>,
    /// Where sessions are kept; in memory alone if absent.
    pub data: Option<PathBuf>,
    /// What it may use.
    pub limits: ServerLimits,
}

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Others could connect, and nothing would keep them out.
    #[error("{0} can be reached by others: that needs a secret")]
    NeedsSecret(SocketAddr),
    /// The address cannot be had.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// The data folder cannot be used.
    #[error("the data folder {folder}: {error}")]
    Data {
        /// Which.
        folder: PathBuf,
        /// What is wrong.
        error: std::io::Error,
    },
    /// The system gives no random numbers for tokens.
    #[error("the system gives no random numbers: {0}")]
    Random(getrandom::Error),
    /// The connection broke down.
    #[error("the server broke down: {0}")]
    Serve(std::io::Error),
}

/// A server that listens already.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    hub: Arc<Hub>,
}

impl Server {
    /// Begins to listen.
    ///
    /// # Errors
    /// If the address cannot be had, or may not be without a secret.
    pub async fn bind(options: ServerOptions) -> Result<Server, ServerError> {
        let listen = options.listen;
        if !listen.ip().is_loopback() && options.secret.is_none() {
            return Err(ServerError::NeedsSecret(listen));
        }
        let error = |error| ServerError::Listen { address: listen, error };
        let listener = port::listen(listen, options.data.as_deref()).await.map_err(error)?;
        let address = listener.local_addr().map_err(error)?;
        let hub = Arc::new(Hub::new(options, address)?);
        Ok(Server { listener, address, hub })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown` is ready; then stops every search, keeps the sessions and ends.
    ///
    /// # Errors
    /// If the listener breaks down.
    pub async fn run(
        self,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServerError> {
        let hub = Arc::clone(&self.hub);
        let stopping = Arc::clone(&self.hub);
        let until = async move {
            shutdown.await;
            stopping.shut_down();
        };
        let served = axum::serve(self.listener, router(self.hub)).with_graceful_shutdown(until);
        let result = served.await.map_err(ServerError::Serve);
        hub.wait_for_searches().await;
        result
    }
}

fn router(hub: Arc<Hub>) -> Router {
    Router::new()
        .route("/session", get(socket::upgrade))
        .route("/picture.svg", get(assets::picture))
        .route("/reports/", get(assets::reports_root))
        .route("/reports/{*path}", get(assets::report))
        .route("/results/{name}", get(assets::results_index))
        .route("/results/{experiment}/{name}", get(assets::result))
        .route("/favicon.ico", get(assets::icon))
        .route("/", get(assets::root))
        .route("/{*path}", get(assets::file))
        .layer(from_fn_with_state(Arc::clone(&hub), guard::check))
        .with_state(hub)
}
