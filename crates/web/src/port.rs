//! The port of a data folder. A browser keeps what belongs to an address, its port included: on
//! another port the page would not find its session again.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use tokio::net::TcpListener;
use yomikiri_base::files::write_atomic;

const PORT_FILE: &str = "port";

/// Listens on an address. Where its port is 0, that is the port of the folder as long as it is
/// free, and any other for this once; a folder without one remembers what it got.
pub async fn listen(address: SocketAddr, data: Option<&Path>) -> io::Result<TcpListener> {
    let Some(data) = data.filter(|_| address.port() == 0) else {
        return TcpListener::bind(address).await;
    };
    let file = data.join(PORT_FILE);
    let known = fs::read_to_string(&file).ok().and_then(|text| text.trim().parse::<u16>().ok());
    if let Some(port) = known
        && let Ok(listener) = TcpListener::bind(SocketAddr::new(address.ip(), port)).await
    {
        return Ok(listener);
    }
    let listener = TcpListener::bind(address).await?;
    if known.is_none() {
        let port = listener.local_addr()?.port();
        let remembered = fs::create_dir_all(data)
            .and_then(|()| write_atomic(&file, format!("{port}\n").as_bytes()));
        // A folder that cannot be written is reported when its sessions are opened.
        let _ = remembered;
    }
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_folder_has_one_port_and_a_second_server_another() {
        let folder = tempfile::tempdir().unwrap();
        let any = "127.0.0.1:0".parse().unwrap();
        let port = |listener: &TcpListener| listener.local_addr().unwrap().port();
        let first = listen(any, Some(folder.path())).await.unwrap();
        let its = port(&first);
        let second = listen(any, Some(folder.path())).await.unwrap();
        assert_ne!(port(&second), its);
        drop((first, second));
        let again = listen(any, Some(folder.path())).await.unwrap();
        assert_eq!(port(&again), its);
        drop(again);
        fs::write(folder.path().join(PORT_FILE), "no number\n").unwrap();
        assert!(listen(any, Some(folder.path())).await.is_ok());
        assert!(listen(any, None).await.is_ok());
    }
}
