-- The fixed baseline of `cargo dev bench`: a page of a learner's items, joined, sorted and counted at each look. lms
-- itself reads its table `learner_inventory`, and a test of lms compares both. Do not tune this statement: figures of all
-- releases are compared with it.
-- Parameters: the learner, the limit, the offset, and whether the last watched come first.
SELECT
    inventory.id,
    inventory.course_id,
    course.revision AS course_revision,
    inventory.product_id,
    inventory.created,
    inventory.modified,
    inventory.expire_at,
    inventory.is_auto_renewal,
    progress.check_count AS "check_count?",
    progress.completed_at AS "completed_at?",
    progress.opened_at AS "opened_at?",
    count(*) OVER () AS "count!",
    (
        SELECT count(*)
        FROM progress
        WHERE
            progress.learner_id = $1
            AND progress.completed_at IS NOT NULL
            AND EXISTS (
                SELECT
                FROM inventory
                WHERE inventory.learner_id = $1 AND inventory.course_id = progress.course_id
            )
    ) AS "complete_count!"
FROM inventory
JOIN course ON course.id = inventory.course_id
LEFT JOIN progress ON progress.learner_id = inventory.learner_id AND progress.course_id = inventory.course_id
WHERE inventory.learner_id = $1
ORDER BY
    CASE WHEN $4 THEN progress.last_watched_at END DESC NULLS LAST,
    inventory.created DESC,
    inventory.id DESC
LIMIT $2 OFFSET $3
