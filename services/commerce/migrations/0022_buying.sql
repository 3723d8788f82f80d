-- Carts, orders, payments, and the ledger.

-- A product in the cart of an account, for a learner.
CREATE TABLE cart_line (
    id uuid CONSTRAINT cart_line_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    product_id bigint NOT NULL CONSTRAINT cart_line_product_id_fkey REFERENCES product,
    learner_id uuid NOT NULL,
    added_at timestamptz NOT NULL,
    -- Also moved by a change of the learner.
    touched_at timestamptz NOT NULL,
    CONSTRAINT cart_line_once UNIQUE (account_id, product_id, learner_id)
);
CREATE INDEX cart_line_touched_at ON cart_line (touched_at);

-- Orders. `order` is a keyword of SQL.
CREATE TABLE orders (
    id uuid CONSTRAINT orders_pkey PRIMARY KEY,
    -- For people: KM-, the day in Tokyo, five characters.
    number text NOT NULL CONSTRAINT orders_number_key UNIQUE,
    account_id uuid NOT NULL,
    state text NOT NULL CONSTRAINT orders_state_known
        CHECK (state IN ('awaiting_payment', 'paid', 'fulfilled', 'expired', 'cancelled')),
    buyer_name text NOT NULL,
    buyer_email text NOT NULL,
    -- Whole yen, tax included.
    total integer NOT NULL CONSTRAINT orders_total CHECK (total > 0),
    tax integer NOT NULL CONSTRAINT orders_tax CHECK (tax BETWEEN 0 AND total),
    -- The page that the buyer agreed to, byte for byte, and the SHA-256 of it.
    confirmation bytea NOT NULL,
    confirmation_digest bytea NOT NULL,
    placed_at timestamptz NOT NULL,
    -- When it expires unpaid.
    due_at timestamptz NOT NULL,
    paid_at timestamptz,
    fulfilled_at timestamptz,
    -- When it expired or was cancelled.
    ended_at timestamptz,
    -- When the payment of an open order, or the delivery of a paid one, is looked at next; NULL where nothing is left to do.
    -- Also the end of a worker's lease.
    next_check_at timestamptz,
    checks integer NOT NULL DEFAULT 0,
    -- When the provider was last asked because the buyer wanted to know.
    asked_at timestamptz,
    -- The trace of the request that placed it.
    traceparent text,
    -- The receipt.
    receipt_addressee text,
    receipt_issues integer NOT NULL DEFAULT 0 CONSTRAINT orders_receipt_issues CHECK (receipt_issues >= 0),
    receipt_issued_at timestamptz,
    CONSTRAINT orders_paid CHECK ((state IN ('paid', 'fulfilled')) = (paid_at IS NOT NULL)),
    CONSTRAINT orders_ended CHECK ((state IN ('expired', 'cancelled')) = (ended_at IS NOT NULL))
);
CREATE INDEX orders_of_account ON orders (account_id, placed_at DESC, id DESC);
-- Pressing twice, two tabs, two devices: one order.
CREATE UNIQUE INDEX orders_one_open ON orders (account_id) WHERE state = 'awaiting_payment';
CREATE INDEX orders_next_check_at ON orders (next_check_at) WHERE next_check_at IS NOT NULL;

CREATE TABLE order_line (
    order_id uuid NOT NULL CONSTRAINT order_line_order_id_fkey REFERENCES orders,
    -- From 1, in the order of the confirmation.
    n smallint NOT NULL,
    product_id bigint NOT NULL,
    course_id bigint,
    name text NOT NULL,
    -- Whole yen, tax included.
    price integer NOT NULL CONSTRAINT order_line_price CHECK (price > 0),
    period_days integer,
    learner_id uuid NOT NULL,
    learner_name text NOT NULL,
    -- The event that grants it, once the order is paid.
    grant_event uuid,
    CONSTRAINT order_line_pkey PRIMARY KEY (order_id, n)
);

-- An attempt to pay an order at the provider.
CREATE TABLE payment (
    id uuid CONSTRAINT payment_pkey PRIMARY KEY,
    order_id uuid NOT NULL CONSTRAINT payment_order_id_fkey REFERENCES orders,
    -- From 1. `number:attempt` is the idempotency key at the provider.
    attempt integer NOT NULL CONSTRAINT payment_attempt CHECK (attempt > 0),
    method text NOT NULL CONSTRAINT payment_method_known CHECK (method IN ('card')),
    state text NOT NULL CONSTRAINT payment_state_known CHECK (
        state IN ('created', 'unknown', 'requires_action', 'succeeded', 'failed', 'cancelled', 'expired')
    ),
    -- Whole yen.
    amount integer NOT NULL CONSTRAINT payment_amount CHECK (amount > 0),
    -- The Checkout Session and its PaymentIntent, once the provider named them.
    session text CONSTRAINT payment_session_key UNIQUE,
    intent text CONSTRAINT payment_intent_key UNIQUE,
    -- The provider's page.
    page_url text,
    -- When the provider closes its page.
    page_expires_at timestamptz NOT NULL,
    decline_code text,
    created_at timestamptz NOT NULL,
    settled_at timestamptz,
    CONSTRAINT payment_once UNIQUE (order_id, attempt)
);
CREATE UNIQUE INDEX payment_one_open ON payment (order_id) WHERE state IN ('created', 'unknown', 'requires_action');

