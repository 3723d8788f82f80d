//! Progress: a line when a step begins, another when a slow step ends.

use std::time::{Duration, Instant};

use crate::failure::Outcome;

/// A step that takes less than this prints no line at its end.
const QUICK: Duration = Duration::from_secs(1);

/// Measures the time since the start of the command.
#[derive(Clone, Copy)]
pub struct Steps {
    start: Instant,
}

impl Steps {
    /// Starts counting.
    #[must_use]
    pub fn begin() -> Self {
        Self { start: Instant::now() }
    }

    /// Prints a line with the elapsed time.
    pub fn say(&self, text: &str) {
        println!("[{:>6.1} s] {text}", self.start.elapsed().as_secs_f64());
    }

    /// Runs the step `name` and prints how long it took.
    pub async fn step<T>(&self, name: &str, work: impl Future<Output = Outcome<T>>) -> Outcome<T> {
        self.say(name);
        let begun = Instant::now();
        let done = work.await?;
        if begun.elapsed() > QUICK {
            self.say(&format!("{name}: done in {}", duration(begun.elapsed())));
        }
        Ok(done)
    }

    /// Time since the start of the command.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Formats a duration: `0.4 s`, `12.3 s`, `2 min 05 s`.
#[must_use]
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    if seconds < 60 {
        format!("{:.1} s", duration.as_secs_f64())
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_at_a_glance() {
        assert_eq!(duration(Duration::from_millis(412)), "0.4 s");
        assert_eq!(duration(Duration::from_secs(125)), "2 min 05 s");
    }
}
