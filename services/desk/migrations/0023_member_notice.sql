-- Notices for some people only, and who has read which notice.

-- A notice for one account. The content never has its id, so that an import neither changes nor deletes it.
CREATE SEQUENCE notice_personal_id AS bigint MINVALUE 1000000000;

ALTER TABLE notice
    DROP CONSTRAINT notice_audience,
    ADD COLUMN course_id bigint, -- its owners read the notice while they can use it
    ADD COLUMN school_year text, -- 小1 to 高3, or 既卒
    ADD COLUMN account uuid,
    ADD CONSTRAINT notice_audience
        CHECK (audience IN ('everyone', 'learner', 'guardian', 'course', 'school_year', 'account')),
    ADD CONSTRAINT notice_readers CHECK (
        (audience = 'course') = (course_id IS NOT NULL) AND (audience = 'school_year') = (school_year IS NOT NULL)
        AND (audience = 'account') = (account IS NOT NULL)
    );
-- The notices of an account, and those with account IS NULL.
CREATE INDEX notice_account ON notice (account) WHERE state = 'published';

-- The notices that an account has opened.
CREATE TABLE notice_reading (
    account uuid NOT NULL,
    notice bigint NOT NULL CONSTRAINT notice_reading_notice REFERENCES notice ON DELETE CASCADE,
    read_at timestamptz NOT NULL, -- the first time
    CONSTRAINT notice_reading_pkey PRIMARY KEY (account, notice)
);
CREATE INDEX notice_reading_notice ON notice_reading (notice);
