//! The steps of a sequence.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any};
use proptest::prop_oneof;
use proto::commerce::PaymentMethod;
use time::Duration;

/// The number of buyers and of products in a sequence.
pub(super) const BUYERS: usize = 2;
pub(super) const PRODUCTS: [i64; 4] = [1101, 1102, 1103, 3001];
/// 900 yen for one order, and 10 % once for each buyer.
pub(super) const COUPONS: [i64; 2] = [40, 41];
/// The maximum number of steps after the first purchases.
const LENGTH: usize = 14;

/// The payment that a buyer makes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Whole,
    /// By card, which is declined.
    Less,
    /// By card, whose refunds take a minute.
    More,
}

/// A step. Numbers select one of the orders so far. A step without an order, or a refused one, has
/// no effect.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Order {
        buyer: usize,
        product: usize,
        /// A second product.
        other: Option<usize>,
        method: PaymentMethod,
        /// Which of [`COUPONS`] are applied.
        coupons: [bool; 2],
    },
    Pay {
        order: usize,
        part: Part,
    },
    /// The buyer returns to the order's page.
    Look {
        order: usize,
    },
    /// The buyer starts another payment attempt.
    PayAgain {
        order: usize,
        method: PaymentMethod,
    },
    Cancel {
        order: usize,
    },
    /// Of all lines, or of the first one.
    Refund {
        order: usize,
        whole: bool,
    },
    /// A refund at the provider, of all that is left or of a part.
    RefundOutside {
        order: usize,
        whole: bool,
    },
    /// The buyer's bank sends a refund back.
    FailRefund {
        order: usize,
    },
    Dispute {
        order: usize,
    },
    DecideDispute {
        order: usize,
        won: bool,
    },
    CancelSubscription {
        order: usize,
    },
    /// Sends the events so far, each `copies` times. With 0 copies, they are lost.
    SendEvents {
        newest_first: bool,
        copies: usize,
    },
    /// commerce runs its queues, and lms receives the grants.
    Work,
    Wait(Duration),
}

/// Sequences: a purchase that is usually paid, then more steps.
pub(super) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let rest = vec(any_step(), 2..LENGTH);
    (purchase(), prop_oneof![purchase(), vec(any_step(), 0..3)], rest)
        .prop_map(|(first, second, rest)| [first, second, rest].concat())
}

/// An order and its payment, usually followed by commerce's processing.
fn purchase() -> impl Strategy<Value = Vec<Step>> {
    let learns = prop_oneof![
        3 => Just(vec![Step::SendEvents { newest_first: false, copies: 1 }, Step::Work]),
        2 => Just(vec![Step::SendEvents { newest_first: true, copies: 2 }, Step::Work]),
        2 => Just(vec![Step::Wait(Duration::minutes(5)), Step::Work]),
        1 => Just(Vec::new()),
    ];
    (order(), part(), learns, any::<u8>()).prop_map(|(order, part, learns, number)| {
        let pay = Step::Pay { order: usize::from(number), part };
        [vec![order, pay], learns].concat()
    })
}

fn order() -> impl Strategy<Value = Step> {
    let other = prop_oneof![3 => Just(None), 1 => (0..PRODUCTS.len()).prop_map(Some)];
    let coupons = prop_oneof![
        4 => Just([false, false]),
        3 => Just([true, false]),
        2 => Just([false, true]),
        1 => Just([true, true]),
    ];
    (0..BUYERS, 0..PRODUCTS.len(), other, method(), coupons).prop_map(
        |(buyer, product, other, method, coupons)| Step::Order { buyer, product, other, method, coupons },
    )
}

fn method() -> impl Strategy<Value = PaymentMethod> {
    prop_oneof![
        5 => Just(PaymentMethod::Card),
        2 => Just(PaymentMethod::BankTransfer),
        2 => Just(PaymentMethod::Konbini),
    ]
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![5 => Just(Part::Whole), 1 => Just(Part::Less), 2 => Just(Part::More)]
}

