-- Readers are told of a new notice.

-- How far they are told. A notice without a row is not told yet.
CREATE TABLE notice_telling (
    notice bigint CONSTRAINT notice_telling_pkey PRIMARY KEY
        CONSTRAINT notice_telling_notice REFERENCES notice ON DELETE CASCADE,
    about uuid NOT NULL, -- of its notifications
    told_until uuid, -- accounts up to this one, in the order of their ids
    done_at timestamptz
);
-- Notices of the past are not told.
INSERT INTO notice_telling (notice, about, done_at)
SELECT id, gen_random_uuid(), now() FROM notice WHERE state = 'published' AND published_at <= now();

-- Topics that are without mails unless a person switches them on. mail_off has the other ones.
ALTER TABLE notification_setting ADD COLUMN mail_on text[] NOT NULL DEFAULT '{}';
