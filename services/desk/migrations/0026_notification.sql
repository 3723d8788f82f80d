-- Notifications that a person can switch off: their settings, and which were made.

-- A person without a row gets every notification at once.
CREATE TABLE notification_setting (
    account uuid CONSTRAINT notification_setting_pkey PRIMARY KEY,
    mail_off text[] NOT NULL, -- topics without mails
    push_off text[] NOT NULL, -- topics without pushes
    quiet_from smallint, -- hours in Japan; NULL: no quiet hours
    quiet_until smallint,
    CONSTRAINT notification_setting_quiet CHECK (
        (quiet_from IS NULL) = (quiet_until IS NULL) AND quiet_from BETWEEN 0 AND 23 AND quiet_until BETWEEN 0 AND 23
        AND quiet_from <> quiet_until
    )
);

-- Kept for 30 days, to send each notification once.
CREATE TABLE notification (
    id uuid CONSTRAINT notification_pkey PRIMARY KEY, -- also of its mail
    account uuid NOT NULL,
    dedupe_key text NOT NULL, -- the occurrence, e.g. event_offered, the entry and the deadline
    about uuid, -- the subject, e.g. an entry of an event
    created_at timestamptz NOT NULL,
    CONSTRAINT notification_once UNIQUE (account, dedupe_key)
);
CREATE INDEX notification_about ON notification (about) WHERE about IS NOT NULL;
CREATE INDEX notification_created_at ON notification (created_at);

-- NULL: a mail that can't be switched off.
ALTER TABLE mail ADD COLUMN topic text;
