//! Messages that wait for a page. Progress that a page was too slow to read gives way to newer.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;
use yomikiri_session::Message;
use yomikiri_session::protocol::Event;

/// Most messages that wait; beyond, the connection is given up.
const MOST: usize = 256;

#[derive(Default)]
struct Queue {
    messages: VecDeque<Message>,
    closed: bool,
}

/// The messages of one connection.
#[derive(Default)]
pub struct Outbox {
    queue: Mutex<Queue>,
    news: Notify,
}

impl Outbox {
    fn queue(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a message.
    pub fn push(&self, message: Message) {
        let mut queue = self.queue();
        if !replace_progress(&mut queue.messages, &message) {
            queue.messages.push_back(message);
        }
        queue.closed |= queue.messages.len() > MOST;
        drop(queue);
        self.news.notify_one();
    }

    /// The connection is to end.
    pub fn close(&self) {
        self.queue().closed = true;
        self.news.notify_one();
    }

    /// The next message; `None` when the connection is to end.
    pub async fn next(&self) -> Option<Message> {
        loop {
            let news = self.news.notified();
            {
                let mut queue = self.queue();
                if queue.closed {
                    return None;
                }
                if let Some(message) = queue.messages.pop_front() {
                    return Some(message);
                }
            }
            news.await;
        }
    }
}

/// Puts newer progress of a task in the place of what waits already; whether it did.
fn replace_progress(waiting: &mut VecDeque<Message>, message: &Message) -> bool {
    let Message::Event { task, event } = message else { return false };
    if !event.is_progress() {
        return false;
    }
    let old = waiting.iter_mut().rev().find_map(|old| match old {
        Message::Event { task: of, event } if of == task && event.is_progress() => Some(event),
        _ => None,
    });
    let Some(old) = old else { return false };
    let mut newer = event.clone();
    if let (Event::GameAnalysis(old), Event::GameAnalysis(new)) = (&mut **old, &mut *newer) {
        // Each gives the positions since the one before.
        let mut points = std::mem::take(&mut old.points);
        points.append(&mut new.points);
        new.points = points;
    }
    *old = newer;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_session::protocol::{GameAnalysisEvent, ProofProgress};

    fn progress(task: u32, nodes: u64) -> Message {
        let progress = ProofProgress { nodes, nps: 0, time: 0, depth: 0, pn: 1, dn: 1 };
        Message::Event { task, event: Box::new(Event::MateProgress(progress)) }
    }

    #[tokio::test]
    async fn a_slow_reader_gets_the_newest_progress_of_each_task() {
        let outbox = Outbox::default();
        for nodes in 0..10_000 {
            outbox.push(progress(1, nodes));
            outbox.push(progress(2, nodes));
        }
        assert_eq!(outbox.next().await, Some(progress(1, 9_999)));
        assert_eq!(outbox.next().await, Some(progress(2, 9_999)));
        outbox.close();
        assert_eq!(outbox.next().await, None);
    }

    #[tokio::test]
    async fn a_reader_who_never_reads_is_given_up() {
        let outbox = Outbox::default();
        for task in 0..=MOST as u32 {
            outbox.push(progress(task, 1));
        }
        assert_eq!(outbox.next().await, None);
    }

    #[tokio::test]
    async fn points_of_a_game_are_joined_and_not_lost() {
        let outbox = Outbox::default();
        for done in 1..4 {
            let event = GameAnalysisEvent {
                done,
                total: 9,
                points: Vec::new(),
                moments: Vec::new(),
                finished: false,
            };
            outbox.push(Message::Event { task: 1, event: Box::new(Event::GameAnalysis(event)) });
        }
        let Some(Message::Event { event, .. }) = outbox.next().await else { panic!("an event") };
        let Event::GameAnalysis(event) = *event else { panic!("of a game") };
        assert_eq!(event.done, 3);
    }
}
