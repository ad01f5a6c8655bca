//! One file per command; each has its `Args` and a `run`.

pub mod analyse;
pub mod bench;
pub mod cluster;
pub mod completions;
mod contest;
pub mod convert;
pub mod csa;
pub mod eval;
pub mod go;
mod go_read;
pub mod lab;
pub mod learn;
mod long_run;
pub mod match_;
pub mod measure;
pub mod merge;
pub mod openings;
pub mod perft;
pub mod play;
mod pool;
pub mod problems;
pub mod rate;
pub mod run;
pub mod serve;
pub mod show;
pub mod solve;
pub mod tune;
pub mod usi;
pub mod usi_check;
pub mod verify;

use crate::options::{Cli, Command};

/// How many processors there are to work with.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs the command that was asked for.
pub fn run(cli: Cli) -> anyhow::Result<()> {
    crate::input::set_largest(cli.max_input);
    match cli.command {
        Command::Usi(args) => usi::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Csa(args) => csa::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Learn(args) => learn::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Go(args) => go::run(&args),
        Command::Lab(args) => lab::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Match(args) => match_::run(&args),
        Command::Rate(args) => rate::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Cluster(args) => cluster::run(&args),
        Command::Measure(args) => measure::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Openings(args) => openings::run(&args),
        Command::Problems(args) => problems::run(&args),
        Command::UsiCheck(args) => usi_check::run(&args),
    }
}
