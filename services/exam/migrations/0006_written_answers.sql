-- Written answers, which people mark after the end of the exam. The states are in exam/v1/result.proto.

-- The points of a sitting without its written answers. The row becomes a mark once all of these are decided.
CREATE TABLE partial_mark (
    sitting_id uuid CONSTRAINT partial_mark_pkey PRIMARY KEY
        CONSTRAINT partial_mark_sitting_id_fkey REFERENCES sitting ON DELETE CASCADE,
    paper_id bigint NOT NULL CONSTRAINT partial_mark_paper_id_fkey REFERENCES paper,
    points integer NOT NULL CONSTRAINT partial_mark_points_not_negative CHECK (points >= 0),
    -- The most points without the written answers.
    full_points integer NOT NULL,
    right_question_ids bigint[] NOT NULL
);
CREATE INDEX partial_mark_paper_id ON partial_mark (paper_id);

-- An answer to a written question. A blank one is decided from the start.
CREATE TABLE written_answer (
    sitting_id uuid NOT NULL CONSTRAINT written_answer_sitting_id_fkey REFERENCES sitting ON DELETE CASCADE,
    question_id bigint NOT NULL CONSTRAINT written_answer_question_id_fkey REFERENCES question,
    full_points integer NOT NULL,
    -- JSON, as in the transcript; NULL: blank.
    answer text,
    -- Markers that are wanted: 2, and 3 after a difference.
    markers_wanted integer NOT NULL CONSTRAINT written_answer_wanted_known CHECK (markers_wanted BETWEEN 0 AND 3),
    -- Markers that have it or have marked it.
    markers_taken integer NOT NULL,
    points integer,
    decided_at timestamptz,
    CONSTRAINT written_answer_pkey PRIMARY KEY (sitting_id, question_id),
    CONSTRAINT written_answer_decided_whole CHECK ((points IS NULL) = (decided_at IS NULL)),
    CONSTRAINT written_answer_points_known CHECK (points BETWEEN 0 AND full_points),
    CONSTRAINT written_answer_taken_known CHECK (markers_taken BETWEEN 0 AND markers_wanted)
);
CREATE INDEX written_answer_to_take ON written_answer (question_id)
    WHERE decided_at IS NULL AND markers_taken < markers_wanted;

-- People who mark, from their first task on.
CREATE TABLE marker (
    id text CONSTRAINT marker_pkey PRIMARY KEY
);

-- A written answer with one marker.
CREATE TABLE marking_task (
    -- Random: it tells a marker nothing about the sitting.
    id uuid CONSTRAINT marking_task_pkey PRIMARY KEY,
    sitting_id uuid NOT NULL,
    question_id bigint NOT NULL,
    marker_id text NOT NULL CONSTRAINT marking_task_marker_id_fkey REFERENCES marker,
    -- Whether it decides a difference.
    is_third boolean NOT NULL,
    taken_at timestamptz NOT NULL,
    -- NULL: open.
    points integer CONSTRAINT marking_task_points_not_negative CHECK (points >= 0),
    -- For the candidate; may be empty.
    comment text,
    given_at timestamptz,
    CONSTRAINT marking_task_marker_key UNIQUE (sitting_id, question_id, marker_id),
    CONSTRAINT marking_task_answer_fkey FOREIGN KEY (sitting_id, question_id)
        REFERENCES written_answer ON DELETE CASCADE,
    CONSTRAINT marking_task_given_whole
        CHECK ((points IS NULL) = (given_at IS NULL) AND (points IS NULL) = (comment IS NULL))
);
-- A marker has one open task at a time.
CREATE UNIQUE INDEX marking_task_open_key ON marking_task (marker_id) WHERE given_at IS NULL;
