-- Marks, statistics and results.

-- Sealed sittings that are not marked yet.
CREATE TABLE marking_queue (
    sitting_id uuid CONSTRAINT marking_queue_pkey PRIMARY KEY
        CONSTRAINT marking_queue_sitting_id_fkey REFERENCES sitting ON DELETE CASCADE,
    paper_id bigint NOT NULL
);
CREATE INDEX marking_queue_paper_id ON marking_queue (paper_id);

CREATE FUNCTION queue_marking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO marking_queue (sitting_id, paper_id) VALUES (NEW.id, NEW.paper_id);
    RETURN NULL;
END
$$;
CREATE TRIGGER sitting_sealed AFTER UPDATE OF transcript ON sitting
    FOR EACH ROW WHEN (OLD.transcript IS NULL AND NEW.transcript IS NOT NULL) EXECUTE FUNCTION queue_marking();
INSERT INTO marking_queue (sitting_id, paper_id) SELECT id, paper_id FROM sitting WHERE transcript IS NOT NULL;

-- The points of a sealed sitting.
CREATE TABLE mark (
    sitting_id uuid CONSTRAINT mark_pkey PRIMARY KEY
        CONSTRAINT mark_sitting_id_fkey REFERENCES sitting ON DELETE CASCADE,
    learner_id uuid NOT NULL,
    paper_id bigint NOT NULL CONSTRAINT mark_paper_id_fkey REFERENCES paper,
    points integer NOT NULL CONSTRAINT mark_points_not_negative CHECK (points >= 0),
    -- The questions with the right answer.
    right_question_ids bigint[] NOT NULL,
    marked_at timestamptz NOT NULL,
    CONSTRAINT mark_learner_paper_key UNIQUE (learner_id, paper_id)
);
CREATE INDEX mark_paper_id ON mark (paper_id, points);

-- The statistics of an exam. `exam_id` has a row from its first mark on.
CREATE TABLE exam_statistics (
    exam_id bigint CONSTRAINT exam_statistics_pkey PRIMARY KEY
        CONSTRAINT exam_statistics_exam_id_fkey REFERENCES exam,
    -- Whether there are marks that they do not contain.
    is_stale boolean NOT NULL,
    -- NULL: not computed yet.
    computed_at timestamptz,
    -- Final statistics never change.
    is_final boolean NOT NULL,
    -- Candidates who sat every paper, by their points: the first element is those with 0.
    counts bigint[] NOT NULL
);

CREATE TABLE paper_statistics (
    paper_id bigint CONSTRAINT paper_statistics_pkey PRIMARY KEY
        CONSTRAINT paper_statistics_paper_id_fkey REFERENCES paper,
    -- Candidates by their points: the first element is those with 0.
    counts bigint[] NOT NULL
);

-- How many candidates answered a question right; written when the statistics become final.
CREATE TABLE question_statistics (
    question_id bigint CONSTRAINT question_statistics_pkey PRIMARY KEY
        CONSTRAINT question_statistics_question_id_fkey REFERENCES question,
    right_count bigint NOT NULL
);
