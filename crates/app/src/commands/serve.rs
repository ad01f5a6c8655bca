//! `yomikiri serve`: the board in the browser.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;
use yomikiri_base::files::user_data_folder;
use yomikiri_web::{Secret, Server, ServerLimits, ServerOptions, open_browser};

/// Where to serve, and what to keep.
#[derive(clap::Args)]
pub struct Args {
    /// The port [default: that of the last time, where it is free]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Serve others as well, on this address
    #[arg(long, value_name = "ADDRESS", requires = "token_file")]
    listen: Option<IpAddr>,
    /// A file with the token that whoever connects must know: 16 letters or digits at least
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Where games are kept [default: a folder in the user's data directory]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Keep games in memory only
    #[arg(long, conflicts_with = "data")]
    no_data: bool,
}

/// Beyond loopback no search takes longer.
const LONGEST: Duration = Duration::from_secs(600);

/// Serves until Ctrl-C.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let secret = args.token_file.as_deref().map(Secret::read).transpose()?;
    let address = args.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let data = match (&args.data, args.no_data) {
        (_, true) => None,
        (Some(folder), _) => Some(folder.clone()),
        (None, false) => user_data_folder(),
    };
    let longest = Some(LONGEST).filter(|_| !address.is_loopback());
    let options = ServerOptions {
        listen: SocketAddr::new(address, args.port),
        secret: secret.clone(),
        data,
        limits: ServerLimits { longest, ..ServerLimits::default() },
    };
    let (interrupt, interrupted) = tokio::sync::oneshot::channel::<()>();
    let interrupt = std::sync::Mutex::new(Some(interrupt));
    ctrlc::set_handler(move || {
        let sender = interrupt.lock().ok().and_then(|mut interrupt| interrupt.take());
        // Once is enough: whoever waits for it may have ended already.
        let _ = sender.map(|sender| sender.send(()));
    })?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = Server::bind(options).await?;
        println!("http://{}/", server.address());
        if !args.no_open {
            let page = match &secret {
                Some(secret) => secret.address(server.address()),
                None => format!("http://{}/", server.address()),
            };
            if !open_browser(&page) {
                eprintln!("no browser could be opened: go to the address above");
            }
        }
        let shutdown = async {
            // The sender lives as long as the handler does.
            let _ = interrupted.await;
        };
        server.run(shutdown).await?;
        Ok(())
    })
}
