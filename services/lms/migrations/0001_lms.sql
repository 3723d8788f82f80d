-- The catalogue. Ids of what authors write are chosen by them and never change; `lms import` writes all of it.

CREATE TABLE teacher (
    id bigint CONSTRAINT teacher_pkey PRIMARY KEY,
    name text NOT NULL,
    kana text NOT NULL,
    subjects text[] NOT NULL,
    message text NOT NULL,
    career text NOT NULL
);

CREATE TABLE course (
    id bigint CONSTRAINT course_pkey PRIMARY KEY,
    name text NOT NULL,
    category text NOT NULL,
    school_year text NOT NULL,
    level text NOT NULL,
    description text NOT NULL,
    summary text NOT NULL,
    teacher_id bigint NOT NULL CONSTRAINT course_teacher_id_fkey REFERENCES teacher,
    -- Seconds and number of its lessons, kept by the import that writes them.
    duration_sum integer NOT NULL,
    lesson_count integer NOT NULL,
    created timestamptz NOT NULL,
    modified timestamptz NOT NULL,
    -- Another one for every change of the course, its teacher's name or anything in its tree; never falls.
    revision bigint NOT NULL
);

CREATE TABLE media (
    course_id bigint NOT NULL CONSTRAINT media_course_id_fkey REFERENCES course,
    kind text NOT NULL CONSTRAINT media_kind_known
        CHECK (kind IN ('orientation', 'sample_video', 'thumbnail', 'textbook_bundle', 'whiteboard_bundle')),
    url text NOT NULL,
    CONSTRAINT media_pkey PRIMARY KEY (course_id, kind)
);

-- Positions are unique at the end of a transaction, so that an import may reorder.
CREATE TABLE chapter (
    id bigint CONSTRAINT chapter_pkey PRIMARY KEY,
    course_id bigint NOT NULL CONSTRAINT chapter_course_id_fkey REFERENCES course,
    position integer NOT NULL,
    name text NOT NULL,
    CONSTRAINT chapter_position_key UNIQUE (course_id, position) DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE unit (
    id bigint CONSTRAINT unit_pkey PRIMARY KEY,
    chapter_id bigint NOT NULL CONSTRAINT unit_chapter_id_fkey REFERENCES chapter,
    position integer NOT NULL,
    name text NOT NULL,
    CONSTRAINT unit_position_key UNIQUE (chapter_id, position) DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE lesson (
    id bigint CONSTRAINT lesson_pkey PRIMARY KEY,
    unit_id bigint NOT NULL CONSTRAINT lesson_unit_id_fkey REFERENCES unit,
    -- Its chapter's course: marks and beats ask for it all the time.
    course_id bigint NOT NULL CONSTRAINT lesson_course_id_fkey REFERENCES course,
    position integer NOT NULL,
    name text NOT NULL,
    summary text NOT NULL,
    -- Seconds.
    duration integer NOT NULL CONSTRAINT lesson_duration_positive CHECK (duration > 0),
    CONSTRAINT lesson_position_key UNIQUE (unit_id, position) DEFERRABLE INITIALLY DEFERRED
);

-- What learners own, marked and watched. Every key begins with the learner, so that a statement about one learner
-- costs the same however many there are.

CREATE TABLE inventory (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT inventory_pkey PRIMARY KEY,
    learner_id uuid NOT NULL,
    course_id bigint NOT NULL CONSTRAINT inventory_course_id_fkey REFERENCES course,
    product_id bigint NOT NULL,
    created timestamptz NOT NULL,
    modified timestamptz NOT NULL,
    -- Null: without end.
    expire_at timestamptz,
    is_auto_renewal boolean NOT NULL
);
CREATE INDEX inventory_learner_id_course_id_idx ON inventory (learner_id, course_id);

CREATE TABLE bookmark (
    learner_id uuid NOT NULL,
    course_id bigint NOT NULL CONSTRAINT bookmark_course_id_fkey REFERENCES course,
    created timestamptz NOT NULL,
    CONSTRAINT bookmark_pkey PRIMARY KEY (learner_id, course_id)
);

CREATE TABLE favorite (
    learner_id uuid NOT NULL,
    lesson_id bigint NOT NULL CONSTRAINT favorite_lesson_id_fkey REFERENCES lesson,
    created timestamptz NOT NULL,
    CONSTRAINT favorite_pkey PRIMARY KEY (learner_id, lesson_id)
);

-- `check` is a word of SQL's own.
CREATE TABLE lesson_check (
    learner_id uuid NOT NULL,
    lesson_id bigint NOT NULL CONSTRAINT lesson_check_lesson_id_fkey REFERENCES lesson,
    created timestamptz NOT NULL,
    CONSTRAINT lesson_check_pkey PRIMARY KEY (learner_id, lesson_id)
);

CREATE TABLE watch (
    learner_id uuid NOT NULL,
    lesson_id bigint NOT NULL CONSTRAINT watch_lesson_id_fkey REFERENCES lesson,
    -- Seconds from the start: where to go on, and the furthest ever reached.
    position integer NOT NULL,
    furthest integer NOT NULL,
    -- One bit for every 5 seconds of the lesson, the first in the lowest bit of the first byte; trailing zeros left out.
    coverage bytea NOT NULL,
    -- Seconds that the coverage stands for.
    covered integer NOT NULL,
    -- Sittings: beats with no gap of half an hour between them.
    times integer NOT NULL,
    first_seen timestamptz NOT NULL,
    last_seen timestamptz NOT NULL,
    -- Of the beat that set the position: milliseconds since 1970.
    sequence bigint NOT NULL,
    CONSTRAINT watch_pkey PRIMARY KEY (learner_id, lesson_id)
);

-- What a learner's checks and beats amount to for a course, kept in the transaction that writes them.
CREATE TABLE progress (
    learner_id uuid NOT NULL,
    course_id bigint NOT NULL CONSTRAINT progress_course_id_fkey REFERENCES course,
    -- How many of its lessons are checked.
    check_count integer NOT NULL DEFAULT 0,
    -- When every lesson was checked. Lessons that an import adds leave it; a learner who unchecks one clears it.
    completed_at timestamptz,
    -- First and last beat.
    opened_at timestamptz,
    last_watched_at timestamptz,
    CONSTRAINT progress_pkey PRIMARY KEY (learner_id, course_id)
);
