//! The command line, with one file per subcommand. Only this directory prints.

mod against;
mod allow;
mod back;
mod code;
mod completions;
mod convert;
mod diff;
mod examples;
mod export;
mod formats;
mod import;
mod inside;
mod inspect;
mod installs;
mod links;
mod lint;
mod loose;
mod ls;
mod man;
mod memory;
mod merge;
mod mods;
mod nasher;
mod out;
mod pack;
mod patch;
mod physics;
mod printed;
mod report;
mod rows;
mod salvage;
mod scenario;
mod schema;
mod shell;
mod shown;
mod signals;
mod snapshot;
mod source;
mod summary;
mod table;
mod target;
mod textconv;
mod unpack;
mod verify;
mod whole;
mod window;
mod work;
mod zipped;

use std::any::TypeId;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use bitexact::edit::Resolver;
use bitexact::field::memory::read_to_end;
use bitexact::field::{Address, CodePage, limits};
use bitexact::install;
use bitexact::kind::Game;
use bitexact::registry::Model;
use bytesize::ByteSize;
use clap::builder::{PathBufValueParser, PossibleValue, TypedValueParser as _};
use clap::error::ContextKind;
use clap::{Args as _, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};

pub(crate) use code::Code;
use out::{Out, complain};
pub(crate) use window::hold;

/// Returns a place with `@NAME` as the place of what has this name.
fn resolved(resolver: &Resolver<'_, Model>, place: &Address) -> anyhow::Result<Address> {
    resolver.resolve(place)?.map_err(|why| anyhow::anyhow!("{place}: {why}"))
}

/// Decodes data files of 1994–2002 games into typed models and encodes them again without changing a bit.
#[derive(Parser)]
#[command(name = "bitexact", bin_name = "bitexact", version, max_term_width = 110, after_help = examples::HELP)]
struct Call {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    global: Global,
}

#[derive(Subcommand)]
enum Command {
    Verify(verify::Args),
    Inspect(inspect::Args),
    Ls(ls::Args),
    Cat(ls::CatArgs),
    #[command(alias = "extract")]
    Unpack(unpack::Args),
    Pack(pack::Args),
    Patch(Box<patch::Args>),
    Diff(diff::Args),
    Merge(merge::Args),
    Textconv(textconv::Args),
    Mod(mods::Args),
    Lint(lint::Args),
    Export(export::Args),
    Import(import::Args),
    Snapshot(snapshot::Args),
    Schema(schema::Args),
    Formats(formats::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// The options of every subcommand.
#[derive(clap::Args)]
pub(crate) struct Global {
    /// When to use color
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: When,
    /// Print only findings and errors
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Print more detail
    #[arg(short, long, global = true)]
    verbose: bool,
    /// Encoding of the texts of a game on Windows, if it is not 1252: 1250 (Polish, Czech), 1251 (Russian), 1254 (Turkish), UTF-8, or
    /// another; Marathon has its own
    #[arg(long, global = true, value_name = "NAME", value_parser = encoding)]
    encoding: Option<Encoding>,
    /// Limit memory use, e.g. 4GiB [default: 8GiB, or less if the system has less]
    #[arg(long, global = true, value_name = "SIZE")]
    memory: Option<ByteSize>,
}

/// A chosen encoding.
#[derive(Clone, Copy)]
struct Encoding(&'static CodePage);

/// Returns the encoding with this name.
fn encoding(name: &str) -> Result<Encoding, String> {
    let known = || CodePage::names().collect::<Vec<_>>().join(", ");
    CodePage::named(name).map(Encoding).ok_or_else(|| format!("no such encoding; there are {}", known()))
}

#[derive(Clone, Copy, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

/// The name of a game on the command line.
#[derive(Clone, Copy)]
pub(crate) struct GameName(pub(crate) Game);

impl ValueEnum for GameName {
    fn value_variants<'a>() -> &'a [Self] {
        const NAMES: [GameName; 8] = {
            let [a, b, c, d, e, f, g, h] = Game::ALL;
            [GameName(a), GameName(b), GameName(c), GameName(d), GameName(e), GameName(f), GameName(g), GameName(h)]
        };
        &NAMES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.code()).help(self.0.title()))
    }
}

/// Runs the program on a stack that holds the deepest nesting. A panic is an internal error.
pub(crate) fn run(args: Vec<OsString>) -> Code {
    let args = if cfg!(windows) { shell::meant(args, &|path| Path::new(path).exists(), &takes_text) } else { args };
    std::panic::set_hook(Box::new(|panic| {
        let backtrace = Backtrace::capture();
        complain(format_args!("bitexact: internal error: {}", panic.to_string().replace('\n', " ")));
        if backtrace.status() == BacktraceStatus::Captured {
            backtrace.to_string().lines().for_each(complain);
        }
    }));
    let program = std::thread::Builder::new().stack_size(limits::STACK).spawn(move || run_here(args));
    match program.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic hook has printed the message.
        Ok(Err(_)) => Code::Internal,
        Err(error) => {
            complain(format_args!("bitexact: cannot start a thread: {error}"));
            Code::Failed
        }
    }
}

