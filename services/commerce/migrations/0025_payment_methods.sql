-- More ways to pay, discounts, refunds that a buyer asks for, and the accounts of the ledger that they need.

ALTER TABLE payment
    DROP CONSTRAINT payment_method_known,
    ADD CONSTRAINT payment_method_known
        CHECK (method IN ('card', 'konbini', 'bank_transfer', 'saved_card', 'coupon')),
    DROP CONSTRAINT payment_state_known,
    ADD CONSTRAINT payment_state_known CHECK (
        state IN (
            'created', 'unknown', 'requires_action', 'part_funded', 'succeeded', 'failed', 'cancelled', 'expired'
        )
    ),
    -- 0 if coupons cover the order.
    DROP CONSTRAINT payment_amount,
    ADD CONSTRAINT payment_amount CHECK (amount >= 0);
DROP INDEX payment_one_open;
CREATE UNIQUE INDEX payment_one_open ON payment (order_id)
    WHERE state IN ('created', 'unknown', 'requires_action', 'part_funded');

ALTER TABLE orders
    DROP CONSTRAINT orders_state_known,
    ADD CONSTRAINT orders_state_known CHECK (
        state IN ('awaiting_payment', 'paid', 'fulfilled', 'expired', 'cancelled', 'part_refunded', 'refunded')
    ),
    DROP CONSTRAINT orders_paid,
    ADD CONSTRAINT orders_paid CHECK (
        (state IN ('paid', 'fulfilled', 'part_refunded', 'refunded')) = (paid_at IS NOT NULL)
    ),
    -- Whole yen: what coupons take off. `total` is what is left to pay.
    ADD COLUMN discount integer NOT NULL DEFAULT 0 CONSTRAINT orders_discount CHECK (discount >= 0),
    DROP CONSTRAINT orders_total,
    ADD CONSTRAINT orders_total CHECK (total >= 0);

ALTER TABLE order_line
    -- Whole yen: the line's part of the order's discount.
    ADD COLUMN discount integer NOT NULL DEFAULT 0
        CONSTRAINT order_line_discount CHECK (discount BETWEEN 0 AND price);

INSERT INTO ledger_account (id, code) VALUES
    (6, 'discount'), (7, 'customer_balance'), (8, 'refund'), (9, 'provider_fee'), (10, 'payout'), (11, 'dispute');

ALTER TABLE journal
    -- NULL for what belongs to no order: payouts, and transfers that match none.
    ALTER COLUMN order_id DROP NOT NULL,
    DROP CONSTRAINT journal_kind_known,
    ADD CONSTRAINT journal_kind_known CHECK (
        kind IN (
            'order_placed', 'order_ended', 'payment_received', 'late_payment_received', 'refund_paid', 'refund_failed',
            'transfer_received', 'transfer_applied', 'transfer_returned', 'refund_agreed', 'outside_refund',
            'fee_charged', 'payout_sent', 'dispute_opened', 'dispute_won'
        )
    );
