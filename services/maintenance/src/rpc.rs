//! `maintenance.v1.MaintenanceService`.

use std::pin::Pin;
use std::time::Duration;

use futures_util::{Stream, StreamExt as _, stream};
use kit::shutdown::Shutdown;
use kit::timestamp::to_timestamp;
use proto::maintenance as wire;
use proto::maintenance::maintenance_service_server::{MaintenanceService, MaintenanceServiceServer};
use tokio::time::interval;
use tonic::service::Routes;
use tonic::{Request, Response, Status};

use crate::board::{Board, List};
use crate::window::{Mode, Scope, Window};

/// Interval of keep-alives with an unchanged list.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// The service that streams the list of the board. Streams end at `shutdown`.
#[must_use]
pub fn services(board: Board, shutdown: Shutdown) -> Routes {
    Routes::new(MaintenanceServiceServer::new(Rpc { board, shutdown }))
}

struct Rpc {
    board: Board,
    shutdown: Shutdown,
}

type Answers = Pin<Box<dyn Stream<Item = Result<wire::WatchWindowsResponse, Status>> + Send>>;

#[tonic::async_trait]
impl MaintenanceService for Rpc {
    type WatchWindowsStream = Answers;

    async fn watch_windows(
        &self,
        request: Request<wire::WatchWindowsRequest>,
    ) -> Result<Response<Answers>, Status> {
        let subscription = self.board.add_listener(&request.into_inner().edge);
        let answers = stream::unfold(
            (self.board.watch_list(), interval(KEEP_ALIVE), subscription),
            |(mut list, mut repeat, subscription)| async {
                loop {
                    tokio::select! {
                        // The first tick is immediate.
                        _ = repeat.tick() => {}
                        changed = list.changed() => {
                            // The board was dropped: the process ends.
                            changed.ok()?;
                            repeat.reset();
                        }
                    }
                    let now = list.borrow_and_update().clone();
                    if let Some(List { revision, windows }) = now {
                        let windows = windows.iter().filter(|window| !window.suspend).map(encode).collect();
                        let answer = wire::WatchWindowsResponse { windows, revision };
                        return Some((Ok(answer), (list, repeat, subscription)));
                    }
                }
            },
        );
        Ok(Response::new(Box::pin(answers.take_until(self.shutdown.wait()))))
    }

    async fn confirm_windows(
        &self,
        request: Request<wire::ConfirmWindowsRequest>,
    ) -> Result<Response<wire::ConfirmWindowsResponse>, Status> {
        let wire::ConfirmWindowsRequest { edge, revision } = request.into_inner();
        self.board.confirm_revision(&edge, revision);
        Ok(Response::new(wire::ConfirmWindowsResponse {}))
    }
}

fn encode(window: &Window) -> wire::MaintenanceWindow {
    let scope = match window.scope {
        Scope::Site => wire::Scope::Site,
        Scope::Accounts => wire::Scope::Accounts,
        Scope::Learning => wire::Scope::Learning,
        Scope::Commerce => wire::Scope::Commerce,
        Scope::Exam => wire::Scope::Exam,
    };
    let mode = match window.mode {
        Mode::Full => wire::Mode::Full,
        Mode::ReadOnly => wire::Mode::ReadOnly,
    };
    wire::MaintenanceWindow {
        name: window.name.clone(),
        scope: scope.into(),
        mode: mode.into(),
        starts_at: window.starts_at.map(to_timestamp),
        ends_at: window.ends_at.map(to_timestamp),
        title: window.title.clone(),
        message: window.message.clone(),
        status_url: window.status_url.clone(),
        retry_after_seconds: window.retry_after_seconds,
        bypass_scopes: window.bypass_scopes.clone(),
    }
}
