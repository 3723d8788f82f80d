//! Random input for property tests: the same in each run. A failing test prints its seed.

/// A generator with a seed (`SplitMix64`).
pub struct Random(u64);

impl Random {
    /// Calls `check` with a generator for each of `cases` seeds. A failing case prints its seed.
    pub fn cases(cases: u64, mut check: impl FnMut(&mut Self)) {
        for seed in 0..cases {
            let named = PrintedSeed(seed);
            check(&mut Self(seed));
            drop(named);
        }
    }

    /// A generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `end`, which must not be 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    /// One of these, of which there must be at least one.
    pub fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        let index = self.below(of.len() as u64);
        of[usize::try_from(index).unwrap_or_default()]
    }

    /// A number from `from` to below `end`.
    pub fn within(&mut self, from: i32, end: i32) -> i32 {
        let width = u64::from(end.abs_diff(from));
        from.saturating_add(i32::try_from(self.below(width.max(1))).unwrap_or_default())
    }
}

/// Prints the seed of a case that panics.
struct PrintedSeed(u64);

impl Drop for PrintedSeed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("failed with seed {}", self.0);
        }
    }
}
