-- Whether a push service has accepted a push of the notification. The previous release does not set it.
ALTER TABLE notification ADD COLUMN is_pushed boolean NOT NULL DEFAULT false;
