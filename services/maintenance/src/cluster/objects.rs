//! The objects that follower and reporter share.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::crd::MaintenanceWindow;

/// Field manager of statuses in `metadata.managedFields`, and reporter of events.
pub(super) const MANAGER: &str = "maintenance";
/// Timeout of a request to the API server.
pub(super) const LIMIT: Duration = Duration::from_secs(10);

/// An object of Kubernetes.
#[derive(Clone, Debug)]
pub(super) struct DeclaredWindow {
    pub(super) object: MaintenanceWindow,
    /// Revision of the first list with the object's generation; `None` before that list.
    pub(super) revision: Option<u64>,
}

/// All objects by name.
pub(super) type Objects = Arc<BTreeMap<String, DeclaredWindow>>;
