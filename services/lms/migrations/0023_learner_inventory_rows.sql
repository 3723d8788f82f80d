-- no-transaction
-- The rows of `learner_inventory` for items that were granted before its triggers. Each batch is a transaction of its
-- own, so no heartbeat waits long for a row. Repeating it changes nothing.
DO $$
DECLARE
    learners uuid[];
    last uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
    LOOP
        SELECT array_agg(learner_id ORDER BY learner_id) INTO learners
        FROM (
            SELECT DISTINCT learner_id FROM inventory WHERE learner_id > last ORDER BY learner_id LIMIT 1000
        ) AS next;
        EXIT WHEN learners IS NULL;
        PERFORM refresh_learner_inventory(learners);
        last := learners[cardinality(learners)];
        COMMIT;
    END LOOP;
END
$$;
