-- Saved cards, and subscriptions with their renewals.

-- Cards at the provider, one for each account: the newest.
CREATE TABLE card (
    -- The provider's PaymentMethod.
    payment_method text CONSTRAINT card_pkey PRIMARY KEY,
    -- NULL: it was replaced or removed, and is still to be detached at the provider.
    account_id uuid CONSTRAINT card_account_id_key UNIQUE,
    brand text NOT NULL,
    last4 text NOT NULL,
    exp_month smallint NOT NULL,
    exp_year smallint NOT NULL,
    -- By the provider's clock. An older card never replaces a newer one.
    created_at timestamptz NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    -- When it is detached. Also the end of a worker's lease.
    next_try_at timestamptz,
    CONSTRAINT card_detached CHECK ((account_id IS NULL) = (next_try_at IS NOT NULL))
);
CREATE INDEX card_next_try_at ON card (next_try_at) WHERE next_try_at IS NOT NULL;

-- The provider's page on which an account enters a card: the last one of the account.
CREATE TABLE card_setup (
    account_id uuid CONSTRAINT card_setup_pkey PRIMARY KEY,
    -- The Checkout Session.
    session text NOT NULL CONSTRAINT card_setup_session_key UNIQUE,
    -- When its page closes.
    expires_at timestamptz NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    -- When the provider is asked about it. Also the end of a worker's lease.
    next_try_at timestamptz NOT NULL
);
CREATE INDEX card_setup_next_try_at ON card_setup (next_try_at);

CREATE TABLE subscription (
    id uuid CONSTRAINT subscription_pkey PRIMARY KEY,
    -- NULL once the account was erased.
    account_id uuid,
    -- The order of its first period.
    order_id uuid NOT NULL CONSTRAINT subscription_order_id_fkey REFERENCES orders,
    product_id bigint NOT NULL,
    -- As it was ordered. Whole yen a month, tax included.
    name text NOT NULL,
    price integer NOT NULL CONSTRAINT subscription_price CHECK (price > 0),
    learner_id uuid NOT NULL,
    learner_name text NOT NULL,
    -- For the orders and emails of renewals.
    buyer_name text NOT NULL,
    buyer_email text NOT NULL,
    state text NOT NULL CONSTRAINT subscription_state_known
        CHECK (state IN ('incomplete', 'active', 'past_due', 'cancel_scheduled', 'ended')),
    -- The day in Tokyo from which its periods are counted.
    anchor date,
    -- The last period that was paid.
    period integer NOT NULL DEFAULT 0 CONSTRAINT subscription_period CHECK (period >= 0),
    period_start timestamptz,
    period_end timestamptz,
    started_at timestamptz,
    ended_at timestamptz,
    -- The period whose end was announced.
    noticed_period integer NOT NULL DEFAULT 0,
    -- Whether the account of its buyer or its learner was erased.
    is_ending boolean NOT NULL DEFAULT false,
    -- When it is looked at next. Also the end of a worker's lease.
    next_run_at timestamptz,
    runs integer NOT NULL DEFAULT 0,
    CONSTRAINT subscription_started CHECK (
        (state IN ('active', 'past_due', 'cancel_scheduled')) <= (started_at IS NOT NULL)
        AND (started_at IS NOT NULL) = (anchor IS NOT NULL AND period_start IS NOT NULL AND period_end IS NOT NULL)
    ),
    CONSTRAINT subscription_ended CHECK ((state = 'ended') = (ended_at IS NOT NULL))
);
CREATE INDEX subscription_of_account ON subscription (account_id, id DESC);
CREATE INDEX subscription_order_id ON subscription (order_id);
CREATE INDEX subscription_learner_id ON subscription (learner_id);
CREATE INDEX subscription_next_run_at ON subscription (next_run_at) WHERE next_run_at IS NOT NULL;
-- A learner has a product once, whoever pays for it.
CREATE UNIQUE INDEX subscription_once ON subscription (product_id, learner_id) WHERE state <> 'ended';

ALTER TABLE orders
    -- The subscription that it renews, and for which period: a period has one order.
    ADD COLUMN renews uuid CONSTRAINT orders_renews_fkey REFERENCES subscription,
    ADD COLUMN renewal_period integer,
    ADD CONSTRAINT orders_renewal CHECK ((renews IS NULL) = (renewal_period IS NULL)),
    ADD CONSTRAINT orders_renewal_once UNIQUE (renews, renewal_period);
-- Renewals come beside what the buyer orders.
DROP INDEX orders_one_open;
CREATE UNIQUE INDEX orders_one_open ON orders (account_id) WHERE state = 'awaiting_payment' AND renews IS NULL;

ALTER TABLE payment
    -- The saved card that it is made with: every try has the same.
    ADD COLUMN card text,
    -- Whether the buyer is not there to prove with 3-D Secure who they are.
    ADD COLUMN is_off_session boolean NOT NULL DEFAULT false;
