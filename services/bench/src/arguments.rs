//! The arguments of `cargo dev bench` and `cargo dev fill`.

use std::path::PathBuf;

use clap::Args;
use runner::arguments::{At, Processes};

/// The arguments of `fill`.
#[derive(Args)]
pub struct Fill {
    /// The state folder of the product.
    #[command(flatten)]
    pub at: At,
    /// The number of learners to add
    #[arg(long, value_name = "N")]
    pub learners: u32,
    /// The file to write, with `email,password` of each
    #[arg(long, value_name = "FILE")]
    pub csv: PathBuf,
    /// The PostgreSQL URL that `up` was given, if any
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
}

/// Measurements of `cargo dev bench --only` besides pages.
pub const PRESSURE: &str = "pressure";
pub const WATCHING: &str = "watching";
pub const HISTORY: &str = "history";
pub const SEARCH: &str = "search";
pub const CALLER: &str = "caller";
pub const RESPONSE_CACHE: &str = "response-cache";
pub const POOL: &str = "pool";
pub const EXAM: &str = "exam";
pub const IDLE: &str = "idle";
pub const BUYING: &str = "buying";
/// All values of `--only`, pages first.
const MEASUREMENTS: [&str; 15] = [
    "inventory",
    "detail",
    "bookmark",
    "user",
    "login",
    PRESSURE,
    WATCHING,
    HISTORY,
    SEARCH,
    CALLER,
    RESPONSE_CACHE,
    POOL,
    EXAM,
    IDLE,
    BUYING,
];

/// The arguments of `bench`.
#[derive(Args)]
pub struct Bench {
    /// The state folder; the benchmark has a state of its own below it
    #[command(flatten)]
    pub at: At,
    /// Seconds of load for each page and number of connections
    #[arg(long, default_value_t = 8)]
    pub seconds: u64,
    /// Only this page, or one of: `pressure` (overload), `watching` (500 learners), `history` (inventory over ten million rows
    /// of watch history), `search`, `caller` (caller assertion), `response-cache` (against compression of the whole body),
    /// `pool` (ready connections against sqlx's pool), `exam` (saves of answers, results of 100,000 candidates), `idle` (CPU
    /// time of the idle product), `buying` (purchases from the cart to the usable course, 500 buyers at once for ten
    /// seats, and the list of orders with 1,000,000 orders on file)
    #[arg(long, value_name = "NAME", value_parser = MEASUREMENTS)]
    pub only: Option<String>,
    /// The number of learners; pages are measured again with 100 times as many
    #[arg(long, default_value_t = 1_000)]
    pub learners: u32,
    /// The processes of the services.
    #[command(flatten)]
    pub processes: Processes,
}
