//! Background tasks that a shutdown waits for, and periodic ones.

use std::future::Future;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::shutdown::Shutdown;
pub use crate::spawn::spawn_untracked;

/// Spawns `work`. The server that ends with `shutdown` waits for it and cancels it at the drain limit.
///
/// `work` must end when `shutdown` begins. Its log lines have the field `task` with `name`; a panic is logged.
pub fn spawn<Work>(name: &'static str, shutdown: &Shutdown, work: Work) -> JoinHandle<()>
where
    Work: Future<Output = ()> + Send + 'static,
{
    spawn_untracked(name, shutdown.tasks().track(name, work))
}

/// Runs `work` in a task at once and then every `period`, until `shutdown`.
///
/// A run that takes longer than `period` delays the next one. For work that borrows from its state, see [`Ticks`].
pub fn every<Work, Working>(name: &'static str, period: Duration, shutdown: Shutdown, mut work: Work)
where
    Work: FnMut() -> Working + Send + 'static,
    Working: Future<Output = ()> + Send,
{
    spawn(name, &shutdown.clone(), async move {
        let mut ticks = Ticks::new(period, shutdown);
        while ticks.next().await {
            work().await;
        }
    });
}

/// An interval that ends with a shutdown: `while ticks.next().await { … }`.
pub struct Ticks {
    interval: Interval,
    shutdown: Shutdown,
}

impl Ticks {
    /// Ticks at once and then every `period`. A late tick delays the following ones.
    #[must_use]
    pub fn new(period: Duration, shutdown: Shutdown) -> Self {
        let mut interval = interval(period);
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { interval, shutdown }
    }

    /// Waits for the next tick. `false` means that the shutdown has begun.
    pub async fn next(&mut self) -> bool {
        tokio::select! {
            biased;
            () = self.shutdown.wait() => false,
            _ = self.interval.tick() => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;
    use tokio::time::{Instant, sleep, timeout};

    use super::*;
    use crate::test::TelemetryCapture;

    /// Generous timeout for machines under load.
    const PATIENCE: Duration = Duration::from_secs(20);

    #[tokio::test]
    async fn periodic_work_runs_at_once_then_every_period_until_the_shutdown() {
        let (ran, mut runs) = mpsc::unbounded_channel();
        let (period, shutdown) = (Duration::from_millis(50), Shutdown::default());
        let began = Instant::now();
        every("count", period, shutdown.clone(), move || {
            let _ = ran.send(());
            async {}
        });
        for least in [Duration::ZERO, period, period * 2] {
            timeout(PATIENCE, runs.recv())
                .await
                .expect("the work runs in time")
                .expect("the channel is open");
            assert!(began.elapsed() >= least);
        }
        shutdown.begin();
        let end = async { while runs.recv().await.is_some() {} };
        timeout(PATIENCE, end).await.expect("the task ends");
    }

    #[tokio::test]
    async fn a_shutdown_waits_for_tasks_of_child_and_delayed_shutdowns() {
        let shutdown = Shutdown::default();
        let (ended, mut ends) = mpsc::unbounded_channel();
        for one in [shutdown.clone(), shutdown.child(), shutdown.delayed(Duration::from_millis(50))] {
            let ended = ended.clone();
            spawn("short", &one.clone(), async move {
                one.wait().await;
                sleep(Duration::from_millis(50)).await;
                let _ = ended.send(());
            });
        }
        shutdown.begin();
        shutdown.tasks().finish(Instant::now() + PATIENCE).await;
        assert_eq!([(); 3].map(|()| ends.try_recv()), [Ok(()); 3]);
        assert!(shutdown.tasks().is_idle());
    }

    #[tokio::test]
    async fn a_task_that_does_not_end_is_cancelled_at_the_deadline() {
        let capture = TelemetryCapture::start("warn");
        let shutdown = Shutdown::default();
        let (held, mut holders) = mpsc::channel::<()>(1);
        spawn("endless", &shutdown, async move {
            std::future::pending::<()>().await;
            drop(held);
        });
        shutdown.tasks().finish(Instant::now() + Duration::from_millis(100)).await;
        assert_eq!(timeout(PATIENCE, holders.recv()).await.expect("the task is cut"), None);
        let names: Vec<_> = capture.lines().iter().map(|line| line["tasks"].clone()).collect();
        assert_eq!(names, ["endless"]);
    }

    #[tokio::test]
    async fn a_task_that_panics_has_ended() {
        let shutdown = Shutdown::default();
        let task = spawn("broken", &shutdown, async { panic!("a planned panic") });
        task.await.expect("the panic is caught");
        assert!(shutdown.tasks().is_idle());
    }
}
