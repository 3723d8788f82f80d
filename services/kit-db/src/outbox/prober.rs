//! The task that looks at the queues of a process and wakes their dispatchers.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use kit::error::chain;
use kit::shutdown::Shutdown;
use kit::task::{self, Ticks};
use sqlx::PgConnection;

use crate::Pool;

/// Probes all queues of a process, one after the other on one connection. A task and a connection for each queue would keep
/// an idle process and its database busy.
pub struct Prober {
    probes: Vec<Box<dyn Probe>>,
    pool: Pool,
    period: Duration,
}

/// A queue whose workers are woken when an item is due.
pub(super) trait Probe: Send + Sync {
    /// Looks at the queue once.
    fn probe<'a>(
        &'a self,
        database: &'a mut PgConnection,
    ) -> Pin<Box<dyn Future<Output = sqlx::Result<()>> + Send + 'a>>;

    /// Logs that the queue could not be read, once until deliveries go on.
    fn log_failure(&self, error: &str);
}

impl Prober {
    /// For queues in the database of `pool`. `period` is the time between two probes of a queue. It bounds the delay of an
    /// item that is added without a wake.
    #[must_use]
    pub fn new(pool: &Pool, period: Duration) -> Self {
        Self { probes: Vec::new(), pool: pool.clone(), period }
    }

    pub(super) fn add(&mut self, probe: impl Probe + 'static) {
        self.probes.push(Box::new(probe));
    }

    /// Probes the queues at once and then every period, until `shutdown`.
    pub fn spawn(self, shutdown: &Shutdown) {
        task::spawn("queue probe", shutdown, self.run(shutdown.clone()));
    }

    async fn run(self, shutdown: Shutdown) {
        let mut ticks = Ticks::new(self.period, shutdown);
        while ticks.next().await {
            if let Err(error) = self.probe_all().await {
                let error = chain(&error);
                self.probes.iter().for_each(|probe| probe.log_failure(&error));
            }
        }
    }

    /// Fails without a connection. A queue that cannot be read does not keep the others from being probed.
    async fn probe_all(&self) -> sqlx::Result<()> {
        let mut connection = self.pool.acquire().await?;
        let mut is_intact = true;
        for probe in &self.probes {
            if let Err(error) = probe.probe(&mut connection).await {
                probe.log_failure(&chain(&error));
                is_intact = false;
            }
        }
        if is_intact {
            self.pool.keep(connection);
        }
        Ok(())
    }
}
