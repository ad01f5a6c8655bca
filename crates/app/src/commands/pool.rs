//! The engine that a command asks, from its options.

/// Options of every command that asks an engine.
#[derive(clap::Args)]
pub struct EngineArgs {
    /// The engine: words such as cmd="PROGRAM ARGS" dir=FOLDER option.NAME=VALUE; this program if
    /// not given
    #[arg(short, long, value_name = "ENGINE", default_value = "", hide_default_value = true)]
    pub engine: String,
    /// How many searches at once
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    pub concurrency: usize,
}
