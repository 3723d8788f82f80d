-- Whether desk was told that the question plan of a subscription ended. Releases before this column leave it false.
ALTER TABLE subscription ADD COLUMN is_plan_revoked boolean NOT NULL DEFAULT false;
