-- Certificates of completed courses. A row is what was true when it was issued, so a course that changes later leaves it.
CREATE TABLE certificate (
    -- 128 random bits. Anyone with the id can check the certificate.
    id uuid CONSTRAINT certificate_pkey PRIMARY KEY,
    learner_id uuid NOT NULL,
    course_id bigint NOT NULL CONSTRAINT certificate_course_id_fkey REFERENCES course,
    course_name text NOT NULL,
    -- Family name and given name.
    learner_name text NOT NULL,
    -- Whether a check shows the name.
    is_name_shown boolean NOT NULL DEFAULT false,
    issued_at timestamptz NOT NULL,
    CONSTRAINT certificate_learner_id_course_id_key UNIQUE (learner_id, course_id)
);

-- When the last answer was given in a review, which decides whether it is newer than one in practice. NULL: none was, or
-- an older release recorded it.
ALTER TABLE review ADD COLUMN answered_at timestamptz;
