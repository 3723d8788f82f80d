-- Pictures of written answers.
CREATE TABLE answer_picture (
    sitting_id uuid NOT NULL CONSTRAINT answer_picture_sitting_id_fkey REFERENCES sitting ON DELETE CASCADE,
    question_id bigint NOT NULL,
    -- SHA-256 of the bytes that the device sent: the picture's name in an answer.
    digest bytea NOT NULL,
    -- Encoded again from the pixels.
    jpeg bytea NOT NULL,
    stored_at timestamptz NOT NULL,
    CONSTRAINT answer_picture_pkey PRIMARY KEY (sitting_id, question_id, digest)
);
