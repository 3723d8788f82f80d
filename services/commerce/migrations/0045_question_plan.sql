-- Subscriptions include questions to teachers: whether desk was told so.
ALTER TABLE subscription ADD COLUMN is_plan_granted boolean NOT NULL DEFAULT false;
