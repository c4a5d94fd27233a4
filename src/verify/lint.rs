//! The warnings of a file, without the proof of its round trip.

use bytes::Bytes;

use super::candidate::caught;
use super::{Candidate, Failure, Status, VerifyOptions};
use crate::aurora::texture_settings;
use field::walk::visit_fresh;
use field::{Decoded, Error, Place, Result, memory, wide};
use kind::{Kind, Model, foreign};
use lint::{Warning, warnings};
use passes::damage::{self, Damage};
use passes::spoiled::{self, Decoder};

/// The warnings of a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Linted {
    /// The name of its kind, if it is of a supported or recognized kind.
    pub kind: Option<&'static str>,
    /// `true` if its kind is supported.
    pub is_supported: bool,
    /// The warnings in file order, [expected](lint::Scope::Addition) or not.
    pub warnings: Vec<Warning>,
    /// The reason if it does not decode.
    pub failure: Option<Failure>,
}

impl Linted {
    /// Returns the warnings of a file that cannot be read.
    #[must_use]
    pub fn unreadable(why: String) -> Self {
        Self { kind: None, is_supported: false, warnings: Vec::new(), failure: Some(Failure::Read(why)) }
    }

    /// Returns `true` if the failure is a bug in bitexact.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        matches!(self.failure, Some(Failure::Internal(_)))
    }

    /// Returns the status that `verify` gives to a file that does not decode or cannot be read, or `None` if there is no failure.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        Some(match self.failure.as_ref()? {
            Failure::Read(_) => Status::Unreadable,
            _ => Status::Refused,
        })
    }
}

impl Candidate {
    /// Decodes the file and collects its warnings. A panic is caught and reported as internal.
    #[must_use]
    pub fn lint(self, how: VerifyOptions) -> Linted {
        let Self { kinds, name, file, recognized } = self;
        let none = Linted { kind: None, is_supported: false, warnings: Vec::new(), failure: None };
        let failed = |failure| Linted { failure: Some(failure), ..none.clone() };
        let kind = match recognized {
            Ok(Some((kind, _))) => kind,
            Ok(None) => {
                let kind = foreign::recognize(&name, &file);
                let is_claimed = kinds.iter().any(|kind| kind.claims(&name));
                let mut warnings: Vec<_> = damage::of_stranger(kind, &file, is_claimed).into_iter().collect();
                let settings = texture_settings::of_file(&name, &file);
                let is_supported = settings.is_some();
                warnings.extend(settings.unwrap_or_default());
                return Linted { kind, warnings, is_supported, ..none };
            }
            Err(panic) => return failed(Failure::Internal(panic)),
        };
        let limit = how.memory.unwrap_or_else(memory::allowed);
        let linted = caught(|| {
            let Decoded { model, .. } = (kind.decode_within)(file.clone(), limit)?;
            lint(kind, &name, &model, &file)
        });
        let (warnings, failure) = match linted {
            Ok(Ok(warnings)) => (warnings, None),
            Ok(Err(error)) if Error::is_memory(&error) => (Vec::new(), Some(Failure::Read(error.to_string()))),
            Ok(Err(error)) => {
                let damage = damage::of_error(&error, &file, Decoder { kind, memory: limit });
                (damage.into_iter().collect(), Some(Failure::Decode(error)))
            }
            Err(panic) => (Vec::new(), Some(Failure::Internal(panic))),
        };
        Linted { kind: Some(kind.name), is_supported: true, warnings, failure }
    }
}

/// Returns the warnings, [expected](lint::Scope::Addition) or not, of a model that was just read from a file with this name (the last part
/// of its path).
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn lint(kind: &Kind, name: &str, model: &Model, file: &Bytes) -> Result<Vec<Warning>> {
    let mut warnings = warnings(model);
    let extra = spoiled::extra_alone(Decoder { kind, memory: memory::allowed() }, model, file);
    let mut damage = Damage::besides(&warnings, file, extra.as_ref());
    visit_fresh(model, file, &mut damage)?;
    warnings.extend(damage::of_cut(kind, file).into_iter().chain(damage.finish()));
    let of_name = (kind.trap_of_name)(name, wide(file.len()));
    let of_name = of_name.map(|(trap, found)| Warning::of(trap, Place::default(), found));
    Ok(of_name.into_iter().chain(warnings).collect())
}
