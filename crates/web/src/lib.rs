//! HTTP and WebSocket server, and the page it serves.
