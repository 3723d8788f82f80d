-- Guardians who withdraw their consent.

ALTER TABLE subscription
    -- Whether it ends because a guardian withdrew their consent. Then it can't be resumed.
    ADD COLUMN is_consent_withdrawn boolean NOT NULL DEFAULT false;
