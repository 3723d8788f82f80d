//! The categories of notices, also for the command line.

pub(crate) const CATEGORIES: [&str; 4] = ["お知らせ", "講座", "イベント", "メンテナンス"];
