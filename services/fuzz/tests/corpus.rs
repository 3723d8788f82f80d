//! Every input that is kept, replayed.
#![allow(clippy::expect_used, reason = "a test that can't go on should panic")]

use std::fs;
use std::path::Path;

use fuzz::TARGETS;

#[test]
fn every_kept_input_holds() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for target in TARGETS {
        let folder = corpus.join(target.name);
        let mut inputs = 0;
        for entry in fs::read_dir(&folder).expect("every target has inputs") {
            let path = entry.expect("it can be listed").path();
            println!("{}", path.display());
            target.run(&fs::read(&path).expect("it can be read"));
            inputs += 1;
        }
        assert!(inputs > 0, "{} has inputs", target.name);
    }
}

#[test]
fn every_folder_of_inputs_has_a_target() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for entry in fs::read_dir(corpus).expect("there is a corpus") {
        let name = entry.expect("it can be listed").file_name();
        let name = name.to_str().expect("it is ASCII");
        assert!(fuzz::Target::by_name(name).is_some(), "{name}");
    }
}
