//! All sessions: who has which, what runs for them, and what is kept of them.

use crate::laboratory::Workshop;
use crate::outbox::Outbox;
use crate::scheduler::Scheduler;
use crate::store::{SessionStore, is_token};
use crate::{Secret, ServerError, ServerLimits, ServerOptions};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use yomikiri_base::Clock;
use yomikiri_session::protocol::{Answer, Ask, Fault, FaultCode, OpenAsk, VERSION};
use yomikiri_session::{Emitter, Message, Request, Session, SessionReply, SessionResources, Task};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A session and the connections that listen to it.
pub struct OpenSession {
    token: String,
    session: Mutex<Session>,
    listeners: Mutex<Vec<Arc<Outbox>>>,
    /// When the last connection went, by the hub's clock.
    left: Mutex<Duration>,
    /// Whether the last write to disk failed, which was reported to the page.
    unkept: AtomicBool,
}

impl OpenSession {
    fn is_deserted(&self) -> bool {
        lock(&self.listeners).is_empty()
    }

    fn send(&self, message: &Message) {
        for outbox in lock(&self.listeners).iter() {
            outbox.push(message.clone());
        }
    }
}

/// Everything that a server holds.
pub struct Hub {
    address: SocketAddr,
    secret: Option<Secret>,
    limits: ServerLimits,
    clock: Clock,
    store: Option<SessionStore>,
    places: Mutex<HashMap<String, Arc<OpenSession>>>,
    connections: AtomicUsize,
    scheduler: Scheduler,
    laboratory: Arc<Workshop>,
    stopping: AtomicBool,
}