fn any_step() -> impl Strategy<Value = Step> {
    let number = || any::<u8>().prop_map(usize::from);
    let pay = (number(), part()).prop_map(|(order, part)| Step::Pay { order, part });
    let pay_again = (number(), method()).prop_map(|(order, method)| Step::PayAgain { order, method });
    let refund = (number(), any::<bool>()).prop_map(|(order, whole)| Step::Refund { order, whole });
    let outside = (number(), any::<bool>()).prop_map(|(order, whole)| Step::RefundOutside { order, whole });
    let decide = (number(), any::<bool>()).prop_map(|(order, won)| Step::DecideDispute { order, won });
    let events = (any::<bool>(), prop_oneof![4 => Just(1_usize), 3 => Just(2), 2 => Just(0)])
        .prop_map(|(newest_first, copies)| Step::SendEvents { newest_first, copies });
    let wait = prop_oneof![
        2 => Just(Duration::seconds(2)),
        3 => Just(Duration::minutes(3)),
        1 => Just(Duration::minutes(45)),
        1 => Just(Duration::days(1)),
        1 => Just(Duration::days(5)),
        1 => Just(Duration::days(9)),
        1 => Just(Duration::days(31)),
    ];
    prop_oneof![
        3 => order(),
        5 => pay,
        3 => number().prop_map(|order| Step::Look { order }),
        1 => pay_again,
        1 => number().prop_map(|order| Step::Cancel { order }),
        3 => refund,
        4 => outside,
        2 => number().prop_map(|order| Step::FailRefund { order }),
        3 => number().prop_map(|order| Step::Dispute { order }),
        2 => decide,
        1 => number().prop_map(|order| Step::CancelSubscription { order }),
        4 => events,
        5 => Just(Step::Work),
        3 => wait.prop_map(Step::Wait),
    ]
}

/// A sentence.
impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order { buyer, product, other, method, coupons } => {
                write!(formatter, "buyer {buyer} orders product {}", PRODUCTS[*product])?;
                if let Some(other) = other {
                    write!(formatter, " and product {}", PRODUCTS[*other])?;
                }
                write!(formatter, " by {method:?}")?;
                for (coupon, _) in COUPONS.iter().zip(coupons).filter(|(_, is_applied)| **is_applied) {
                    write!(formatter, " with coupon {coupon}")?;
                }
                Ok(())
            }
            Self::Pay { order, part } => write!(formatter, "order #{order} is paid: {part:?}"),
            Self::Look { order } => write!(formatter, "the buyer looks at order #{order}"),
            Self::PayAgain { order, method } => {
                write!(formatter, "the buyer of order #{order} wants to pay by {method:?}")
            }
            Self::Cancel { order } => write!(formatter, "the buyer cancels order #{order}"),
            Self::Refund { order, whole } => {
                let part = if *whole { "all lines" } else { "the first line" };
                write!(formatter, "the buyer asks for a refund of {part} of order #{order}")
            }
            Self::RefundOutside { order, whole } => {
                let part = if *whole { "all that is left" } else { "1,000 yen" };
                write!(formatter, "{part} of order #{order} is refunded at the provider")
            }
            Self::FailRefund { order } => write!(formatter, "a bank sends a refund of order #{order} back"),
            Self::Dispute { order } => write!(formatter, "a bank disputes order #{order}"),
            Self::DecideDispute { order, won } => {
                write!(formatter, "the dispute of order #{order} is {}", if *won { "won" } else { "lost" })
            }
            Self::CancelSubscription { order } => {
                write!(formatter, "the subscription of order #{order} is cancelled")
            }
            Self::SendEvents { newest_first, copies } => {
                let order = if *newest_first { "newest first" } else { "oldest first" };
                match copies {
                    0 => write!(formatter, "the provider's events so far are lost"),
                    copies => {
                        write!(formatter, "the provider's events so far are sent {copies} times, {order}")
                    }
                }
            }
            Self::Work => write!(formatter, "commerce works on what is due"),
            Self::Wait(time) => write!(formatter, "{time} pass"),
        }
    }
}
