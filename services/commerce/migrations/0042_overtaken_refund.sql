-- Refunds whose money went back otherwise: by a refund that was made at the provider, or by a dispute that was lost.

ALTER TABLE refund
    DROP CONSTRAINT refund_state_known,
    ADD CONSTRAINT refund_state_known
        CHECK (state IN ('requested', 'pending', 'needs_details', 'succeeded', 'failed', 'overtaken')),
    DROP CONSTRAINT refund_reason_known,
    -- late_part: a part of a late payment, after its whole refund was overtaken.
    ADD CONSTRAINT refund_reason_known
        CHECK (reason IN ('late', 'late_part', 'excess', 'buyer', 'outside', 'dispute', 'duplicate')),
    -- How often the provider has refused it. A refusal is repeated for the same idempotency key.
    ADD COLUMN refusals integer NOT NULL DEFAULT 0;

ALTER TABLE journal
    DROP CONSTRAINT journal_kind_known,
    ADD CONSTRAINT journal_kind_known CHECK (
        kind IN (
            'order_placed', 'order_ended', 'payment_received', 'late_payment_received', 'refund_paid', 'refund_failed',
            'transfer_received', 'transfer_applied', 'transfer_returned', 'refund_agreed', 'outside_refund',
            'fee_charged', 'payout_sent', 'dispute_opened', 'dispute_won', 'dispute_lost', 'refund_overtaken',
            'late_dispute_lost', 'refund_paid_by_hand'
        )
    );
