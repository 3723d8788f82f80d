-- Questions of mock exams that a learner missed, which come back for review. exam has the questions.
CREATE TABLE exam_review (
    learner_id uuid NOT NULL,
    question_id bigint NOT NULL,
    exam_id bigint NOT NULL,
    -- From 1: the intervals that were begun.
    step integer NOT NULL CONSTRAINT exam_review_step_positive CHECK (step > 0),
    -- NULL: it was solved after the last interval.
    due_at timestamptz,
    -- The last answer that was given when it was due, so that the same one again changes nothing.
    is_solved boolean,
    CONSTRAINT exam_review_pkey PRIMARY KEY (learner_id, question_id)
);
CREATE INDEX exam_review_due_at_idx ON exam_review (learner_id, due_at);
