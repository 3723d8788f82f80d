//! The gRPC messages and clients of the services. The `.proto` files document them.

#![warn(missing_docs)]

pub mod event;
mod weekly_exams;

/// Every file, message, service and rpc, as an encoded `google.protobuf.FileDescriptorSet`.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// Accounts, sessions, keys.
pub mod auth {
    #![allow(missing_docs, deprecated, clippy::all, clippy::pedantic)]
    tonic::include_proto!("auth.v1");
}

/// Products, carts, orders.
pub mod commerce {
    #![allow(missing_docs, deprecated, clippy::all, clippy::pedantic)]
    tonic::include_proto!("commerce.v1");
}

/// Delivery of events between services.
pub mod common {
    #![allow(missing_docs, deprecated, clippy::all, clippy::pedantic)]
    tonic::include_proto!("common.v1");
}

/// Notices, answers, inquiries, success stories, entrance exams, mails, postal codes.
pub mod desk {
    #![allow(missing_docs, deprecated, clippy::all, clippy::pedantic)]
    tonic::include_proto!("desk.v1");
}

/// Mock exams.
pub mod exam {
    #![allow(missing_docs, deprecated, clippy::all, clippy::pedantic)]
    tonic::include_proto!("exam.v1");
}

/// Catalogue, inventory, marks, watching.
pub mod lms {
    #![allow(missing_docs, deprecated, clippy::all, clippy::pedantic)]
    tonic::include_proto!("lms.v1");
}

/// Maintenance windows.
pub mod maintenance {
    #![allow(missing_docs, deprecated, clippy::all, clippy::pedantic)]
    tonic::include_proto!("maintenance.v1");
}
