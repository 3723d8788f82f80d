-- The provider's lists of money that goes back. They are read every two minutes, in case an event is lost.
CREATE TABLE reconciliation (
    list text CONSTRAINT reconciliation_pkey PRIMARY KEY
        CONSTRAINT reconciliation_list_known CHECK (list IN ('refunds', 'disputes', 'balance')),
    -- Everything that the provider made before this time was seen. NULL: the list was never read.
    read_until timestamptz,
    -- Also the end of a worker's lease.
    next_run_at timestamptz NOT NULL DEFAULT '-infinity',
    runs integer NOT NULL DEFAULT 0
);
INSERT INTO reconciliation (list) VALUES ('refunds'), ('disputes'), ('balance');
