-- Minors have quiet hours unless they choose others.

-- NULL quiet hours mean that the age decides, unless quiet_off. The previous release does not set quiet_off; its row without
-- quiet hours held the default of all people.
ALTER TABLE notification_setting ADD COLUMN quiet_off boolean NOT NULL DEFAULT false;

CREATE TABLE account_age (
    account uuid CONSTRAINT account_age_pkey PRIMARY KEY,
    adult_on date NOT NULL, -- from this day in Japan on
    known_at timestamptz NOT NULL -- an older date does not replace a newer one
);
