-- What is sold. Ids are chosen by whoever writes the content and never change; `commerce import` writes all of it.

CREATE TABLE product (
    id bigint CONSTRAINT product_pkey PRIMARY KEY,
    kind text NOT NULL CONSTRAINT product_kind_known
        CHECK (kind IN ('course', 'subscription', 'mock_exam', 'konoshiki', 'interview')),
    name text NOT NULL,
    summary text NOT NULL,
    description text NOT NULL,
    -- Whole yen, tax included.
    price integer NOT NULL CONSTRAINT product_price CHECK (price > 0),
    -- NULL where its use is not counted in days.
    period_days integer CONSTRAINT product_period_days CHECK (period_days > 0),
    -- Of lms, which is another database.
    course_id bigint,
    sale_starts_at timestamptz NOT NULL,
    -- The first moment at which it is sold no more; NULL where no end is known.
    sale_ends_at timestamptz,
    CONSTRAINT product_course CHECK ((kind = 'course') = (course_id IS NOT NULL)),
    CONSTRAINT product_subscription CHECK (kind <> 'subscription' OR period_days IS NULL),
    CONSTRAINT product_sale CHECK (sale_ends_at > sale_starts_at),
    -- A course has one price at a time. Looked at when a transaction ends, so that an import may move sales about.
    CONSTRAINT product_one_offer EXCLUDE USING gist (
        int8range(course_id, course_id, '[]') WITH &&,
        tstzrange(sale_starts_at, sale_ends_at) WITH &&
    ) WHERE (course_id IS NOT NULL) DEFERRABLE INITIALLY DEFERRED
);
