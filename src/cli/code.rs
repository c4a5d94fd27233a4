//! Exit codes.

use std::process::ExitCode;

/// The exit code of a run. If several apply, the highest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Code {
    /// No failure and no finding.
    Fine = 0,
    /// A difference, a refused file, a finding.
    Finding = 1,
    /// A usage error, nothing to do, or something that cannot be read or written.
    Failed = 2,
    /// An internal error.
    Internal = 3,
    /// Stopped by Ctrl-C or SIGTERM.
    Interrupted = 130,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(match code {
            Code::Fine => 0,
            Code::Finding => 1,
            Code::Failed => 2,
            Code::Internal => 3,
            Code::Interrupted => 130,
        })
    }
}
