//! Faults that the sandbox simulates on request.

use serde::{Deserialize, Serialize};

/// The current fault of webhook events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WebhookFault {
    #[default]
    None,
    /// Events are never sent.
    Lost,
    /// Each event is sent twice.
    Doubled,
    /// Events are sent 15 s late.
    Late,
    /// Events wait for 3 s, and the newest is sent first.
    OutOfOrder,
}

impl WebhookFault {
    pub(crate) const ALL: [Self; 5] = [Self::None, Self::Lost, Self::Doubled, Self::Late, Self::OutOfOrder];

    /// The name in the form.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lost => "lost",
            Self::Doubled => "doubled",
            Self::Late => "late",
            Self::OutOfOrder => "out_of_order",
        }
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::None => "正常に送る",
            Self::Lost => "送らない",
            Self::Doubled => "2回ずつ送る",
            Self::Late => "15秒遅らせる",
            Self::OutOfOrder => "順番を逆にする",
        }
    }
}

/// The current fault of API responses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AnswerFault {
    #[default]
    None,
    /// 503, without an effect.
    Unavailable,
    /// The request takes effect at once, and the response is late.
    Slow,
}

impl AnswerFault {
    pub(crate) const ALL: [Self; 3] = [Self::None, Self::Unavailable, Self::Slow];

    /// The name in the form.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Unavailable => "unavailable",
            Self::Slow => "slow",
        }
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::None => "正常に答える",
            Self::Unavailable => "503を返す",
            Self::Slow => "処理してから遅れて答える",
        }
    }
}