/// A random token of 32 hexadecimal digits.
fn token() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Hub {
    pub fn new(options: ServerOptions, address: SocketAddr) -> Result<Hub, ServerError> {
        let store = match &options.data {
            None => None,
            Some(folder) => Some(
                SessionStore::open(folder)
                    .map_err(|error| ServerError::Data { folder: folder.clone(), error })?,
            ),
        };
        token().map_err(ServerError::Random)?;
        let limits = options.limits;
        let clock = Clock::system();
        let data = options.data.as_deref();
        Ok(Hub {
            address,
            secret: options.secret,
            scheduler: Scheduler::new(limits.long_searches, limits.short_searches),
            laboratory: Arc::new(Workshop::new(data, limits.longest, clock.clone())),
            limits,
            clock,
            store,
            places: Mutex::default(),
            connections: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn secret(&self) -> Option<&Secret> {
        self.secret.as_ref()
    }

    pub fn laboratory(&self) -> &Arc<Workshop> {
        &self.laboratory
    }

    pub fn limits(&self) -> &ServerLimits {
        &self.limits
    }

    /// Counts a connection; `false` if there are too many.
    pub fn enter(&self) -> bool {
        let before = self.connections.fetch_add(1, Ordering::SeqCst);
        let room = before < self.limits.connections && !self.stopping.load(Ordering::SeqCst);
        if !room {
            self.leave();
        }
        room
    }

    /// A connection has ended.
    pub fn leave(&self) {
        self.connections.fetch_sub(1, Ordering::SeqCst);
    }

    fn resources(&self) -> SessionResources {
        SessionResources {
            hash_megabytes: self.limits.hash_megabytes,
            mate_megabytes: self.limits.mate_megabytes,
            threads: 1,
            longest: self.limits.longest,
            server: true,
        }
    }

    /// Opens a session or comes back to one, and answers.
    pub fn open(
        self: &Arc<Self>,
        id: u32,
        ask: &OpenAsk,
        outbox: &Arc<Outbox>,
    ) -> Result<Arc<OpenSession>, Fault> {
        if ask.version != VERSION {
            let message = format!("the page speaks version {}, not {VERSION}", ask.version);
            return Err(Fault::new(FaultCode::OtherVersion, message));
        }
        let (place, resumed, lost) = self.place(ask)?;
        let tasks = {
            let mut session = lock(&place.session);
            let mut listeners = lock(&place.listeners);
            let tasks = match listeners.is_empty() {
                true => session.resume(),
                false => Vec::new(),
            };
            let opened = session.opened(place.token.clone(), resumed, lost);
            let answer = Box::new(Answer::Opened(opened));
            outbox.push(Message::Answer { id, answer });
            listeners.push(Arc::clone(outbox));
            tasks
        };
        self.start(&place, tasks);
        Ok(place)
    }

    /// The session that a page means: one in memory, one on disk, one that the page kept, a new
    /// one.
    fn place(&self, ask: &OpenAsk) -> Result<(Arc<OpenSession>, bool, Option<String>), Fault> {
        let token = ask.token.as_deref().filter(|token| is_token(token));
        let mut places = lock(&self.places);
        if let Some(place) = token.and_then(|token| places.get(token)) {
            return Ok((Arc::clone(place), true, None));
        }
        self.make_room(&mut places)?;
        let kept = token.and_then(|token| Some((token, self.store.as_ref()?.read(token)?)));
        let mut lost = None;
        let mut restore = |saved: &str| {
            let session = Session::restore(self.clock.clone(), self.resources(), saved);
            session.map_err(|error| lost = Some(error.to_string())).ok()
        };
        let found = match &kept {
            Some((token, saved)) => restore(saved).map(|session| ((*token).to_string(), session)),
            None => None,
        };
        let resumed = found.is_some();
        let (token, session) = match found {
            Some(found) => found,
            None => {
                let fault =
                    |error: getrandom::Error| Fault::new(FaultCode::Internal, error.to_string());
                let session = ask.saved.as_deref().and_then(&mut restore);
                let token = crate::hub::token().map_err(fault)?;
                let seed = u32::from_str_radix(&token[..8], 16).unwrap_or(0);
                let new = || Session::new(self.clock.clone(), self.resources(), seed);
                (token, session.unwrap_or_else(new))
            }
        };
        let laboratory = Arc::clone(&self.laboratory);
        let place = Arc::new(OpenSession {
            token: token.clone(),
            session: Mutex::new(session.with_laboratory(laboratory)),
            listeners: Mutex::default(),
            left: Mutex::new(self.clock.now()),
            unkept: AtomicBool::new(false),
        });
        places.insert(token, Arc::clone(&place));
        Ok((place, resumed, lost))
    }

    /// Forgets the session that was left longest ago where there are too many.
    fn make_room(&self, places: &mut HashMap<String, Arc<OpenSession>>) -> Result<(), Fault> {
        if places.len() < self.limits.sessions {
            return Ok(());
        }
        let deserted = places.values().filter(|place| place.is_deserted());
        let oldest = deserted.min_by_key(|place| *lock(&place.left)).map(Arc::clone);
        let Some(oldest) = oldest else {
            return Err(Fault::new(FaultCode::Busy, "too many sessions are open"));
        };
        self.keep(&oldest);
        places.remove(&oldest.token);
        Ok(())
    }

    /// Answers a request. What it changes is kept before it is answered.
    pub fn handle(
        self: &Arc<Self>,
        place: &Arc<OpenSession>,
        request: Request,
        outbox: &Arc<Outbox>,
    ) {
        let changes = changes(&request.ask);
        let closes = matches!(request.ask, Ask::Close);
        let (SessionReply { messages, tasks }, saved) = {
            let mut session = lock(&place.session);
            let reply = session.handle(request);
            (reply, changes.then(|| session.save()))
        };
        if closes {
            lock(&self.places).remove(&place.token);
            if let Some(store) = &self.store {
                store.remove(&place.token);
            }
        } else if let Some(saved) = saved {
            self.write(place, &saved);
        }
        messages.into_iter().for_each(|message| outbox.push(message));
        self.start(place, tasks);
    }

    fn keep(&self, place: &OpenSession) {
        if self.store.is_some() {
            let saved = lock(&place.session).save();
            self.write(place, &saved);
        }
    }

    /// Writes a session to disk, if sessions are kept. A full disk must not end the game: the
    /// session stays in memory, and the player is notified, once until a write succeeds again.
    fn write(&self, place: &OpenSession, saved: &str) {
        let Some(store) = &self.store else { return };
        match store.write(&place.token, saved) {
            Ok(()) => place.unkept.store(false, Ordering::SeqCst),
            Err(error) => {
                if !place.unkept.swap(true, Ordering::SeqCst) {
                    let fault = Fault::new(FaultCode::NotKept, error.to_string());
                    place.send(&Message::Fault { id: None, fault });
                }
            }
        }
    }

    /// Runs tasks of a session, each when its turn comes.
    fn start(self: &Arc<Self>, place: &Arc<OpenSession>, tasks: Vec<Task>) {
        for task in tasks {
            let key = task.key();
            let (observer, finisher) = (Arc::clone(place), Arc::clone(place));
            let (starter, keeper) = (Arc::clone(self), Arc::clone(self));
            let emit: Emitter = Arc::new(move |event| {
                let message = lock(&observer.session).observe(key, event);
                message.iter().for_each(|message| observer.send(message));
            });
            let runtime = tokio::runtime::Handle::current();
            tokio::spawn(async move {
                let done = move |finished| {
                    let reply = lock(&finisher.session).finish(finished);
                    keeper.keep(&finisher);
                    reply.messages.iter().for_each(|message| finisher.send(message));
                    let _inside = runtime.enter();
                    keeper.start(&finisher, reply.tasks);
                };
                starter.scheduler.run(task, emit, Arc::new(done)).await;
            });
        }
    }

    /// A connection has gone; soon after, what runs for a session that nobody listens to stops.
    pub async fn detach(self: Arc<Self>, place: Arc<OpenSession>, outbox: Arc<Outbox>) {
        lock(&place.listeners).retain(|other| !Arc::ptr_eq(other, &outbox));
        *lock(&place.left) = self.clock.now();
        if place.is_deserted() {
            tokio::time::sleep(self.limits.grace).await;
        }
        let blocking = tokio::task::spawn_blocking(move || {
            let mut session = lock(&place.session);
            if place.is_deserted() {
                session.suspend();
                drop(session);
                self.keep(&place);
            }
        });
        // A panic inside was reported already.
        let _ = blocking.await;
    }

    /// Stops every search, keeps every session and ends every connection.
    pub fn shut_down(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        let places: Vec<Arc<OpenSession>> = lock(&self.places).values().map(Arc::clone).collect();
        for place in places {
            lock(&place.session).suspend();
            self.keep(&place);
            lock(&place.listeners).iter().for_each(|outbox| outbox.close());
        }
    }

    /// Waits for searches that were stopped.
    pub async fn wait_for_searches(&self) {
        self.scheduler.wait().await;
    }
}

/// Whether a request changes what is kept.
fn changes(ask: &Ask) -> bool {
    matches!(
        ask,
        Ask::NewGame(_)
            | Ask::Move(_)
            | Ask::TakeBack
            | Ask::Resign
            | Ask::Declare
            | Ask::Claim
            | Ask::Keep(_)
    )
}