/// Returns the command line. On Windows, its paths get the separator of the system, so that no message mixes both.
fn command() -> clap::Command {
    for_system(Call::command())
}

fn for_system(command: clap::Command) -> clap::Command {
    if cfg!(windows) { with_backslashes(command) } else { command }
}

/// Parses a call of a subcommand that programs call for every file, without building all the others. Returns `None` for any other call, and
/// for one that is to be answered by a message, which the whole [command line](command) knows.
fn quick(args: &[OsString]) -> Option<Call> {
    let (name, augment): (_, fn(clap::Command) -> clap::Command) = match args.get(1)?.to_str()? {
        "verify" => ("verify", verify::Args::augment_args),
        "unpack" => ("unpack", unpack::Args::augment_args),
        "pack" => ("pack", pack::Args::augment_args),
        _ => return None,
    };
    let command = Global::augment_args(clap::Command::new("bitexact")).subcommand(augment(clap::Command::new(name)));
    Call::from_arg_matches(&for_system(command).try_get_matches_from(args).ok()?).ok()
}

fn parse(args: Vec<OsString>) -> Result<Call, clap::Error> {
    if let Some(call) = quick(&args) {
        return Ok(call);
    }
    let command = command();
    let args = with_command(args, &command);
    command.try_get_matches_from(args).and_then(|it| Call::from_arg_matches(&it))
}

/// Lets a command take `/` in paths as `\`. Other arguments, such as places, keep it, and so does an entry after `!`.
fn with_backslashes(command: clap::Command) -> clap::Command {
    let backslashes = |path: PathBuf| {
        let (file, _) = source::parts(&path);
        let split = path.to_str().and_then(|text| text.split_at_checked(file.as_os_str().len()));
        split.map_or(path.clone(), |(file, entry)| format!("{}{entry}", file.replace('/', "\\")).into())
    };
    let is_path = |arg: &clap::Arg| arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
    let taking = move |arg: clap::Arg| match is_path(&arg) {
        true => arg.value_parser(PathBufValueParser::new().map(backslashes)),
        false => arg,
    };
    command.mut_args(taking).mut_subcommands(with_backslashes)
}

/// Returns `true` for an option whose value is no path, such as `--set`.
fn takes_text(option: &str) -> bool {
    fn takes(command: &clap::Command, option: &str) -> bool {
        let is_path = |arg: &clap::Arg| arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        let is_named = |arg: &clap::Arg| match option.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long) || arg.get_all_aliases().is_some_and(|all| all.contains(&long)),
            None => option.strip_prefix('-').is_some_and(|it| it.chars().eq(arg.get_short())),
        };
        let is_it = |arg: &clap::Arg| is_named(arg) && arg.get_action().takes_values() && !is_path(arg);
        command.get_arguments().any(is_it) || command.get_subcommands().any(|inner| takes(inner, option))
    }
    option.starts_with('-') && takes(&Call::command(), option)
}

/// Puts the paths that a pattern matches in its place, which no shell of Windows does.
fn expand(paths: &mut Vec<PathBuf>) {
    if cfg!(windows) {
        *paths = shell::expanded(paths);
    }
}

/// Returns a path as the system writes it, from one with `/` between its parts.
pub(crate) fn native(path: &str) -> String {
    if cfg!(windows) { path.replace('/', "\\") } else { path.to_owned() }
}

