-- Streams that ended while the address of a file of theirs could still work. Every edge follows this table.
CREATE TABLE ended_stream (
    id uuid CONSTRAINT ended_stream_pkey PRIMARY KEY,
    ended_at timestamptz NOT NULL,
    -- A reader that starts at the oldest transaction under way misses none, however late it commits.
    xid xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX ended_stream_xid ON ended_stream (xid);
CREATE INDEX ended_stream_ended_at ON ended_stream (ended_at);

-- How much more of a lesson a learner can have watched. A row is made when a stream first opens the lesson.
CREATE TABLE watch_credit (
    learner_id uuid NOT NULL,
    lesson_id bigint NOT NULL CONSTRAINT watch_credit_lesson_id_fkey REFERENCES lesson,
    -- Milliseconds of the lesson, without what was earned after `since`.
    credit bigint NOT NULL,
    -- The credit grows from this time on; NULL while no stream of the learner has the lesson open.
    since timestamptz,
    CONSTRAINT watch_credit_pkey PRIMARY KEY (learner_id, lesson_id)
);
