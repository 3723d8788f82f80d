-- Pictures of questions to teachers, and of their answers.
CREATE TABLE question_picture (
    id uuid CONSTRAINT question_picture_pkey PRIMARY KEY,
    account uuid NOT NULL, -- the learner of the question, also for a picture of an answer
    stored_at timestamptz NOT NULL,
    sealed bytea NOT NULL, -- a JPEG, encoded again from the pixels, under AES-256-GCM: nonce, ciphertext, tag
    -- The message of the picture; all NULL: not sent yet.
    question uuid,
    n integer,
    position integer, -- from 1, in the message
    description bytea, -- the alternative text, encrypted as above; NULL: none
    CONSTRAINT question_picture_message FOREIGN KEY (question, n) REFERENCES question_message ON DELETE CASCADE,
    CONSTRAINT question_picture_position UNIQUE (question, n, position),
    CONSTRAINT question_picture_sent CHECK (
        (question IS NULL) = (n IS NULL) AND (question IS NULL) = (position IS NULL)
        AND (question IS NOT NULL OR description IS NULL)
    )
);
CREATE INDEX question_picture_account ON question_picture (account, id);
CREATE INDEX question_picture_waiting ON question_picture (stored_at) WHERE question IS NULL;
