-- Content: `exam import` writes it.
CREATE TABLE exam (
    id bigint CONSTRAINT exam_pkey PRIMARY KEY,
    name text NOT NULL,
    description text NOT NULL,
    school_year text NOT NULL,
    -- The product of commerce that grants a seat; NULL: the exam is free.
    product_id bigint CONSTRAINT exam_product_id_key UNIQUE,
    -- Seats of a free exam; NULL: no limit.
    capacity integer,
    application_opens_at timestamptz NOT NULL,
    application_closes_at timestamptz NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    results_at timestamptz NOT NULL
);
CREATE INDEX exam_ends_at ON exam (ends_at);

-- A paper of an exam: one subject.
CREATE TABLE paper (
    id bigint CONSTRAINT paper_pkey PRIMARY KEY,
    exam_id bigint NOT NULL CONSTRAINT paper_exam_id_fkey REFERENCES exam,
    position integer NOT NULL,
    subject text NOT NULL,
    minutes integer NOT NULL,
    -- Of its questions, so that a list need not read them.
    question_count integer NOT NULL,
    points integer NOT NULL,
    -- Counts the imports that changed the paper or a question of it, from 1.
    revision integer NOT NULL,
    -- When its first sitting started. From then on no import may change the paper or its questions.
    frozen_at timestamptz,
    CONSTRAINT paper_position_key UNIQUE (exam_id, position) DEFERRABLE INITIALLY DEFERRED
);

-- A free check: ten questions without an account.
CREATE TABLE free_check (
    id bigint CONSTRAINT free_check_pkey PRIMARY KEY,
    school_year text NOT NULL,
    subject text NOT NULL,
    title text NOT NULL,
    -- Courses of lms that teach it.
    course_ids bigint[] NOT NULL,
    question_count integer NOT NULL,
    revision integer NOT NULL
);

-- A question of a paper or of a free check.
CREATE TABLE question (
    id bigint CONSTRAINT question_pkey PRIMARY KEY,
    paper_id bigint CONSTRAINT question_paper_id_fkey REFERENCES paper,
    check_id bigint CONSTRAINT question_check_id_fkey REFERENCES free_check,
    -- From 1.
    number integer NOT NULL,
    -- kind, prompt, figures, choices, is_ordered, points, key, explanation, lesson_id: `question::Content`.
    content jsonb NOT NULL,
    CONSTRAINT question_one_owner CHECK ((paper_id IS NULL) <> (check_id IS NULL)),
    CONSTRAINT question_paper_key UNIQUE (paper_id, number) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT question_check_key UNIQUE (check_id, number) DEFERRABLE INITIALLY DEFERRED
);

-- Figures of questions. The name is the SHA-256 of the SVG in hex, so an address never changes its content, and nobody
-- guesses that of a paper before it starts.
CREATE TABLE figure (
    name text CONSTRAINT figure_pkey PRIMARY KEY,
    svg text NOT NULL
);

-- Schools to apply to.
CREATE TABLE school (
    id bigint CONSTRAINT school_pkey PRIMARY KEY,
    name text NOT NULL,
    kana text NOT NULL,
    prefecture text NOT NULL,
    -- Whether it counts the marks of the learner's own school (内申点).
    counts_school_marks boolean NOT NULL,
    -- Name, kana and prefecture in the normal form of forms::search, with a space before each word.
    search text NOT NULL
);
CREATE INDEX school_kana ON school (kana, id);

CREATE TABLE department (
    id bigint CONSTRAINT department_pkey PRIMARY KEY,
    school_id bigint NOT NULL CONSTRAINT department_school_id_fkey REFERENCES school,
    position integer NOT NULL,
    name text NOT NULL,
    -- The 偏差値 of an even chance, in tenths.
    border_tenths integer NOT NULL,
    CONSTRAINT department_school_key UNIQUE (school_id, id),
    CONSTRAINT department_position_key UNIQUE (school_id, position) DEFERRABLE INITIALLY DEFERRED
);

