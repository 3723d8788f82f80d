//! Measures the inventory with the watch history of a large school, compared with the demo's.

use std::net::SocketAddr;

use bench::fill::PerLearner;
use sqlx::{Executor as _, PgConnection, Row as _};
use tooling::failure::Outcome;

use super::{Bench, RATIO_AT};

/// Smallest number of watch rows.
const ROWS: i64 = 10_000_000;

impl Bench {
    /// Measures with the learners of `emails`, adds learners who watched everything, and measures again.
    pub(super) async fn with_history(&self, edges: &[SocketAddr], emails: &[String]) -> Outcome {
        let mut lms = self.connect("lms").await?;
        let before = number(&mut lms, "SELECT count(*) FROM watch").await?;
        let today = self.measure_again(edges, emails).await?;
        let all = PerLearner {
            owned: usize::try_from(number(&mut lms, "SELECT count(*) FROM course").await?)?,
            watched: usize::try_from(number(&mut lms, "SELECT count(*) FROM lesson").await?)?,
        };
        let many = self.fill(learners(ROWS - before, all.watched)?, all).await?;
        let after = self.measure_again(edges, &many.emails).await?;
        let rows = number(&mut lms, "SELECT count(*) FROM watch").await?;
        println!(
            "\ninventory at {RATIO_AT} connections over {rows} rows of watch history, {} a learner: p99 {:.2} ms against \
             {:.2} ms over {before} rows, ratio {:.2}; {:.0} against {:.0} a second",
            all.watched,
            after.seen.quantile(0.99),
            today.seen.quantile(0.99),
            after.p99_to(&today),
            after.seen.rate(),
            today.seen.rate(),
        );
        Ok(())
    }
}

/// Number of learners for at least `rows` watched lessons, with `each` of every learner.
fn learners(rows: i64, each: usize) -> Outcome<u32> {
    let each = i64::try_from(each.max(1))?;
    Ok(u32::try_from((rows.max(0) + each - 1) / each)?)
}

async fn number(connection: &mut PgConnection, sql: &'static str) -> Outcome<i64> {
    Ok(connection.fetch_one(sql).await?.try_get(0)?)
}

#[cfg(test)]
mod tests {
    use super::learners;

    #[test]
    fn the_number_of_learners_is_the_smallest_sufficient() {
        let learners = |rows, each| learners(rows, each).expect("they can be counted");
        assert_eq!([learners(10_000_000, 216), learners(432, 216), learners(433, 216)], [46_297, 2, 3]);
        assert_eq!(learners(-5, 216), 0);
    }
}
