-- Refunds that a buyer asks for, refunds and disputes that are made at the provider, and return invoices.

-- The rules of refunds. A version is never changed: orders refer to the one that their buyer agreed to.
CREATE TABLE refund_policy (
    version smallint CONSTRAINT refund_policy_pkey PRIMARY KEY,
    -- Orders that are placed from this time on have it, unless a later version has started.
    starts_at timestamptz NOT NULL,
    -- All that was paid comes back until the end of this day in Tokyo; day 0 is that of the payment.
    full_days integer NOT NULL CONSTRAINT refund_policy_full_days CHECK (full_days >= 0),
    -- And only if fewer of the lessons were opened, in percent.
    full_below_percent integer NOT NULL
        CONSTRAINT refund_policy_full_below_percent CHECK (full_below_percent BETWEEN 0 AND 100)
);
INSERT INTO refund_policy (version, starts_at, full_days, full_below_percent) VALUES (1, '-infinity', 8, 20);

ALTER TABLE orders
    ADD COLUMN refund_policy smallint NOT NULL DEFAULT 1
        CONSTRAINT orders_refund_policy_fkey REFERENCES refund_policy;

ALTER TABLE refund
    -- 0 for lines that cost nothing.
    DROP CONSTRAINT refund_amount,
    ADD CONSTRAINT refund_amount CHECK (amount >= 0),
    DROP CONSTRAINT refund_state_known,
    ADD CONSTRAINT refund_state_known
        CHECK (state IN ('requested', 'pending', 'needs_details', 'succeeded', 'failed')),
    -- Yen of tax in `amount`; 0 if it was no sale.
    ADD COLUMN tax integer NOT NULL DEFAULT 0 CONSTRAINT refund_tax CHECK (tax BETWEEN 0 AND amount),
    -- The failed refund whose money this one returns.
    ADD COLUMN replaces uuid CONSTRAINT refund_replaces_fkey REFERENCES refund
        CONSTRAINT refund_replaces_key UNIQUE,
    -- The return invoice, once the money went back: H-, the rest of the order's number, and a number from 1.
    ADD COLUMN invoice_number text CONSTRAINT refund_invoice_number_key UNIQUE,
    ADD COLUMN invoiced_at timestamptz;

-- What was refunded of each line. A line is refunded once.
CREATE TABLE refund_line (
    order_id uuid NOT NULL,
    n smallint NOT NULL,
    refund_id uuid NOT NULL CONSTRAINT refund_line_refund_id_fkey REFERENCES refund,
    -- Whole yen, tax included.
    amount integer NOT NULL CONSTRAINT refund_line_amount CHECK (amount >= 0),
    CONSTRAINT refund_line_pkey PRIMARY KEY (order_id, n),
    CONSTRAINT refund_line_order_line_fkey FOREIGN KEY (order_id, n) REFERENCES order_line
);
CREATE INDEX refund_line_refund_id ON refund_line (refund_id);

-- Payments that their card's bank takes back.
CREATE TABLE dispute (
    id uuid CONSTRAINT dispute_pkey PRIMARY KEY,
    payment_id uuid NOT NULL CONSTRAINT dispute_payment_id_fkey REFERENCES payment,
    -- The provider's dispute.
    provider_dispute text NOT NULL CONSTRAINT dispute_provider_dispute_key UNIQUE,
    amount integer NOT NULL CONSTRAINT dispute_amount CHECK (amount > 0),
    state text NOT NULL CONSTRAINT dispute_state_known CHECK (state IN ('open', 'won', 'lost')),
    opened_at timestamptz NOT NULL,
    settled_at timestamptz,
    tries integer NOT NULL DEFAULT 0,
    -- When the provider is asked again; NULL once it is settled. Also the end of a worker's lease.
    next_try_at timestamptz
);
CREATE INDEX dispute_payment_id ON dispute (payment_id);
CREATE INDEX dispute_next_try_at ON dispute (next_try_at) WHERE next_try_at IS NOT NULL;

ALTER TABLE journal
    DROP CONSTRAINT journal_kind_known,
    ADD CONSTRAINT journal_kind_known CHECK (
        kind IN (
            'order_placed', 'order_ended', 'payment_received', 'late_payment_received', 'refund_paid', 'refund_failed',
            'transfer_received', 'transfer_applied', 'transfer_returned', 'refund_agreed', 'outside_refund',
            'fee_charged', 'payout_sent', 'dispute_opened', 'dispute_won', 'dispute_lost'
        )
    );
