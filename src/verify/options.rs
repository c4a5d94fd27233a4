//! What is verified of a file, and the memory that it takes.

use kind::Memory;

/// Options for verifying a file.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// `true` if every entry of a container is reported as well.
    pub entries: bool,
    /// `true` if entries and records are counted.
    pub counts: bool,
    /// `true` if the values that match computed rules are counted.
    pub rules: bool,
    /// `true` if the owners of the bytes along the file are reported.
    pub strip: bool,
    /// `true` if the round trip goes via the exchange format too: the model read back from it is encoded.
    #[cfg(feature = "exchange")]
    pub via_exchange: bool,
    /// `true` if the models of a file are exported and imported again, which must find no edits.
    #[cfg(feature = "export")]
    pub via_gltf: bool,
    /// The memory limit in bytes for the file and everything made from it. Without it,
    /// [`memory::allowed`](field::memory::allowed) decides.
    pub memory: Option<u64>,
    /// `true` if another thread may hash a large file while this one decodes it.
    pub spread: bool,
    /// `true` if the bytes that are encoded again are compared with the file, but not hashed, and if signs of damage are looked for only in
    /// a file that does not come back.
    pub only_proof: bool,
}

impl VerifyOptions {
    /// Sets whether every entry of a container is reported as well.
    #[must_use]
    pub const fn entries(self, entries: bool) -> Self {
        Self { entries, ..self }
    }

    /// Sets whether the numbers of entries and records are reported.
    #[must_use]
    pub const fn counts(self, counts: bool) -> Self {
        Self { counts, ..self }
    }

    /// Sets whether the values that follow computed rules are counted.
    #[must_use]
    pub const fn rules(self, rules: bool) -> Self {
        Self { rules, ..self }
    }

    /// Sets whether the owners of the bytes along the file are reported.
    #[must_use]
    pub const fn strip(self, strip: bool) -> Self {
        Self { strip, ..self }
    }

    /// Sets whether the bytes that are encoded again are compared with the file, but not hashed, and signs of damage are looked for only in
    /// a file that does not come back.
    #[must_use]
    pub const fn only_proof(self, only_proof: bool) -> Self {
        Self { only_proof, ..self }
    }

    /// Sets whether the round trip goes through the exchange format too.
    #[cfg(feature = "exchange")]
    #[must_use]
    pub const fn via_exchange(self, via_exchange: bool) -> Self {
        Self { via_exchange, ..self }
    }

    /// Sets whether the models of a file are exported and imported again.
    #[cfg(feature = "export")]
    #[must_use]
    pub const fn via_gltf(self, via_gltf: bool) -> Self {
        Self { via_gltf, ..self }
    }

    /// Sets the limit of memory, or removes it.
    #[must_use]
    pub const fn memory(self, memory: Option<u64>) -> Self {
        Self { memory, ..self }
    }

    /// Sets whether a large file is hashed by another thread.
    #[must_use]
    pub const fn spread(self, spread: bool) -> Self {
        Self { spread, ..self }
    }

    #[cfg(feature = "exchange")]
    pub(super) const fn is_via_exchange(self) -> bool {
        self.via_exchange
    }

    #[cfg(not(feature = "exchange"))]
    pub(super) const fn is_via_exchange(self) -> bool {
        let _ = self;
        false
    }

    /// Returns the maximum memory for verifying a file of a kind with these options, in multiples of its size.
    #[must_use]
    pub const fn factor(self, of: Memory) -> u64 {
        let way = if self.is_via_exchange() { of.exchange } else { of.direct };
        way.saturating_add(if self.entries { of.entries } else { 0 })
    }

    /// Returns the maximum memory in bytes for verifying a file of a kind and this size with these options.
    #[must_use]
    pub const fn estimate(self, of: Memory, bytes: u64) -> u64 {
        field::limits::MEMORY_BASE.saturating_add(bytes.saturating_mul(self.factor(of)))
    }
}
