-- Whether a teacher stored the picture, for an answer. Read only until its message is sent. A picture that a teacher stored
-- with the previous release must be uploaded again.
ALTER TABLE question_picture ADD COLUMN for_answer boolean NOT NULL DEFAULT false;
