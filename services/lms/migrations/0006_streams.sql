-- What a player shows beside a lesson's video; `lms import` writes it.
ALTER TABLE lesson
    ADD COLUMN has_video boolean NOT NULL DEFAULT false,
    -- Places in the video with a name: [{at, name}], earliest first.
    ADD COLUMN marks jsonb NOT NULL DEFAULT '[]',
    -- What may be read beside it: [{kind, page_count, pages: [{page, at}]}].
    ADD COLUMN handouts jsonb NOT NULL DEFAULT '[]';

-- Who is watching: a row for each player of a learner's, until another takes its place.
CREATE TABLE stream (
    learner_id uuid NOT NULL,
    -- One tab of one browser, which names itself.
    device uuid NOT NULL,
    id uuid NOT NULL,
    lesson_id bigint NOT NULL CONSTRAINT stream_lesson_id_fkey REFERENCES lesson,
    -- Its start or its last beat.
    last_seen timestamptz NOT NULL,
    CONSTRAINT stream_pkey PRIMARY KEY (learner_id, device)
);
