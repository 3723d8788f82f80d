-- A learner's items as a page shows them: one row that is read by its key and sent as it is. The page used to join,
-- sort and count at each look, which cost four times as much. Its contents change only with a grant, an extension, a
-- revocation, a check, or a heartbeat in another course than the last one.
--
-- Triggers keep the row right, so a release that does not know the table may write `inventory` and `progress` too. They
-- compute the row anew from both tables. A heartbeat in the course that was watched last changes nothing here.
CREATE TABLE learner_inventory (
    learner_id uuid CONSTRAINT learner_inventory_pkey PRIMARY KEY,
    -- Distinct complete courses among the items.
    complete_count integer NOT NULL,
    -- 69 bytes for each item, the last watched first, then the newest, then the highest id. Numbers are big-endian and
    -- times are microseconds since 2000-01-01, as PostgreSQL sends them; a time that is not set is 'infinity':
    -- id, course_id, product_id, created, modified, expire_at, completed_at, opened_at (8 bytes each), check_count
    -- (4 bytes), is_auto_renewal (1 byte).
    items bytea NOT NULL
) WITH (fillfactor = 70);

-- Computes the rows of these learners anew.
CREATE FUNCTION refresh_learner_inventory(learners uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- Waits for other transactions that change the rows. The next statement then sees what they wrote.
    PERFORM FROM learner_inventory WHERE learner_id = ANY (learners) ORDER BY learner_id FOR UPDATE;

    INSERT INTO learner_inventory (learner_id, complete_count, items)
    SELECT
        inventory.learner_id,
        count(DISTINCT inventory.course_id) FILTER (WHERE progress.completed_at IS NOT NULL),
        string_agg(
            int8send(inventory.id)
            || int8send(inventory.course_id)
            || int8send(inventory.product_id)
            || timestamptz_send(inventory.created)
            || timestamptz_send(inventory.modified)
            || timestamptz_send(coalesce(inventory.expire_at, 'infinity'))
            || timestamptz_send(coalesce(progress.completed_at, 'infinity'))
            || timestamptz_send(coalesce(progress.opened_at, 'infinity'))
            || int4send(coalesce(progress.check_count, 0))
            || boolsend(inventory.is_auto_renewal),
            ''
            ORDER BY progress.last_watched_at DESC NULLS LAST, inventory.created DESC, inventory.id DESC
        )
    FROM inventory
    LEFT JOIN progress
        ON progress.learner_id = inventory.learner_id AND progress.course_id = inventory.course_id
    WHERE inventory.learner_id = ANY (learners)
    GROUP BY inventory.learner_id
    ON CONFLICT (learner_id) DO UPDATE SET complete_count = excluded.complete_count, items = excluded.items;
END
$$;

-- After a statement that wrote to `inventory`.
CREATE FUNCTION refresh_inventory_learners() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    learners uuid[] := (SELECT array_agg(DISTINCT learner_id) FROM changed);
BEGIN
    IF learners IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM refresh_learner_inventory(learners);
    IF TG_OP = 'DELETE' THEN
        DELETE FROM learner_inventory
        WHERE
            learner_id = ANY (learners)
            AND NOT EXISTS (SELECT FROM inventory WHERE inventory.learner_id = learner_inventory.learner_id);
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER inventory_inserted AFTER INSERT ON inventory REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION refresh_inventory_learners();
CREATE TRIGGER inventory_updated AFTER UPDATE ON inventory REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION refresh_inventory_learners();
CREATE TRIGGER inventory_deleted AFTER DELETE ON inventory REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION refresh_inventory_learners();

-- After a row of `progress` was written. A trigger of the statement would cost each heartbeat two calls, as an upsert
-- fires those of INSERT and of UPDATE.
CREATE FUNCTION refresh_progress_learner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- A heartbeat brings its course to the front. Most come from the course that is there already.
    IF
        TG_OP = 'UPDATE'
        AND NEW.check_count = OLD.check_count
        AND NEW.completed_at IS NOT DISTINCT FROM OLD.completed_at
        AND NEW.opened_at IS NOT DISTINCT FROM OLD.opened_at
        AND NEW.last_watched_at >= OLD.last_watched_at
    THEN
        PERFORM FROM progress
        WHERE
            learner_id = NEW.learner_id
            AND course_id <> NEW.course_id
            AND last_watched_at >= OLD.last_watched_at;
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
    END IF;
    PERFORM refresh_learner_inventory(ARRAY[coalesce(NEW.learner_id, OLD.learner_id)]);
    RETURN NULL;
END
$$;
CREATE TRIGGER progress_written AFTER INSERT OR UPDATE OR DELETE ON progress
    FOR EACH ROW EXECUTE FUNCTION refresh_progress_learner();

-- Another number after each write to `course`. While it is the same, so is every revision; lms keeps them in memory.
-- It is a time in microseconds, so no two states share one, even in a database that replaces this one.
CREATE TABLE catalogue_version (
    version bigint NOT NULL
);
CREATE UNIQUE INDEX catalogue_version_single ON catalogue_version ((true));
INSERT INTO catalogue_version (version) SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;

CREATE FUNCTION raise_catalogue_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE catalogue_version
    SET version = greatest(version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
    RETURN NULL;
END
$$;
CREATE TRIGGER course_written AFTER INSERT OR UPDATE OR DELETE ON course
    FOR EACH STATEMENT EXECUTE FUNCTION raise_catalogue_version();