/// Returns a path below a folder, from one with `/` between its parts.
pub(crate) fn below(folder: &Path, path: &str) -> PathBuf {
    path.split('/').fold(folder.to_owned(), |found, part| found.join(part))
}

/// Returns an error that begins with the path of a file in a folder, with the path of the folder before it.
pub(crate) fn within(folder: &Path, error: &dyn std::fmt::Display) -> String {
    let error = error.to_string();
    let (path, rest) = error.split_at(error.find(':').unwrap_or(0));
    format!("{}{rest}", below(folder, path).display())
}

/// Returns the arguments with `verify` before paths without a command, with or without options: files that are dropped onto the program come
/// without one. The first word that is a command or a path decides; only the value of an option can come before it.
fn with_command(mut args: Vec<OsString>, command: &clap::Command) -> Vec<OsString> {
    let is_option = |arg: &OsString| arg.as_encoded_bytes().starts_with(b"-");
    let is_command = |arg: &OsString| command.find_subcommand(arg).is_some() || arg == "help";
    let matches_paths = |arg: &OsString| cfg!(windows) && !shell::matching(Path::new(arg)).is_empty();
    let is_path = |arg: &OsString| !is_option(arg) && (Path::new(arg).exists() || matches_paths(arg));
    let words = args.iter().zip(args.iter().skip(1));
    let mut deciding =
        words.filter(|(before, arg)| !is_option(arg) && (is_command(arg) || is_path(arg) || !is_option(before)));
    if deciding.next().is_some_and(|(_, arg)| !is_command(arg) && is_path(arg)) {
        args.insert(1, "verify".into());
    }
    args
}

/// Returns the message for a word that is neither a command nor a path, unless a command has a similar name.
fn neither(error: &clap::Error) -> Option<String> {
    let found = error.get(ContextKind::InvalidSubcommand)?;
    let is_other = error.get(ContextKind::SuggestedSubcommand).is_none();
    is_other.then(|| format!("bitexact: {found}: no such file or folder, and no such command; see `bitexact help`"))
}

fn run_here(args: Vec<OsString>) -> Code {
    if args.get(1).is_some_and(|it| it == "help") && args.get(2).is_some_and(|it| it == "places") {
        let mut out = Out::new(false, false);
        out.lines(examples::PLACES.trim_end());
        return out.end(Ok(()));
    }
    let call = match parse(args) {
        Ok(call) => call,
        Err(error) if error.use_stderr() => {
            // The message quotes the user's input, which may contain control characters.
            match neither(&error) {
                Some(message) => complain(message),
                None => error.render().to_string().lines().for_each(complain),
            }
            return Code::Failed;
        }
        Err(help) => return print(&help),
    };
    match call.global.color {
        When::Auto => {}
        When::Always => anstream::ColorChoice::Always.write_global(),
        When::Never => anstream::ColorChoice::Never.write_global(),
    }
    memory::limit(call.global.memory);
    let mut out = Out::new(call.global.quiet, call.global.verbose);
    if let Err(error) = signals::watch() {
        return out.end(Err(anyhow::Error::new(error).context("cannot watch for Ctrl-C")));
    }
    let outcome = match call.global.encoding {
        Some(Encoding(page)) => page.during(|| done(call.command, &mut out)),
        None => done(call.command, &mut out),
    };
    out.end(outcome)
}

/// Runs a subcommand.
fn done(command: Command, out: &mut Out) -> anyhow::Result<()> {
    match command {
        Command::Verify(mut args) => {
            expand(&mut args.paths);
            verify::run(&args, out)
        }
        Command::Inspect(args) => inspect::run(&args, out),
        Command::Ls(args) => ls::run(&args, out),
        Command::Cat(args) => ls::cat(&args, out),
        Command::Unpack(args) => unpack::run(&args, out),
        Command::Pack(args) => pack::run(&args, out),
        Command::Patch(args) => patch::run(&args, out),
        Command::Diff(args) => diff::run(&args, out),
        Command::Merge(args) => merge::run(&args, out),
        Command::Textconv(args) => textconv::run(&args, out),
        Command::Mod(args) => mods::run(&args, out),
        Command::Lint(mut args) => {
            expand(&mut args.paths);
            lint::run(&args, out)
        }
        Command::Export(args) => export::run(&args, out),
        Command::Import(args) => import::run(&args, out),
        Command::Snapshot(args) => snapshot::run(&args, out),
        Command::Schema(args) => schema::run(&args, out),
        Command::Formats(args) => formats::run(&args, out),
        Command::Completions(args) => {
            completions::run(&args, out);
            Ok(())
        }
        Command::Man(args) => man::run(&args, out),
    }
}

