//! The callers that each rpc admits.

use kit::caller::Allowed::Services;
use kit::caller::{Row, Service};

/// One row for each rpc.
pub const CALLERS: &[Row] = &[
    ("/maintenance.v1.MaintenanceService/WatchWindows", Services(&[Service::Edge])),
    ("/maintenance.v1.MaintenanceService/ConfirmWindows", Services(&[Service::Edge])),
];
