-- What learners missed, for the review queue of lms.

-- Learners with a final result whose missed questions are not published yet.
CREATE TABLE missed_queue (
    exam_id bigint NOT NULL CONSTRAINT missed_queue_exam_id_fkey REFERENCES exam,
    learner_id uuid NOT NULL,
    CONSTRAINT missed_queue_pkey PRIMARY KEY (exam_id, learner_id)
);
CREATE INDEX missed_queue_learner_id ON missed_queue (learner_id);
INSERT INTO missed_queue (exam_id, learner_id)
SELECT DISTINCT exam_id, learner_id
FROM mark
JOIN paper ON paper.id = paper_id
JOIN exam_statistics USING (exam_id)
WHERE is_final;

-- Events for other services (kit_db::outbox).
CREATE TABLE outbox (
    id uuid CONSTRAINT outbox_pkey PRIMARY KEY,
    receiver text NOT NULL,
    type text NOT NULL,
    payload bytea NOT NULL,
    occurred_at timestamptz NOT NULL,
    traceparent text,
    tries integer NOT NULL,
    next_try_at timestamptz NOT NULL
);
CREATE INDEX outbox_receiver ON outbox (receiver, occurred_at, id);