-- Which content is in: a row for each version that was imported (kit_content::record).
CREATE TABLE content_import (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT content_import_pkey PRIMARY KEY,
    -- The SHA-256 of the archive's manifest, in hex; NULL for a folder, which has no version.
    digest text,
    git_commit text,
    imported_at timestamptz NOT NULL
);

-- Seats. A learner has one if any row of theirs is not revoked.
CREATE TABLE seat (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT seat_pkey PRIMARY KEY,
    -- The order line that bought it; NULL: a seat of a free exam.
    order_line_id text CONSTRAINT seat_order_line_id_key UNIQUE,
    -- Both NULL if a revocation came before its grant.
    learner_id uuid,
    exam_id bigint,
    granted_at timestamptz,
    revoked_at timestamptz,
    CONSTRAINT seat_is_granted CHECK (
        revoked_at IS NOT NULL
        OR (learner_id IS NOT NULL AND exam_id IS NOT NULL AND granted_at IS NOT NULL)
    )
);
CREATE UNIQUE INDEX seat_free_key ON seat (exam_id, learner_id) WHERE order_line_id IS NULL;
CREATE INDEX seat_learner_id ON seat (learner_id, exam_id);

-- An application, from its basic info on.
CREATE TABLE application (
    learner_id uuid NOT NULL,
    exam_id bigint NOT NULL CONSTRAINT application_exam_id_fkey REFERENCES exam,
    last_name text NOT NULL,
    first_name text NOT NULL,
    last_kana text NOT NULL,
    first_kana text NOT NULL,
    school_year text NOT NULL,
    school_name text NOT NULL,
    prefecture text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT application_pkey PRIMARY KEY (learner_id, exam_id)
);

CREATE TABLE desired_school (
    learner_id uuid NOT NULL,
    exam_id bigint NOT NULL,
    rank integer NOT NULL CONSTRAINT desired_school_rank_known CHECK (rank BETWEEN 1 AND 5),
    school_id bigint NOT NULL,
    department_id bigint NOT NULL,
    -- 内申点; NULL where the school does not count it.
    school_marks integer CONSTRAINT desired_school_marks_known CHECK (school_marks BETWEEN 9 AND 45),
    CONSTRAINT desired_school_pkey PRIMARY KEY (learner_id, exam_id, rank),
    CONSTRAINT desired_school_school_key UNIQUE (learner_id, exam_id, school_id),
    CONSTRAINT desired_school_application_fkey FOREIGN KEY (learner_id, exam_id) REFERENCES application,
    CONSTRAINT desired_school_department_fkey
        FOREIGN KEY (school_id, department_id) REFERENCES department (school_id, id)
);

-- A device that a learner checked before an exam; the last check counts.
CREATE TABLE device_check (
    learner_id uuid NOT NULL,
    exam_id bigint NOT NULL,
    -- Chosen by the device.
    device_id uuid NOT NULL,
    browser text NOT NULL,
    clock_offset_ms bigint NOT NULL,
    storage_kept boolean NOT NULL,
    round_trip_ms integer NOT NULL,
    sound boolean NOT NULL,
    quiet_place boolean NOT NULL,
    passed boolean NOT NULL,
    checked_at timestamptz NOT NULL,
    CONSTRAINT device_check_pkey PRIMARY KEY (learner_id, exam_id, device_id),
    CONSTRAINT device_check_application_fkey FOREIGN KEY (learner_id, exam_id) REFERENCES application
);

-- Events of other services that were taken, each once.
CREATE TABLE inbox (
    event uuid CONSTRAINT inbox_pkey PRIMARY KEY,
    taken_at timestamptz NOT NULL
);
CREATE INDEX inbox_taken_at ON inbox (taken_at);

-- Erased accounts. An event that arrives after the erasure must not write rows of the account again.
CREATE TABLE erased_account (
    -- The id of the account. Not called account_id: this row must outlive the erasure.
    id uuid CONSTRAINT erased_account_pkey PRIMARY KEY,
    erased_at timestamptz NOT NULL
);
CREATE INDEX erased_account_erased_at ON erased_account (erased_at);
