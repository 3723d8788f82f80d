//! Compiles every `.proto` of this folder, without protoc.

use std::error::Error;

const FILES: [&str; 3] = ["auth/v1/auth.proto", "lms/v1/lms.proto", "maintenance/v1/maintenance.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    for file in FILES {
        println!("cargo::rerun-if-changed={file}");
    }
    tonic_prost_build::configure().compile_fds(protox::compile(FILES, ["."])?)?;
    Ok(())
}
