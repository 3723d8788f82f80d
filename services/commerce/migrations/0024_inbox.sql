-- Events of other services, and the erasure of accounts.

-- The events that were taken, so that each is applied once.
CREATE TABLE inbox (
    event uuid CONSTRAINT inbox_pkey PRIMARY KEY,
    taken_at timestamptz NOT NULL
);
CREATE INDEX inbox_taken_at ON inbox (taken_at);

-- Erased accounts. A request that arrives after the erasure must not write rows of the account again.
CREATE TABLE erased_account (
    -- The id of the account. Not called account_id: this row must outlive the erasure.
    id uuid CONSTRAINT erased_account_pkey PRIMARY KEY,
    erased_at timestamptz NOT NULL
);
CREATE INDEX erased_account_erased_at ON erased_account (erased_at);

ALTER TABLE orders
    -- NULL once the account was erased: the books need the order, and no account can read it.
    ALTER COLUMN account_id DROP NOT NULL,
    -- Whether its account, or one of its learners, was erased before it was paid. It ends as soon as its page at the
    -- provider is closed, and a payment that arrives before that goes back.
    ADD COLUMN is_ending boolean NOT NULL DEFAULT false;

-- For the erasure of learners.
CREATE INDEX cart_line_learner_id ON cart_line (learner_id);
CREATE INDEX order_line_learner_id ON order_line (learner_id);
-- For the sweep: the orders of erased accounts that still have the buyer's name.
CREATE INDEX orders_of_erased_accounts ON orders (coalesce(paid_at, ended_at))
    WHERE account_id IS NULL AND buyer_name <> '';
