-- The weekly reports that were sent to guardians, one row a guardian and week.
CREATE TABLE weekly_report (
    guardian uuid NOT NULL CONSTRAINT weekly_report_guardian_fkey REFERENCES account ON DELETE CASCADE,
    week date NOT NULL, -- its Monday
    leased_until timestamptz NOT NULL, -- until then, no other replica prepares it
    sent_at timestamptz, -- also set if there was no child to report about
    CONSTRAINT weekly_report_pkey PRIMARY KEY (guardian, week)
);
CREATE INDEX weekly_report_week ON weekly_report (week);
