-- Payments at convenience stores and by bank transfer.

-- Customers at the provider. One has the bank account that only its buyer pays into, and the buyer's saved card.
CREATE TABLE customer (
    account_id uuid CONSTRAINT customer_pkey PRIMARY KEY,
    provider_customer text NOT NULL CONSTRAINT customer_provider_customer_key UNIQUE,
    created_at timestamptz NOT NULL
);

-- Customers of erased accounts, which are still to be deleted at the provider.
CREATE TABLE erased_customer (
    provider_customer text CONSTRAINT erased_customer_pkey PRIMARY KEY,
    erased_at timestamptz NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    -- Also the end of a worker's lease.
    next_try_at timestamptz NOT NULL
);
CREATE INDEX erased_customer_next_try_at ON erased_customer (next_try_at);

ALTER TABLE orders
    -- Family name and given name of the buyer in katakana, which senders of transfers are compared with.
    ADD COLUMN buyer_kana text NOT NULL DEFAULT '';

ALTER TABLE payment
    -- The provider's customer of a bank transfer. Here too, because it outlives the account.
    ADD COLUMN customer text,
    -- Where and how to pay: codes of convenience stores, or a bank account.
    ADD COLUMN instructions jsonb;
CREATE INDEX payment_customer ON payment (customer) WHERE customer IS NOT NULL;

-- Bank transfers that arrived in the cash balance of a customer.
CREATE TABLE transfer (
    id uuid CONSTRAINT transfer_pkey PRIMARY KEY,
    -- The provider's transaction: each is stored once.
    provider_transaction text NOT NULL CONSTRAINT transfer_provider_transaction_key UNIQUE,
    -- The open payment of the customer, or else the last one.
    payment_id uuid NOT NULL CONSTRAINT transfer_payment_id_fkey REFERENCES payment,
    -- Whole yen.
    amount integer NOT NULL CONSTRAINT transfer_amount CHECK (amount > 0),
    -- As the bank sent it. Empty once the account was erased.
    sender_name text NOT NULL,
    -- Whether the sender has another name than the buyer. Only shown.
    is_other_name boolean NOT NULL,
    -- held: in the cash balance, for its payment. applied: paid its order. returned: goes back to the sender.
    state text NOT NULL CONSTRAINT transfer_state_known CHECK (state IN ('held', 'applied', 'returned')),
    -- When it arrived at the provider.
    received_at timestamptz NOT NULL,
    stored_at timestamptz NOT NULL
);
CREATE INDEX transfer_payment_id ON transfer (payment_id);

-- The bank accounts of customers. Each is looked at now and then, because transfers also arrive without an open order.
CREATE TABLE transfer_account (
    provider_customer text CONSTRAINT transfer_account_pkey PRIMARY KEY,
    -- Until when transfers are looked for.
    watched_until timestamptz NOT NULL,
    -- Also the end of a worker's lease; NULL once nothing is looked for.
    next_check_at timestamptz,
    checks integer NOT NULL DEFAULT 0
);
CREATE INDEX transfer_account_next_check_at ON transfer_account (next_check_at) WHERE next_check_at IS NOT NULL;

ALTER TABLE refund
    -- late: its order had ended. excess: its order was paid.
    ADD COLUMN reason text NOT NULL DEFAULT 'late' CONSTRAINT refund_reason_known
        CHECK (reason IN ('late', 'excess', 'buyer', 'outside', 'dispute')),
    -- Whether it goes back from the cash balance of the payment's customer, and not from the payment.
    ADD COLUMN is_from_balance boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT refund_once;
-- A late payment goes back whole, once.
CREATE UNIQUE INDEX refund_of_late_payment ON refund (payment_id) WHERE reason = 'late' AND NOT is_from_balance;
CREATE INDEX refund_payment_id ON refund (payment_id);

-- Reminders of orders that await a payment, and when they are sent.
CREATE TABLE reminder (
    order_id uuid NOT NULL CONSTRAINT reminder_order_id_fkey REFERENCES orders,
    -- Before the last day.
    days_left smallint NOT NULL CONSTRAINT reminder_days_left CHECK (days_left > 0),
    -- Also the end of a worker's lease; NULL once it was sent or is not needed any more.
    next_try_at timestamptz,
    sent_at timestamptz,
    CONSTRAINT reminder_pkey PRIMARY KEY (order_id, days_left)
);
CREATE INDEX reminder_next_try_at ON reminder (next_try_at) WHERE next_try_at IS NOT NULL;

ALTER TABLE provider_event
    -- The customer of the object. Some objects can only be asked for by their customer.
    ADD COLUMN customer text;
