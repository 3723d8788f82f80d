//! The ledger, in double entry: debits are positive, credits negative, and each journal sums to
//! zero. Journals are append-only. Booking the same entry again changes nothing.

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

/// An account of the ledger. The discriminant is its id in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i16)]
enum Account {
    /// Money that buyers owe.
    Receivable = 1,
    /// Money that the provider has collected.
    ProviderCash = 2,
    Revenue = 3,
    /// Consumption tax.
    Tax = 4,
    /// Money to return to buyers.
    RefundPayable = 5,
    /// Discounts of coupons, tax included.
    Discount = 6,
    /// Money that buyers have transferred and that is neither applied nor being returned.
    CustomerBalance = 7,
    /// Sales that were refunded.
    Refund = 8,
    /// Fees of the provider.
    ProviderFee = 9,
    /// Money that the provider has paid out to the school's bank account, less refunds that the
    /// school paid from there.
    Payout = 10,
    /// Money that card banks hold during disputes.
    Dispute = 11,
}

/// An event to book.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// An order was placed. `total` is the amount due after the discount, and `tax` the tax in it.
    OrderPlaced { total: i32, discount: i32, tax: i32 },
    /// An order ended unpaid. Reverses its `OrderPlaced`.
    OrderEnded { total: i32, discount: i32, tax: i32 },
    /// A payment of an order was received.
    PaymentReceived { payment: Uuid, amount: i32 },
    /// A payment was received for no open order.
    LatePaymentReceived { payment: Uuid, amount: i32 },
    /// Money was returned.
    RefundPaid { refund: Uuid, amount: i32 },
    /// The school returned the money of a failed refund from its own bank account.
    RefundPaidByHand { refund: Uuid, amount: i32 },
    /// A paid refund came back. Reverses its `RefundPaid`.
    RefundFailed { refund: Uuid, amount: i32 },
    /// A sale or a part of it is refunded.
    RefundAgreed { refund: Uuid, amount: i32, tax: i32 },
    /// The money of a refund was returned by other means. Reverses its `RefundAgreed`.
    RefundOvertaken { refund: Uuid, amount: i32, tax: i32 },
    /// A sale was refunded at the provider.
    OutsideRefund { refund: Uuid, amount: i32, tax: i32 },
    /// The bank of a card took money back until it decides.
    DisputeOpened { dispute: Uuid, amount: i32 },
    /// The bank returned the money to the school. Reverses its `DisputeOpened`.
    DisputeWon { dispute: Uuid, amount: i32 },
    /// The bank returned the money to the buyer: the sale is refunded.
    DisputeLost { refund: Uuid, amount: i32, tax: i32 },
    /// The same for a payment without an open order: the dispute settles its refund.
    LateDisputeLost { refund: Uuid, amount: i32 },
    /// The provider charged a fee or returned it. `entry`: the balance transaction.
    FeeCharged { entry: Uuid, amount: i64 },
    /// The provider paid money out to the school's bank account.
    PayoutSent { entry: Uuid, amount: i64 },
    /// A bank transfer arrived.
    TransferReceived { transfer: Uuid, amount: i32 },
    /// Bank transfers paid their order.
    TransferApplied { payment: Uuid, amount: i32 },
    /// Money of bank transfers is to be returned.
    TransferReturned { refund: Uuid, amount: i32 },
}

