//! What stands below the help of a command: examples, and what its options do not say.

mod japanese;

use crate::Language;
use japanese::JAPANESE;

/// The examples of a command (`learn.positions` for one below another), if it has some. What is
/// said in them stands in both languages, commands in one.
pub fn examples(path: &str, language: Language) -> Option<String> {
    let found = |list: &[(&str, &'static str)]| {
        list.iter().find(|(known, _)| *known == path).map(|&(_, text)| text)
    };
    let english = found(EXAMPLES)?;
    Some(match (language, found(JAPANESE)) {
        (Language::En, _) => english.to_string(),
        (Language::Ja, Some(text)) => text.to_string(),
        (Language::Ja, None) => english.replace("Examples:", "例：").replace("Example:", "例："),
    })
}

const EXAMPLES: &[(&str, &str)] = &[
    (
        "analyse",
        r#"For each game it writes a KIF with comments (NAME.kifu), a graph (NAME.svg, NAME.png) and NAME.json; the same command goes on from log.jsonl in that folder. Where every move is proven to lose, the move that is hardest to answer is named (勝負手).

Examples:
  yomikiri analyse game.kif                        # 100,000 nodes a position, results in analysis/
  yomikiri analyse games/ --movetime 1000 -j 2 --out results
  yomikiri analyse --summary results               # what was found there, once more
  yomikiri analyse game.csa --engine 'cmd=/usr/games/fairy-stockfish' --movetime 500"#,
    ),
    (
        "cluster",
        r#"Example:
  yomikiri cluster --address ray://head:10001 --out null-move match -e name=a -e 'name=b option.NullMove=true' --nodes 5000

The same in two steps: `yomikiri COMMAND .. --plan plan.json`, then `python -m yomikiri.cluster
plan.json --out FOLDER`. What comes out is, byte for byte, what one machine makes of it."#,
    ),
    (
        "convert",
        r#"Formats: csa (2.2), csa3 (3.0), kif and ki2 (Shift-JIS), kifu and ki2u (UTF-8), jkf, usi
(position lines), sfen (every position), tsv (games one a line), psv, hcpe (training
positions), bod (the last position as a board). The encoding of a file is found out, whatever
its name says; files that end in .zst or .gz are packed. What a format cannot hold is named on
standard error, file by file.

Examples:
  yomikiri convert game.kif game.csa
  yomikiri convert games/ out/ --to kifu
  yomikiri convert --strict game.kif game.usi
  yomikiri convert - - --from kif --to csa < game.kif
  yomikiri convert data/games_engine.tsv.zst training.psv"#,
    ),
    (
        "csa",
        r#"Examples:
  yomikiri csa wdoor.c.u-tokyo.ac.jp --user me --password-file trip.txt --game floodgate-300-10F --lines --ponder
  YOMIKIRI_CSA_PASSWORD=test-600-10,x yomikiri csa localhost:4081 --user me --games 1

Ctrl-C lets the game under way end, a second one leaves at once."#,
    ),
    (
        "eval",
        r#"Examples:
  yomikiri eval startpos moves 7g7f 3c3d
  yomikiri eval --weights nn.bin startpos moves 7g7f
  yomikiri eval --weights nn.bin --raw - < sfens.txt"#,
    ),
    (
        "learn.positions",
        r#"Example:
  yomikiri learn positions --units 200 --nodes 1000 --out positions
  yomikiri learn positions --units 200 --nodes 1000 --out positions --collect positions.psv"#,
    ),
    (
        "match",
        r#"Examples:
  yomikiri match -e name=new -e 'name=old option.CounterMoves=false' --nodes 10000 --sprt 0,10 -p 5000
  yomikiri match -e name=ours -e 'cmd=/usr/games/fairy-stockfish option.Threads=1' --byoyomi 1000 -p 20
  yomikiri match -e 'name=five option.Level=5' -e 'name=six option.Level=6' --nodes 1000000 -j 2

Stop with Ctrl-C; the same command goes on from there."#,
    ),
    (
        "measure",
        r#"Examples:
  yomikiri measure play --technique 'null move' --set null_move.enabled=true --results bench/results.json --out /tmp/null
  yomikiri measure table --results bench/results.json --document docs/algorithms.md

Stop with Ctrl-C; the same command goes on from there."#,
    ),
    (
        "merge",
        r#"Example:
  yomikiri match -e name=a -e 'name=b option.NullMove=true' --nodes 5000 --shard 0/2 --out part0
  yomikiri match -e name=a -e 'name=b option.NullMove=true' --nodes 5000 --shard 1/2 --out part1
  yomikiri merge --out whole part0 part1

A run of several stages (`lab run`, `tune`) is shared stage by stage: merge the parts, then run each
shard again with --from FOLDER, and merge into another folder."#,
    ),
    (
        "openings",
        r#"Example:
  yomikiri openings --count 200 --plies 20 --seed 7 --out openings.sfen"#,
    ),
    (
        "perft",
        r#"Example:
  yomikiri perft 4                # 719731 sequences of four moves
  yomikiri perft 2 --divide --sfen '4k4/9/9/9/9/9/9/9/4K4 b RB 1'"#,
    ),
    (
        "play",
        r#"During the game type moves (7g7f, ７六歩, 同歩, P*5e) or commands; help lists them.

Examples:
  yomikiri play --level 3                     # you are black, the engine plays gently
  yomikiri play --side white --time 10 --byoyomi 30 --save game.kif
  yomikiri play --handicap 二枚落ち              # the engine gives rook and bishop
  yomikiri play --file game.kif --ply 40      # go on from move 40 of a record
  yomikiri play --lang ja"#,
    ),
    (
        "problems",
        r#"Examples:
  yomikiri problems data/next_moves.tsv --nodes 100000 --csv results.csv
  yomikiri problems data/next_moves.tsv --engine 'option.Singular=off' --movetime 500
  yomikiri problems mine.tsv --make-from data/games_engine.tsv.zst --count 50"#,
    ),
    (
        "rate",
        r#"Examples:
  yomikiri rate -e 'name=a nodes=8000' -e 'name=b nodes=4000' -e 'name=c nodes=2000' -p 50
  yomikiri rate --gauntlet -e name=ours -e 'cmd=/usr/games/fairy-stockfish' -e 'cmd="/usr/games/gpsusi" option.Thread=1' --byoyomi 1000

Stop with Ctrl-C; the same command goes on from there."#,
    ),
    (
        "run",
        r#"Example, shared by two machines:
  yomikiri match -e name=a -e 'name=b option.NullMove=true' --nodes 5000 --plan plan.json
  yomikiri run plan.json --out part0 --shard 0/2
  yomikiri run plan.json --out part1 --shard 1/2
  yomikiri merge --out whole part0 part1"#,
    ),
    (
        "serve",
        r#"Examples:
  yomikiri serve                        # opens the browser
  yomikiri serve --port 8080 --no-open
  yomikiri serve --listen 0.0.0.0 --token-file token.txt"#,
    ),
    (
        "show",
        r#"Examples:
  yomikiri show                                     # the start of a game
  yomikiri show startpos moves 7g7f 3c3d
  yomikiri show '4k4/9/4P4/9/9/9/9/9/9 b 2G 1' -o mate.png
  yomikiri show --file game.kif --ply 40 -o move40.svg"#,
    ),
    (
        "tune",
        r#"Example:
  yomikiri tune --parameter lmr.divisor --parameter lmr.history --nodes 5000 --steps 500 --pairs 8 -j 8 --out tuning

Stop with Ctrl-C; the same command goes on from there. The folder gets log.jsonl, path.tsv (the
values after each step), values.txt (the last ones as options) and a plot of each parameter's path.
Shards play their part of one step: `yomikiri merge` joins their folders, and the same command with
--from goes on. Confirm what comes out by a match from other openings."#,
    ),
    (
        "usi-check",
        r#"Examples:
  yomikiri usi-check -- path/to/engine
  yomikiri usi-check --option Thread=1 --option BookDepth=0 -- /usr/games/gpsusi
  yomikiri usi-check --rule ponder --verbose -- path/to/engine --its-own-argument"#,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands in an example, without what is said about them.
    fn commands(text: &str) -> Vec<&str> {
        let lines = text.lines().filter_map(|line| line.strip_prefix("  "));
        lines.map(|line| line.split(" #").next().unwrap_or(line).trim_end()).collect()
    }

    #[test]
    fn both_languages_show_the_same_commands() {
        for (path, text) in EXAMPLES {
            let japanese = examples(path, Language::Ja).expect("text");
            assert_eq!(commands(&japanese), commands(text), "{path}");
            assert!(!japanese.contains("Example"), "{path}");
        }
        assert!(JAPANESE.iter().all(|(path, _)| examples(path, Language::En).is_some()));
    }

    #[test]
    fn what_is_said_in_english_is_said_in_japanese() {
        for (path, text) in EXAMPLES {
            let said = text.lines().any(|line| match line {
                "" | "Example:" | "Examples:" => false,
                _ => !line.starts_with("  ") || line.contains(" #"),
            });
            let translated = JAPANESE.iter().any(|(known, _)| known == path);
            assert_eq!(said, translated, "{path}");
        }
    }
}
