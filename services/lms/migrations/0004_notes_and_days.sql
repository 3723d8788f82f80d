-- What a learner wrote at a second of a lesson. Ids are chosen by the learner's browser.
CREATE TABLE note (
    id uuid CONSTRAINT note_pkey PRIMARY KEY,
    learner_id uuid NOT NULL,
    lesson_id bigint NOT NULL CONSTRAINT note_lesson_id_fkey REFERENCES lesson,
    -- Seconds from the start.
    at integer NOT NULL,
    text text NOT NULL,
    -- The text in the form of kit::search.
    words text NOT NULL,
    created timestamptz NOT NULL,
    modified timestamptz NOT NULL
);
CREATE INDEX note_learner_id_lesson_id_idx ON note (learner_id, lesson_id);

-- How long a learner watched on a day, which begins at 04:00 in Tokyo; kept in the transaction of the beat.
CREATE TABLE watch_day (
    learner_id uuid NOT NULL,
    day date NOT NULL,
    -- Of the lessons, not of the clock: at double speed a minute counts two.
    seconds integer NOT NULL CONSTRAINT watch_day_seconds_positive CHECK (seconds > 0),
    CONSTRAINT watch_day_pkey PRIMARY KEY (learner_id, day)
);

-- The sequences of the beats that were counted for a day: the newest of them, and, of those that are no longer listed,
-- the highest. Whatever is listed or not above that is known.
ALTER TABLE watch
    ADD COLUMN counted bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN counted_before bigint NOT NULL DEFAULT -1;