impl Entry {
    fn kind(self) -> &'static str {
        match self {
            Self::OrderPlaced { .. } => "order_placed",
            Self::OrderEnded { .. } => "order_ended",
            Self::PaymentReceived { .. } => "payment_received",
            Self::LatePaymentReceived { .. } => "late_payment_received",
            Self::RefundPaid { .. } => "refund_paid",
            Self::RefundPaidByHand { .. } => "refund_paid_by_hand",
            Self::RefundFailed { .. } => "refund_failed",
            Self::RefundAgreed { .. } => "refund_agreed",
            Self::RefundOvertaken { .. } => "refund_overtaken",
            Self::OutsideRefund { .. } => "outside_refund",
            Self::DisputeOpened { .. } => "dispute_opened",
            Self::DisputeWon { .. } => "dispute_won",
            Self::DisputeLost { .. } => "dispute_lost",
            Self::LateDisputeLost { .. } => "late_dispute_lost",
            Self::FeeCharged { .. } => "fee_charged",
            Self::PayoutSent { .. } => "payout_sent",
            Self::TransferReceived { .. } => "transfer_received",
            Self::TransferApplied { .. } => "transfer_applied",
            Self::TransferReturned { .. } => "transfer_returned",
        }
    }

    /// The subject of the entry. An entry is booked once for its subject.
    fn subject(self, order: Uuid) -> Uuid {
        match self {
            Self::OrderPlaced { .. } | Self::OrderEnded { .. } => order,
            Self::PaymentReceived { payment, .. }
            | Self::LatePaymentReceived { payment, .. }
            | Self::TransferApplied { payment, .. } => payment,
            Self::RefundPaid { refund, .. }
            | Self::RefundPaidByHand { refund, .. }
            | Self::RefundFailed { refund, .. }
            | Self::RefundAgreed { refund, .. }
            | Self::RefundOvertaken { refund, .. }
            | Self::OutsideRefund { refund, .. }
            | Self::DisputeLost { refund, .. }
            | Self::LateDisputeLost { refund, .. }
            | Self::TransferReturned { refund, .. } => refund,
            Self::DisputeOpened { dispute, .. } | Self::DisputeWon { dispute, .. } => dispute,
            Self::FeeCharged { entry, .. } | Self::PayoutSent { entry, .. } => entry,
            Self::TransferReceived { transfer, .. } => transfer,
        }
    }

    fn postings(self) -> Vec<(Account, i64)> {
        let sale = |total: i32, discount: i32, tax: i32| {
            let (total, discount, tax) = (i64::from(total), i64::from(discount), i64::from(tax));
            vec![
                (Account::Receivable, total),
                (Account::Discount, discount),
                (Account::Revenue, tax - total - discount),
                (Account::Tax, -tax),
            ]
        };
        let transfer = |to: Account, from: Account, amount: i32| {
            vec![(to, i64::from(amount)), (from, -i64::from(amount))]
        };
        let take_back = |from: Account, amount: i32, tax: i32| {
            let (amount, tax) = (i64::from(amount), i64::from(tax));
            vec![(Account::Refund, amount - tax), (Account::Tax, tax), (from, -amount)]
        };
        match self {
            Self::OrderPlaced { total, discount, tax } => sale(total, discount, tax),
            Self::OrderEnded { total, discount, tax } => {
                sale(total, discount, tax).into_iter().map(|(account, amount)| (account, -amount)).collect()
            }
            Self::PaymentReceived { amount, .. } => {
                transfer(Account::ProviderCash, Account::Receivable, amount)
            }
            Self::LatePaymentReceived { amount, .. } | Self::RefundFailed { amount, .. } => {
                transfer(Account::ProviderCash, Account::RefundPayable, amount)
            }
            Self::RefundPaid { amount, .. } => {
                transfer(Account::RefundPayable, Account::ProviderCash, amount)
            }
            Self::RefundPaidByHand { amount, .. } => {
                transfer(Account::RefundPayable, Account::Payout, amount)
            }
            Self::RefundAgreed { amount, tax, .. } | Self::OutsideRefund { amount, tax, .. } => {
                take_back(Account::RefundPayable, amount, tax)
            }
            Self::RefundOvertaken { amount, tax, .. } => take_back(Account::RefundPayable, -amount, -tax),
            Self::DisputeOpened { amount, .. } => transfer(Account::Dispute, Account::ProviderCash, amount),
            Self::DisputeWon { amount, .. } => transfer(Account::ProviderCash, Account::Dispute, amount),
            Self::DisputeLost { amount, tax, .. } => take_back(Account::Dispute, amount, tax),
            Self::LateDisputeLost { amount, .. } => {
                transfer(Account::RefundPayable, Account::Dispute, amount)
            }
            Self::FeeCharged { amount, .. } => {
                vec![(Account::ProviderFee, amount), (Account::ProviderCash, -amount)]
            }
            Self::PayoutSent { amount, .. } => {
                vec![(Account::Payout, amount), (Account::ProviderCash, -amount)]
            }
            Self::TransferReceived { amount, .. } => {
                transfer(Account::ProviderCash, Account::CustomerBalance, amount)
            }
            Self::TransferApplied { amount, .. } => {
                transfer(Account::CustomerBalance, Account::Receivable, amount)
            }
            Self::TransferReturned { amount, .. } => {
                transfer(Account::CustomerBalance, Account::RefundPayable, amount)
            }
        }
    }
}

/// Books an entry of an order. Booking it again, or an entry of 0 yen, changes nothing.
pub(crate) async fn book_entry(
    connection: &mut PgConnection,
    order: Uuid,
    entry: Entry,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    book(connection, Some(order), entry.subject(order), entry, now).await
}

/// Books an entry that belongs to no order. Booking it again changes nothing.
pub(crate) async fn book_entry_of_provider(
    connection: &mut PgConnection,
    entry: Entry,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    book(connection, None, entry.subject(Uuid::nil()), entry, now).await
}

async fn book(
    connection: &mut PgConnection,
    order: Option<Uuid>,
    subject: Uuid,
    entry: Entry,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    // A total below 11 yen has no tax, and empty postings are left out.
    let postings = entry.postings().into_iter().filter(|(_, amount)| *amount != 0);
    let (accounts, amounts): (Vec<i16>, Vec<i64>) =
        postings.map(|(account, amount)| (account as i16, amount)).unzip();
    if accounts.is_empty() {
        return Ok(());
    }
    let journal = sqlx::query_scalar!(
        "
        INSERT INTO journal (kind, subject, order_id, at) VALUES ($1, $2, $3, $4)
        ON CONFLICT ON CONSTRAINT journal_once DO NOTHING
        RETURNING id
        ",
        entry.kind(),
        subject,
        order,
        now,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("INSERT journal"))
    .await?;
    let Some(journal) = journal else { return Ok(()) };
    sqlx::query!(
        "
        INSERT INTO posting (journal_id, n, account, amount)
        SELECT $1, posting.n, posting.account, posting.amount
        FROM unnest($2::smallint[], $3::bigint[]) WITH ORDINALITY AS posting (account, amount, n)
        ",
        journal,
        &accounts,
        &amounts,
    )
    .execute(connection)
    .instrument(span("INSERT posting"))
    .await?;
    Ok(())
}
