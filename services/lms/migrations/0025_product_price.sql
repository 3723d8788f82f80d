-- The prices of courses, as commerce last published them (commerce.v1.PriceListPublished). The catalogue filters and sorts
-- by them.

-- When the list was published. One row, none before the first list.
CREATE TABLE price_list (
    is_only boolean NOT NULL DEFAULT true CONSTRAINT price_list_pkey PRIMARY KEY CONSTRAINT price_list_is_only CHECK (is_only),
    published_at timestamptz NOT NULL
);

-- A product of the list. A course may be unknown here: a later import brings it.
CREATE TABLE product_price (
    product_id bigint CONSTRAINT product_price_pkey PRIMARY KEY,
    course_id bigint NOT NULL,
    -- Whole yen, tax included.
    price integer NOT NULL,
    sale_starts_at timestamptz NOT NULL,
    -- The first moment at which it is no longer sold; NULL for a sale without end.
    sale_ends_at timestamptz
);