-- Money that goes back: a success that came after its order had ended, or beside another success.
CREATE TABLE refund (
    id uuid CONSTRAINT refund_pkey PRIMARY KEY,
    -- A payment is returned whole, once.
    payment_id uuid NOT NULL CONSTRAINT refund_payment_id_fkey REFERENCES payment CONSTRAINT refund_once UNIQUE,
    amount integer NOT NULL CONSTRAINT refund_amount CHECK (amount > 0),
    state text NOT NULL CONSTRAINT refund_state_known CHECK (state IN ('requested', 'pending', 'succeeded', 'failed')),
    -- The provider's refund, once it named it.
    provider_refund text CONSTRAINT refund_provider_refund_key UNIQUE,
    requested_at timestamptz NOT NULL,
    settled_at timestamptz,
    tries integer NOT NULL DEFAULT 0,
    next_try_at timestamptz
);
CREATE INDEX refund_next_try_at ON refund (next_try_at) WHERE next_try_at IS NOT NULL;

-- Webhook events of the provider, stored before they are acted on.
CREATE TABLE provider_event (
    id text CONSTRAINT provider_event_pkey PRIMARY KEY,
    type text NOT NULL,
    -- The object that the event is about, which is asked for again.
    object_id text NOT NULL,
    -- The body as it arrived.
    body bytea NOT NULL,
    received_at timestamptz NOT NULL,
    traceparent text,
    processed_at timestamptz,
    tries integer NOT NULL DEFAULT 0,
    -- Also the end of a worker's lease; NULL once it is processed.
    next_try_at timestamptz
);
CREATE INDEX provider_event_next_try_at ON provider_event (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX provider_event_received_at ON provider_event (received_at);

-- The ledger, in double entry. Debits are positive, credits negative; the postings of a journal sum to zero.
CREATE TABLE ledger_account (
    id smallint CONSTRAINT ledger_account_pkey PRIMARY KEY,
    code text NOT NULL CONSTRAINT ledger_account_code_key UNIQUE
);
INSERT INTO ledger_account (id, code) VALUES
    (1, 'receivable'), (2, 'provider_cash'), (3, 'revenue'), (4, 'tax'), (5, 'refund_payable');

CREATE TABLE journal (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT journal_pkey PRIMARY KEY,
    kind text NOT NULL CONSTRAINT journal_kind_known CHECK (
        kind IN ('order_placed', 'order_ended', 'payment_received', 'late_payment_received', 'refund_paid', 'refund_failed')
    ),
    -- What happened: a second journal of the same is refused.
    subject uuid NOT NULL,
    order_id uuid NOT NULL CONSTRAINT journal_order_id_fkey REFERENCES orders,
    at timestamptz NOT NULL,
    CONSTRAINT journal_once UNIQUE (kind, subject)
);
CREATE INDEX journal_order_id ON journal (order_id);

CREATE TABLE posting (
    journal_id bigint NOT NULL CONSTRAINT posting_journal_id_fkey REFERENCES journal,
    n smallint NOT NULL,
    account smallint NOT NULL CONSTRAINT posting_account_fkey REFERENCES ledger_account,
    -- Whole yen.
    amount bigint NOT NULL CONSTRAINT posting_amount CHECK (amount <> 0),
    CONSTRAINT posting_pkey PRIMARY KEY (journal_id, n)
);

-- All postings of a journal are added by one statement, so that their sum can be checked at its end.
CREATE FUNCTION check_posting_sum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM posting WHERE journal_id IN (SELECT journal_id FROM added)
            GROUP BY journal_id HAVING sum(amount) <> 0) THEN
        RAISE EXCEPTION 'the postings of a journal do not sum to zero' USING ERRCODE = 'check_violation',
            CONSTRAINT = 'posting_sum';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER posting_sum AFTER INSERT ON posting REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION check_posting_sum();

CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is only added to' USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_append_only';
END $$;
CREATE TRIGGER posting_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON posting
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

-- Answers of requests with an idempotency key (kit_db::idempotency).
CREATE TABLE idempotency (
    key bytea CONSTRAINT idempotency_pkey PRIMARY KEY,
    body_hash bytea NOT NULL,
    answer bytea NOT NULL,
    created timestamptz NOT NULL
);
CREATE INDEX idempotency_created ON idempotency (created);
