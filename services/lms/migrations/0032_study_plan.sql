-- The minutes a day of learners' study plans. The plan itself is computed. Without a row, the default holds.
CREATE TABLE study_plan (
    learner_id uuid CONSTRAINT study_plan_pkey PRIMARY KEY,
    -- 0: no plan.
    minutes smallint NOT NULL CONSTRAINT study_plan_minutes CHECK (minutes BETWEEN 0 AND 120 AND minutes % 5 = 0),
    modified timestamptz NOT NULL
);
