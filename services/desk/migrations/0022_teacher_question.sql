-- Questions of learners to the teachers, and the plans that lift their monthly limit.

-- Subscriptions that include questions without a limit. A plan that was revoked stays revoked, in whatever order the
-- events arrive.
CREATE TABLE question_plan (
    subscription uuid CONSTRAINT question_plan_pkey PRIMARY KEY,
    account uuid, -- the learner; NULL: only the revocation has arrived
    revoked_at timestamptz,
    CONSTRAINT question_plan_known CHECK (account IS NOT NULL OR revoked_at IS NOT NULL)
);
CREATE INDEX question_plan_account ON question_plan (account) WHERE revoked_at IS NULL;

-- One row for each learner who has asked. Its lock serialises the questions of the learner, for the monthly limit.
CREATE TABLE question_asker (
    account uuid CONSTRAINT question_asker_pkey PRIMARY KEY,
    sealed bytea NOT NULL -- name and mail address under AES-256-GCM: nonce, ciphertext, tag
);

CREATE TABLE teacher_question (
    id uuid CONSTRAINT teacher_question_pkey PRIMARY KEY,
    account uuid NOT NULL CONSTRAINT teacher_question_account REFERENCES question_asker ON DELETE CASCADE,
    asked_at timestamptz NOT NULL,
    month date NOT NULL, -- the first day of the month in Tokyo
    is_counted boolean NOT NULL, -- whether it counts toward the monthly limit
    -- What it is about, with the names at the time of asking; all NULL: nothing in particular.
    course_id bigint,
    course_name text,
    lesson_id bigint,
    lesson_name text,
    at_second integer CONSTRAINT teacher_question_second CHECK (at_second >= 0),
    exercise_id bigint, -- a question of the lesson
    exercise_text text,
    state text NOT NULL CONSTRAINT teacher_question_state CHECK (state IN ('waiting', 'answered')),
    waiting_since timestamptz NOT NULL, -- when the last message of the learner arrived
    due_at timestamptz, -- when the answer is promised; NULL: without a promise
    teacher text, -- who answers, or has answered
    answered_at timestamptz, -- the last answer
    read_at timestamptz, -- when the learner opened it after the last answer
    thanked_at timestamptz,
    is_shared boolean NOT NULL, -- whether owners of the lesson may read it without a name
    CONSTRAINT teacher_question_lesson CHECK (
        (lesson_id IS NULL) = (lesson_name IS NULL) AND (lesson_id IS NULL) = (course_id IS NULL)
        AND (course_id IS NULL) = (course_name IS NULL) AND (lesson_id IS NOT NULL OR at_second IS NULL)
        AND (lesson_id IS NOT NULL OR exercise_id IS NULL) AND (exercise_id IS NULL) = (exercise_text IS NULL)
        AND (lesson_id IS NOT NULL OR NOT is_shared)
    ),
    CONSTRAINT teacher_question_answered CHECK (state = 'waiting' OR (answered_at IS NOT NULL AND teacher IS NOT NULL))
);
CREATE INDEX teacher_question_account_month ON teacher_question (account, month);
CREATE INDEX teacher_question_waiting ON teacher_question (due_at, waiting_since) WHERE state = 'waiting';
CREATE INDEX teacher_question_shared ON teacher_question (lesson_id, id)
    WHERE is_shared AND answered_at IS NOT NULL;

-- The texts of a question, oldest first: of the learner and of teachers.
CREATE TABLE question_message (
    question uuid NOT NULL CONSTRAINT question_message_question REFERENCES teacher_question ON DELETE CASCADE,
    n integer NOT NULL, -- from 1
    sent_at timestamptz NOT NULL,
    teacher text, -- NULL: the learner
    sealed bytea NOT NULL, -- the text, as above
    -- The second of a lesson that an answer refers to.
    lesson_id bigint,
    at_second integer CONSTRAINT question_message_second CHECK (at_second >= 0),
    CONSTRAINT question_message_pkey PRIMARY KEY (question, n),
    CONSTRAINT question_message_place CHECK ((lesson_id IS NULL) = (at_second IS NULL))
);

-- kit_db::erased_account owns the statements.
CREATE TABLE erased_account (
    id uuid CONSTRAINT erased_account_pkey PRIMARY KEY,
    erased_at timestamptz NOT NULL
);
CREATE INDEX erased_account_erased_at ON erased_account (erased_at);
