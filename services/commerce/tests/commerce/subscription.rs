//! Subscriptions.

mod period;
mod state;
