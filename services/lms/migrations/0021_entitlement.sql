-- The reason of each entitlement, and what its events have said so far. An extension or a revocation may arrive before
-- the grant. Rows of `inventory` that an older release wrote have no row here.
CREATE TABLE entitlement_source (
    kind text NOT NULL CONSTRAINT entitlement_source_kind_known
        CHECK (kind IN ('order_line', 'gift', 'import', 'staff')),
    -- Unique within the kind.
    id text NOT NULL,
    learner_id uuid NOT NULL,
    -- NULL until the grant arrives.
    inventory_id bigint CONSTRAINT entitlement_source_inventory_id_fkey REFERENCES inventory ON DELETE CASCADE,
    -- The latest end of the grant and its extensions: '-infinity' until one arrives, 'infinity' for no end.
    ends_at timestamptz NOT NULL,
    -- The earliest revocation.
    revoked_at timestamptz,
    -- The time of the latest event.
    modified timestamptz NOT NULL,
    CONSTRAINT entitlement_source_pkey PRIMARY KEY (kind, id)
);
CREATE UNIQUE INDEX entitlement_source_inventory_id_key ON entitlement_source (inventory_id);
CREATE INDEX entitlement_source_learner_id_idx ON entitlement_source (learner_id);

-- What a learner may use or could use before: one row for each learner and course. Of several items the one that lasts
-- longest counts. `inventory.expire_at` already respects extensions and revocations.
CREATE VIEW entitlement AS
SELECT DISTINCT ON (learner_id, course_id)
    learner_id,
    course_id,
    id AS inventory_id,
    product_id,
    -- NULL: without end.
    expire_at,
    -- Active before this time, and not at it. Never NULL.
    coalesce(expire_at, 'infinity') AS active_until,
    -- The newest item of the course.
    max(created) OVER (PARTITION BY learner_id, course_id) AS newest_created
FROM inventory
ORDER BY learner_id, course_id, expire_at DESC NULLS FIRST, id DESC;
