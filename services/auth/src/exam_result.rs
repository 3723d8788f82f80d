//! Final results of exams: who is notified.

use kit_db::outbox::Outbox;
use kit_db::span;
use proto::auth::ExamResultAnnounced;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::account::full_name;

/// A final result of a learner.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FinalResult {
    pub(crate) learner: Uuid,
    pub(crate) exam: i64,
    pub(crate) exam_name: String,
}

impl FinalResult {
    /// Notifies the learner and each linked guardian by email. Sends no email if the learner has no account, or is
    /// closing it.
    pub(crate) async fn announce(
        &self,
        database: &mut PgConnection,
        outbox: &Outbox,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        // The learner comes first.
        let recipients = sqlx::query!(
            "SELECT id, email, last_name, first_name, birth_date FROM account \
             WHERE erase_at IS NULL AND (id = $1 OR id IN (SELECT guardian FROM guardian_link WHERE learner = $1)) \
             ORDER BY id <> $1, id",
            self.learner
        )
        .fetch_all(&mut *database)
        .instrument(span("SELECT account"))
        .await?;
        let Some(learner) = recipients.first().filter(|first| first.id == self.learner) else {
            return Ok(());
        };
        let child_name = full_name(&learner.last_name, &learner.first_name);
        for recipient in &recipients {
            let is_guardian = recipient.id != self.learner;
            let event = ExamResultAnnounced {
                to: recipient.email.clone(),
                account_id: recipient.id.to_string(),
                name: full_name(&recipient.last_name, &recipient.first_name),
                exam_id: self.exam,
                exam_name: self.exam_name.clone(),
                child_id: if is_guardian { self.learner.to_string() } else { String::new() },
                child_name: if is_guardian { child_name.clone() } else { String::new() },
                birth_date: recipient.birth_date.map(|birth| birth.to_string()),
            };
            outbox.publish(database, &event, now).await?;
        }
        Ok(())
    }
}
