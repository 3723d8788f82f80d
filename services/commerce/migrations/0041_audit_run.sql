-- The audits so far.
CREATE TABLE audit_run (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT audit_run_pkey PRIMARY KEY,
    at timestamptz NOT NULL,
    -- What was not as it should be.
    differences integer NOT NULL CONSTRAINT audit_run_differences CHECK (differences >= 0),
    -- The postings up to this journal sum to zero: later sums begin after it. 0 if they do not.
    journal_id bigint NOT NULL
);

-- What operators see waiting. These are few.
CREATE INDEX transfer_held ON transfer (received_at) WHERE state = 'held';
CREATE INDEX refund_failed ON refund (id) WHERE state = 'failed';
