//! The binary that libFuzzer drives: `FUZZ_TARGET` names the reader.
#![no_main]

use std::sync::LazyLock;

use fuzz::Target;
use libfuzzer_sys::fuzz_target;

#[expect(clippy::disallowed_methods, reason = "libFuzzer owns the command line")]
static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    match Target::by_name(&name) {
        Some(target) => target,
        None => panic!("FUZZ_TARGET is {name:?}: no such target"),
    }
});

fuzz_target!(|data: &[u8]| TARGET.run(data));
