//! Every number at which the work takes another path, or its result another form.

use std::cell::Cell;

thread_local! {
    static HERE: Cell<&'static Thresholds> = const { Cell::new(&Thresholds::PROGRAM) };
}

macro_rules! thresholds {
    ($(#[$about:meta])* pub struct Thresholds { $($(#[$doc:meta])* $name:ident: $program:expr,)* }) => {
        $(#[$about])*
        pub struct Thresholds {
            $($(#[$doc])* pub $name: usize,)*
        }

        impl Thresholds {
            /// The values of the program.
            pub const PROGRAM: Self = Self { $($name: $program,)* };

            /// Returns thresholds that all have one value.
            #[must_use]
            pub const fn all(value: usize) -> Self {
                Self { $($name: value,)* }
            }
        }
    };
}

thresholds! {
    /// The numbers at which the work takes another path, or an unpacked folder another form: how long a list, a text or a line is
    /// before it is divided, how few names are compared one by one, how many threads there are.
    ///
    /// None of them may change what a file decodes to, which bytes a folder packs to, or what is reported. Tests run with
    /// [`SMALLEST`](Self::SMALLEST), [`ONE`](Self::ONE) and [`LARGEST`](Self::LARGEST), so that small files take the paths of large
    /// ones, and large files those of small ones.
    ///
    /// These are no thresholds: a [limit](super::limits), beyond which something is refused; a capacity, which only reserves memory; a
    /// number that a format states; a number that tells damage from chance; the length at which something shown to people is
    /// shortened.
    ///
    /// The values belong to a thread. [`during`](Self::during) sets them for one call, and every thread that the library starts has
    /// those of the thread that started it. So tests with different values run side by side, which a global variable would not
    /// allow. Parameters would have to pass through every visitor, printer and parser, whose traits have no room for them. Loops
    /// over bytes, fields and names read a value before they begin; elsewhere reading one takes a single load.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Thresholds {
        /// The number of threads that work on one file; 0 stands for the number of cores.
        cores: 0,
        /// Files with fewer bytes in total, and documents with fewer bytes and nodes, are not worth another thread.
        bytes_for_threads: 512 << 10,
        /// A document with more values is divided into files.
        values_of_document: 5_000,
        /// In such a document, a member with more values gets a file of its own. A single value never does.
        values_of_member: 500,
        /// In such a member, the items of a list with more values on average get files of their own.
        values_of_item: 100,
        /// The maximum number of columns in a line of JSON, unless a single value is longer.
        columns: 100,
        /// The minimum number of items per thread that prints a list.
        items_for_thread: 128,
        /// The number of documents whose images and sounds each thread exports before the results replace them.
        media_of_batch: 16,
        /// A document with more bytes of text is indexed by itself, in pieces.
        bytes_of_text: 2 << 20,
        /// The minimum size of such a piece, in bytes.
        bytes_of_piece: 1 << 20,
        /// The number of bytes searched for a line that such a piece can begin with.
        bytes_to_line: 1 << 16,
        /// Up to this many names of members are compared one by one; more are sorted or hashed.
        names: 16,
        /// The maximum number of bytes reserved for a list of records before the first of them is loaded.
        bytes_reserved: 1 << 20,
        /// The number of bytes without deviations that are collected for visitors without places.
        bytes_gathered: 8 << 10,
        /// The size of the largest part that is collected, not passed on alone.
        bytes_of_gathered: 512,
        /// The number of bytes that are collected before they are hashed and compared with the file. A part of more than a quarter
        /// is not collected.
        bytes_proven: 8 << 10,
        /// The smallest size of a file for which hashing is worth a thread, in bytes.
        bytes_for_hash: 4 << 20,
        /// More values are edited in the exchange format of the whole file, not one by one.
        values_edited: 64,
        /// A list with at least this many items is kept open while its items are edited.
        items_kept_open: 64,
        /// A piece of a list that is kept open, or whose order is compared, is divided at this length, which is at least 2.
        items_of_piece: 256,
        /// Lists with more items are compared item by item if both have the same length, or else between the items that both
        /// contain once. Shorter lists have the fewest changes.
        items_compared: 20_000,
        /// Between such items, parts of up to this length have the fewest changes. Finding them takes the square of the length, and a
        /// list can have many parts.
        items_of_part: 2_000,
        /// Lists of up to this many items are compared item by item as well, if both have the same length.
        items_of_vector: 4,
        /// Up to this many pairs of removed and added entries are compared to find those that were renamed and edited.
        pairs_compared: 4096,
        /// A value with at least this many bytes is compared by its hash before it is shown.
        bytes_compared: 128,
        /// The longest name of a file, in bytes, without its extension and what makes it unique.
        bytes_of_name: 120,
        /// The maximum number of folders that the name of an entry leads through.
        folders_of_name: 8,
        /// Up to this many materials of a mesh are searched one by one.
        materials: 16,
    }
}

impl Default for Thresholds {
    fn default() -> Self {
        Self::PROGRAM
    }
}

impl Thresholds {
    /// All are 0, except for the two with which the most is divided: there are three threads, and the search for a line does not end.
    pub const SMALLEST: Self = Self { cores: 3, bytes_to_line: usize::MAX, ..Self::all(0) };
    /// All are 1, except for the threads, of which there are two.
    pub const ONE: Self = Self { cores: 2, ..Self::all(1) };
    /// All are as large as possible, and there is one thread: nothing is divided.
    pub const LARGEST: Self = Self { cores: 1, ..Self::all(usize::MAX) };

    /// Returns the thresholds of this thread.
    #[inline]
    #[must_use]
    pub fn here() -> &'static Self {
        HERE.get()
    }

    /// Makes a call with these thresholds, in this thread and in all that the library starts during the call.
    pub fn during<T>(&'static self, call: impl FnOnce() -> T) -> T {
        /// Restores the thresholds, even after a panic.
        struct Restore(&'static Thresholds);
        impl Drop for Restore {
            fn drop(&mut self) {
                HERE.set(self.0);
            }
        }
        let _restore = Restore(HERE.replace(self));
        call()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work;

    static SMALLEST: Thresholds = Thresholds::SMALLEST;
    static ONE: Thresholds = Thresholds::ONE;

    #[test]
    fn thresholds_hold_for_a_call_and_the_threads_that_it_starts() {
        let of_threads = || work::share(&[(); 64], 3, |()| Thresholds::here().names);
        assert_eq!(*Thresholds::here(), Thresholds::default());
        let panic = ONE.during(|| {
            assert_eq!(of_threads(), vec![1; 64]);
            assert_eq!(SMALLEST.during(of_threads), vec![0; 64]);
            assert_eq!((*Thresholds::here(), work::cores()), (ONE, 2));
            std::panic::catch_unwind(|| SMALLEST.during(|| panic!("a call that fails")))
        });
        assert!(panic.is_err());
        assert_eq!(of_threads(), vec![Thresholds::PROGRAM.names; 64]);
    }
}
