//! Candidate numbers (受験番号), which identify the candidates of an exam.

use std::fmt;

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;

/// The number of a candidate in an exam, from 1. It is shown with six digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CandidateNumber(pub(super) i32);

impl CandidateNumber {
    /// Takes the next number of an exam. It locks the exam's row until the end of the transaction.
    pub(super) async fn take(connection: &mut PgConnection, exam: i64) -> sqlx::Result<Self> {
        sqlx::query_scalar!(
            "
            UPDATE exam SET last_candidate_number = last_candidate_number + 1 WHERE id = $1
            RETURNING last_candidate_number
            ",
            exam,
        )
        .fetch_one(connection)
        .instrument(span("UPDATE exam"))
        .await
        .map(Self)
    }
}

impl fmt::Display for CandidateNumber {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(text, "{:06}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::CandidateNumber;

    #[test]
    fn a_number_has_six_digits_or_more() {
        assert_eq!(CandidateNumber(42).to_string(), "000042");
        assert_eq!(CandidateNumber(1_234_567).to_string(), "1234567");
    }
}
