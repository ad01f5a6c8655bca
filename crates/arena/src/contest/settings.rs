//! What makes a contest the one it is.

use super::{Contest, ContestError};
use crate::contestant::Contestant;
use crate::{signatures, store};
use std::path::Path;
use yomikiri_base::Identity;
use yomikiri_base::checksum::sha256_hex;
use yomikiri_engine::Settings;
use yomikiri_play::{Rules, TimeControl};

impl Contest {
    /// All that changes what a numbered game is. How many there are, how many run at once and who
    /// plays them does not. This program is known by the signature of its search, others by their
    /// bytes; where time decides, the machine does too.
    ///
    /// # Errors
    /// If this program has no such option, or the weights of a player cannot be read.
    pub fn identity(&self) -> Result<Identity, ContestError> {
        let mut identity = store::identity(&self.settings_text());
        for player in self.setting.players.iter().filter(|player| player.own) {
            identity.parts.insert("search".to_string(), signatures::of("search"));
            if let Some(path) = settings_of(player)?.resources.evaluation.path() {
                let bytes = std::fs::read(&path)
                    .map_err(|reason| ContestError::Weights { path, reason })?;
                identity.data.insert(format!("weights of {}", player.name), sha256_hex(&bytes));
            }
        }
        let controls = self.setting.players.iter().map(|player| player.control);
        if controls.chain([self.setting.control]).any(|control| is_timed(&control)) {
            identity.parts.insert("host".to_string(), self.provenance.host.clone());
        }
        Ok(identity)
    }

    fn settings_text(&self) -> String {
        let setting = &self.setting;
        let mut lines = vec![format!("format {:?}", self.format), format!("seed {}", self.seed)];
        for player in &setting.players {
            lines.push(format!("player {}", player.describe()));
            if !player.own {
                lines.push(format!("program {}", program_checksum(&player.launch.program)));
            }
        }
        lines.push(format!("control {}", setting.control));
        lines.push(rules_line(&setting.rules));
        let (margin, patience) = (setting.timeouts.margin, setting.timeouts.unlimited);
        let (margin, patience) = (margin.as_millis(), patience.as_secs());
        lines.push(format!("margin {margin} ms, patience {patience} s"));
        let all: Vec<String> = setting.openings.iter().map(ToString::to_string).collect();
        let checksum = sha256_hex(all.join("\n").as_bytes());
        lines.push(format!("openings {} {checksum}", all.len()));
        lines.join("\n") + "\n"
    }
}

/// The settings of an engine that is this program, which must know all its options: a misspelt one
/// would be measured as if it were set.
///
/// # Errors
/// If it does not.
pub(super) fn settings_of(player: &Contestant) -> Result<Settings, ContestError> {
    player
        .engine_settings()
        .map_err(|reason| ContestError::Option { player: player.name.clone(), reason })
}

/// The rules in the form in which folders of matches have always had them.
fn rules_line(rules: &Rules) -> String {
    let Rules { entering_king, declare_for_players, maximum_moves, resign, draw, .. } = rules;
    let repetition = if rules.repetition { "" } else { ", repetition: false" };
    format!(
        "rules Rules {{ entering_king: {entering_king:?}, declare_for_players: \
         {declare_for_players}, maximum_moves: {maximum_moves}, resign: {resign:?}, draw: \
         {draw:?}{repetition} }}"
    )
}

fn is_timed(control: &TimeControl) -> bool {
    control.has_clock() || control.movetime.is_some()
}

/// The checksum of a player's program, so that a contest does not go on with another build of the
/// same name.
fn program_checksum(program: &Path) -> String {
    // A bare name is looked up as the system does.
    let file = which::which(program);
    let bytes = file.ok().and_then(|file| std::fs::read(file).ok());
    bytes.map_or("unknown".to_string(), |bytes| sha256_hex(&bytes))
}
