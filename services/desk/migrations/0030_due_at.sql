-- When the first attempt to send a mail was due, for the age of the queue and for the expiry. NULL before that attempt;
-- next_try_at is the due time until then. The previous release neither sets nor reads it.
ALTER TABLE mail ADD COLUMN due_at timestamptz;
UPDATE mail SET due_at = created WHERE state = 'waiting' AND tries > 0;

-- As for mails.
ALTER TABLE push ADD COLUMN due_at timestamptz;
UPDATE push SET due_at = created_at WHERE tries > 0;
