//! The demo's lessons as videos and as pages to print, where the edge reads them.

use tokio::process::Command;
use tooling::command::run_or_fail;
use tooling::failure::Outcome;

use crate::places;
use crate::state::State;

/// The program that draws them. The `dev` profile optimizes it and what it draws with, so it has no release build.
pub const STUDIO: &str = "studio";

/// Draws those lessons that are new or other than before: about a minute for all, the first time.
pub async fn draw_lessons(state: &State) -> Outcome {
    let mut studio = Command::new(places::binary(STUDIO, false));
    studio
        .arg("draw")
        .arg(places::service("lms").join("demo/courses"))
        .arg(places::media())
        .arg("--fonts")
        .arg(places::fonts());
    run_or_fail(&mut studio, &state.log("studio")).await?;
    Ok(())
}
