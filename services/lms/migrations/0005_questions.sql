-- Questions of lessons. Like the rest of the catalogue they are written by `lms import`; they are no part of a course's
-- content, as they hold what a learner is not told before an answer.
CREATE TABLE question (
    id bigint CONSTRAINT question_pkey PRIMARY KEY,
    lesson_id bigint NOT NULL CONSTRAINT question_lesson_id_fkey REFERENCES lesson,
    position integer NOT NULL,
    kind text NOT NULL CONSTRAINT question_kind_known CHECK (kind IN ('single', 'multiple', 'number', 'text')),
    prompt text NOT NULL,
    -- {"url": "…", "alt": "…"}
    picture jsonb,
    -- A choice's id is its place, from 1.
    choices text[] NOT NULL,
    -- {"choices": [1, 3]}, {"number": "3.5"} or {"texts": ["…"]}, the first of which is shown.
    key jsonb NOT NULL,
    hint text,
    explanation text NOT NULL,
    is_required boolean NOT NULL,
    -- Seconds from the start of the lesson.
    watch_again_at integer,
    CONSTRAINT question_position_key UNIQUE (lesson_id, position) DEFERRABLE INITIALLY DEFERRED
);

-- A learner's tries at the questions of a lesson: one graded, any number of practice.
CREATE TABLE result (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT result_pkey PRIMARY KEY,
    learner_id uuid NOT NULL,
    lesson_id bigint NOT NULL CONSTRAINT result_lesson_id_fkey REFERENCES lesson,
    kind text NOT NULL CONSTRAINT result_kind_known CHECK (kind IN ('graded', 'practice')),
    -- As of the last answer, and kept in its transaction: a list of results need not count.
    question_count integer NOT NULL,
    answered_count integer NOT NULL DEFAULT 0,
    right_count integer NOT NULL DEFAULT 0,
    started_at timestamptz NOT NULL,
    -- When all of them were answered. A question that an import adds and the learner meets opens it again.
    finished_at timestamptz
);
CREATE UNIQUE INDEX result_graded_key ON result (learner_id, lesson_id) WHERE kind = 'graded';
CREATE INDEX result_learner_id_id_idx ON result (learner_id, id);

CREATE TABLE answer (
    learner_id uuid NOT NULL,
    result_id bigint NOT NULL CONSTRAINT answer_result_id_fkey REFERENCES result,
    question_id bigint NOT NULL CONSTRAINT answer_question_id_fkey REFERENCES question,
    -- {"choices": [1, 3]}, {"number": "3.5"} or {"text": "…"}, as typed.
    given jsonb NOT NULL,
    -- As judged when it was given: a key that is corrected later changes no result.
    is_right boolean NOT NULL,
    created timestamptz NOT NULL,
    CONSTRAINT answer_pkey PRIMARY KEY (learner_id, result_id, question_id)
);

-- What was wrong once and comes back.
CREATE TABLE review (
    learner_id uuid NOT NULL,
    question_id bigint NOT NULL CONSTRAINT review_question_id_fkey REFERENCES question,
    -- From 1: the intervals that were begun.
    step integer NOT NULL,
    -- Null: it was right after the last interval.
    due_at timestamptz,
    -- The last answer that was given when it was due, so that the same one again changes nothing.
    given jsonb,
    is_right boolean,
    CONSTRAINT review_pkey PRIMARY KEY (learner_id, question_id)
);
CREATE INDEX review_due_at_idx ON review (learner_id, due_at);
