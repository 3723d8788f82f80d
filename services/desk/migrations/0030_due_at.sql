-- When mails and pushes were due first, whether a notification has reached a browser, and whose picture waits.

-- When the first attempt was due, for the age of the queue and for the expiry. NULL before that attempt; next_try_at is
-- the due time until then. The previous release neither sets nor reads it.
ALTER TABLE mail ADD COLUMN due_at timestamptz;
UPDATE mail SET due_at = created WHERE state = 'waiting' AND tries > 0;

-- As for mails.
ALTER TABLE push ADD COLUMN due_at timestamptz;
UPDATE push SET due_at = created_at WHERE tries > 0;

-- Whether a push service has accepted a push of it.
ALTER TABLE notification ADD COLUMN is_pushed boolean NOT NULL DEFAULT false;

-- Whether a teacher stored the picture, for an answer; otherwise the learner did.
ALTER TABLE question_picture ADD COLUMN for_answer boolean NOT NULL DEFAULT false;
-- Pictures of answers that are sent.
UPDATE question_picture SET for_answer = true FROM question_message AS message
WHERE message.question = question_picture.question AND message.n = question_picture.n AND message.teacher IS NOT NULL;
