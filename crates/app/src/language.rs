//! The language of the whole program, how moves are written, and the command line in Japanese.

use crate::options::Cli;
use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory};
use std::sync::OnceLock;
use yomikiri_play::Notation;
use yomikiri_text::{CommandLine, Language, examples, help, option_help};

static LANGUAGE: OnceLock<Language> = OnceLock::new();
static NOTATION: OnceLock<Notation> = OnceLock::new();

/// Sets the language, once for the whole process.
pub fn set(language: Language) {
    LANGUAGE.get_or_init(|| language);
}

/// The language of the texts.
pub fn get() -> Language {
    *LANGUAGE.get_or_init(Language::of_system)
}

/// Sets how moves are written, once for the whole process.
pub fn set_notation(notation: Notation) {
    NOTATION.get_or_init(|| notation);
}

/// How moves are written.
pub fn notation() -> Notation {
    NOTATION.get().copied().unwrap_or_default()
}

/// The command line in a language.
pub fn command(language: Language) -> Command {
    let mut command = with_examples(Cli::command(), "", language);
    if language == Language::Ja {
        // What clap adds by itself, such as --help, is there from then on.
        command.build();
        command = in_japanese(command, "");
    }
    command
}

/// The path of a command below another.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
}

/// A command and all below it with their examples.
fn with_examples(command: Command, path: &str, language: Language) -> Command {
    let command = match examples(path, language) {
        Some(text) => command.after_help(text),
        None => command,
    };
    command.mut_subcommands(|sub| {
        let path = below(path, sub.get_name());
        with_examples(sub, &path, language)
    })
}

/// A command and all below it with Japanese help, where there is any.
fn in_japanese(command: Command, path: &str) -> Command {
    let words = CommandLine(Language::Ja);
    let about = help(path).or_else(|| path.ends_with(".help").then(|| help("help"))?);
    let has_arguments = command.get_positionals().any(|argument| !argument.is_hide_set());
    let mut template = format!("{{about-with-newline}}\n{}: {{usage}}\n", words.usage());
    if command.has_subcommands() {
        template += &format!("\n{}:\n{{subcommands}}\n", words.commands());
    }
    if has_arguments {
        template += &format!("\n{}:\n{{positionals}}\n", words.arguments());
    }
    template += &format!("\n{}:\n{{options}}{{after-help}}", words.options());
    let command = command.help_template(template);
    let command = match about {
        Some(about) => command.about(about).long_about(Resettable::Reset),
        None => command,
    };
    let command = command.mut_args(|argument| argument_in_japanese(argument, path));
    command.mut_subcommands(|sub| {
        let path = below(path, sub.get_name());
        in_japanese(sub, &path)
    })
}

fn argument_in_japanese(argument: Arg, path: &str) -> Arg {
    let id = argument.get_id().as_str();
    let Some(text) = option_help(path, id) else { return argument };
    let mut text = text.to_string();
    let shown = argument.get_action().takes_values() && !argument.is_hide_default_value_set();
    if let (true, [default, ..]) = (shown, argument.get_default_values()) {
        text += &CommandLine(Language::Ja).default_value(default.to_string_lossy());
    }
    argument
        .help(text)
        .long_help(Resettable::Reset)
        .hide_default_value(true)
        .hide_possible_values(true)
}

/// What is wrong with a command line, in Japanese; `None` for English, for help and the version,
/// and for what has no words of its own.
pub fn fault(error: &clap::Error) -> Option<String> {
    let language = get();
    if language != Language::Ja {
        return None;
    }
    let words = CommandLine(language);
    let context = |kind: ContextKind| match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(list) => Some(list.join(" ")),
        other => Some(other.to_string()),
    };
    let argument = || context(ContextKind::InvalidArg).unwrap_or_default();
    let value = || context(ContextKind::InvalidValue).unwrap_or_default();
    let what = match error.kind() {
        ErrorKind::UnknownArgument => words.unknown_argument(argument()),
        ErrorKind::InvalidSubcommand => {
            words.unknown_command(context(ContextKind::InvalidSubcommand).unwrap_or_default())
        }
        ErrorKind::InvalidValue if value().is_empty() => words.missing_value(argument()),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            words.bad_value(value(), argument())
        }
        ErrorKind::MissingRequiredArgument => words.missing_argument(argument()),
        ErrorKind::MissingSubcommand => words.missing_command(),
        ErrorKind::ArgumentConflict => {
            let other = context(ContextKind::PriorArg).unwrap_or_default();
            match other == argument() {
                true => words.given_twice(other),
                false => words.conflict(argument(), other),
            }
        }
        _ => return None,
    };
    let mut text = words.error(what);
    if let Some(list) = context(ContextKind::ValidValue) {
        text += &format!("\n{}", words.possible_values(list));
    }
    let near =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    if let Some(name) = near.into_iter().find_map(context) {
        text += &format!("\n{}", words.suggestion(name));
    }
    Some(format!("{text}\n{}", words.more_help()))
}
