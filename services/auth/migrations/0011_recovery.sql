-- Recovering an account ends what was under way, and suspends its passkeys.

-- A suspended passkey signs in nobody until its owner keeps it.
ALTER TABLE passkey ADD COLUMN suspended_at timestamptz;

-- SHA-256 of the password hash in force when the change or the passkey was asked for. Neither is completed under another
-- password. Null in rows written by a version without this column: such a row is never completed.
ALTER TABLE email_change ADD COLUMN password_version bytea;
ALTER TABLE passkey_challenge ADD COLUMN password_version bytea;

-- The link by which the old address stops a change of address.
ALTER TABLE link
    DROP CONSTRAINT link_purpose,
    ADD CONSTRAINT link_purpose
        CHECK (purpose IN ('verify', 'reset', 'email', 'email_stop', 'email_undo', 'consent'));
