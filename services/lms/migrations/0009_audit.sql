-- Calls that a guardian made for a learner. Kept for LMS_AUDIT_DAYS, erased with either account.
CREATE TABLE audit_entry (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT audit_entry_pkey PRIMARY KEY,
    learner_id uuid NOT NULL,
    -- The account that was signed in.
    actor_id uuid NOT NULL,
    -- The path, e.g. /lms.v1.LearnerService/ListProgress.
    rpc text NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX audit_entry_learner_id ON audit_entry (learner_id, actor_id, at);
CREATE INDEX audit_entry_actor_id ON audit_entry (actor_id);
CREATE INDEX audit_entry_at ON audit_entry (at);
