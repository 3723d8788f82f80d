-- When a learner last opened a lesson: its video or its handouts. Refunds count the lessons that were opened since a course
-- was bought. Lessons that were opened before this table have a row of `watch` if they were watched.
CREATE TABLE lesson_opening (
    learner_id uuid NOT NULL,
    lesson_id bigint NOT NULL CONSTRAINT lesson_opening_lesson_id_fkey REFERENCES lesson,
    opened_at timestamptz NOT NULL,
    CONSTRAINT lesson_opening_pkey PRIMARY KEY (learner_id, lesson_id)
);
