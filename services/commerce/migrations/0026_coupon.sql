-- Coupons: what they take off, who holds them, and what orders used them for.

-- Ids are chosen by whoever writes the content and never change; `commerce import` writes all of it.
CREATE TABLE coupon (
    id bigint CONSTRAINT coupon_pkey PRIMARY KEY,
    -- As the code field compares it: NFKC, upper case. Checked when a transaction ends, so that an import may swap codes.
    code text NOT NULL CONSTRAINT coupon_code_key UNIQUE DEFERRABLE INITIALLY DEFERRED,
    name text NOT NULL,
    description text NOT NULL,
    kind text NOT NULL CONSTRAINT coupon_kind_known CHECK (kind IN ('percent', 'fixed')),
    percent integer CONSTRAINT coupon_percent CHECK (percent BETWEEN 1 AND 100),
    -- Whole yen: the most that a percentage takes off; NULL: no limit.
    cap integer CONSTRAINT coupon_cap CHECK (cap > 0),
    -- Whole yen, of kind fixed.
    amount integer CONSTRAINT coupon_amount CHECK (amount > 0),
    -- Whole yen: the least that the lines in its scope cost together; NULL: no minimum.
    minimum integer CONSTRAINT coupon_minimum CHECK (minimum > 0),
    starts_at timestamptz NOT NULL,
    -- The first moment at which it is valid no more; NULL where no end is known.
    ends_at timestamptz,
    -- Empty: every kind of product. Never a subscription.
    product_kinds text[] NOT NULL,
    is_first_order_only boolean NOT NULL,
    -- Whether every account sees it, and can use it without its code.
    is_public boolean NOT NULL,
    per_account integer NOT NULL CONSTRAINT coupon_per_account CHECK (per_account > 0),
    -- How many orders may use it in all; NULL: no limit.
    total_uses integer CONSTRAINT coupon_total_uses CHECK (total_uses > 0),
    CONSTRAINT coupon_discount CHECK (
        CASE kind
            WHEN 'percent' THEN percent IS NOT NULL AND amount IS NULL
            ELSE amount IS NOT NULL AND percent IS NULL AND cap IS NULL
        END
    ),
    CONSTRAINT coupon_period CHECK (ends_at > starts_at)
);

-- The products that a coupon is for; none: every product of its kinds.
CREATE TABLE coupon_product (
    coupon_id bigint NOT NULL CONSTRAINT coupon_product_coupon_id_fkey REFERENCES coupon,
    product_id bigint NOT NULL CONSTRAINT coupon_product_product_id_fkey REFERENCES product,
    CONSTRAINT coupon_product_pkey PRIMARY KEY (coupon_id, product_id)
);

-- The coupons that an account holds, because it typed their codes.
CREATE TABLE coupon_claim (
    account_id uuid NOT NULL,
    coupon_id bigint NOT NULL CONSTRAINT coupon_claim_coupon_id_fkey REFERENCES coupon,
    claimed_at timestamptz NOT NULL,
    CONSTRAINT coupon_claim_pkey PRIMARY KEY (account_id, coupon_id)
);

-- The coupons on a cart: at most one of each kind.
CREATE TABLE cart_coupon (
    account_id uuid NOT NULL,
    kind text NOT NULL,
    coupon_id bigint NOT NULL CONSTRAINT cart_coupon_coupon_id_fkey REFERENCES coupon,
    applied_at timestamptz NOT NULL,
    CONSTRAINT cart_coupon_pkey PRIMARY KEY (account_id, kind)
);
CREATE INDEX cart_coupon_applied_at ON cart_coupon (applied_at);

-- What an order uses. Reserved while the order awaits its payment.
CREATE TABLE coupon_use (
    order_id uuid NOT NULL CONSTRAINT coupon_use_order_id_fkey REFERENCES orders,
    -- From 1: a percentage comes before a fixed amount.
    n smallint NOT NULL,
    coupon_id bigint NOT NULL CONSTRAINT coupon_use_coupon_id_fkey REFERENCES coupon,
    -- The coupon's name when it was used.
    name text NOT NULL,
    -- Whole yen.
    amount integer NOT NULL CONSTRAINT coupon_use_amount CHECK (amount > 0),
    state text NOT NULL CONSTRAINT coupon_use_state_known CHECK (state IN ('reserved', 'used', 'freed')),
    used_at timestamptz,
    CONSTRAINT coupon_use_pkey PRIMARY KEY (order_id, n),
    CONSTRAINT coupon_use_once UNIQUE (order_id, coupon_id),
    CONSTRAINT coupon_use_used CHECK ((state = 'used') = (used_at IS NOT NULL))
);
-- For the limits.
CREATE INDEX coupon_use_taken ON coupon_use (coupon_id) WHERE state <> 'freed';

ALTER TABLE order_line
    -- Until now every line was a course.
    ADD COLUMN kind text NOT NULL DEFAULT 'course' CONSTRAINT order_line_kind_known
        CHECK (kind IN ('course', 'subscription', 'mock_exam', 'konoshiki', 'interview'));

-- Rate limits (kit_db::limit): guessing codes.
CREATE TABLE rate_limit (
    bucket bytea CONSTRAINT rate_limit_pkey PRIMARY KEY,
    full_at timestamptz NOT NULL
);
CREATE INDEX rate_limit_full_at ON rate_limit (full_at);