/// Prints the help text or the version. A closed pipe is not an error.
fn print(help: &clap::Error) -> Code {
    match help.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain(format_args!("bitexact: cannot write to stdout: {error}"));
            Code::Failed
        }
        _ => Code::Fine,
    }
}

/// Returns `true` if stderr is a terminal.
pub(crate) fn watched() -> bool {
    io::stderr().is_terminal()
}

/// Returns `true` if two paths lead to the same file.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let [one, other] = [one, other].map(std::fs::canonicalize);
    one.is_ok_and(|one| other.is_ok_and(|other| one == other))
}

/// Reads an additional input file. It may be a pipe, as in `--apply <(…)`.
pub(crate) fn read_input(path: &Path) -> io::Result<Vec<u8>> {
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_fifo(&std::fs::metadata(path)?.file_type()) {
        let path = path.to_owned();
        return signals::waiting(move || read_pipe(&path));
    }
    read(path)
}

/// Reads a pipe, unless no program writes to it: that would wait forever.
#[cfg(unix)]
fn read_pipe(path: &Path) -> io::Result<Vec<u8>> {
    use io::Read as _;
    use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
    /// How often a program is looked for that is just being started, and how long after each time.
    const LOOKS: (u32, std::time::Duration) = (40, std::time::Duration::from_millis(25));
    let mut pipe = std::fs::File::from(open(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?);
    let mut first = [0];
    for _ in 0..LOOKS.0 {
        match pipe.read(&mut first) {
            Ok(0) => std::thread::sleep(LOOKS.1),
            Ok(_) => {
                fcntl_setfl(&pipe, OFlags::empty())?;
                return read_to_end(first.as_slice().chain(pipe), None);
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                fcntl_setfl(&pipe, OFlags::empty())?;
                return read_to_end(pipe, None);
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("is a pipe that no program writes to"))
}

/// Returns the bytes of a file, or of stdin for `-`.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path == Path::new("-") {
        return signals::waiting(|| read_to_end(io::stdin().lock(), None));
    }
    let about = std::fs::metadata(path)?;
    match install::is_readable(&about) {
        Ok(()) => read_to_end(std::fs::File::open(path)?, Some(about.len())),
        Err(why) => Err(io::Error::other(why)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_on_windows_have_one_separator_and_places_another() {
        let given = |args: &[&str], name: &str| {
            let matches = with_backslashes(Call::command()).try_get_matches_from(args).expect("a call");
            let (_, command) = matches.subcommand().expect("a command");
            let path = command.try_get_one::<PathBuf>(name).ok().flatten().map(|path| path.display().to_string());
            path.or_else(|| command.get_one::<String>(name).cloned())
        };
        let diff = ["bitexact", "diff", "C:/games/mw3", "a\\b"];
        assert_eq!(given(&diff, "a").as_deref(), Some("C:\\games\\mw3"));
        assert_eq!(given(&diff, "b").as_deref(), Some("a\\b"));
        let inspect = ["bitexact", "inspect", "a/b.zbd", "x.zrd:/0/1"];
        assert_eq!(given(&inspect, "file").as_deref(), Some("a\\b.zbd"));
        assert_eq!(given(&inspect, "place").as_deref(), Some("x.zrd:/0/1"));
        let made = ["bitexact", "mod", "make", "a/b", "c/d", "-o", "e/f.mod"];
        let matches = with_backslashes(Call::command()).try_get_matches_from(made).expect("a call");
        let output =
            matches.subcommand().and_then(|it| it.1.subcommand()).and_then(|it| it.1.get_one::<PathBuf>("output"));
        assert_eq!(output.map(|path| path.display().to_string()).as_deref(), Some("e\\f.mod"));
    }
}
