-- The lesson with which a learner goes on, as their own page offers it: the last watched one until its last 10 seconds,
-- then those after it, then the rest of its course, then the other courses, the newest first. No checked lesson.
-- Parameters: the learner and the time.
WITH last AS (
    SELECT watch.lesson_id, lesson.course_id, watch.position < lesson.duration - 10 AS is_open
    FROM watch
    JOIN lesson ON lesson.id = watch.lesson_id
    JOIN entitlement ON entitlement.learner_id = watch.learner_id AND entitlement.course_id = lesson.course_id
    WHERE watch.learner_id = $1 AND entitlement.active_until > $2
    ORDER BY watch.last_seen DESC, watch.lesson_id DESC
    LIMIT 1
),
taught AS (
    SELECT
        lesson.id,
        lesson.name,
        course.id AS course_id,
        course.name AS course_name,
        entitlement.newest_created,
        row_number() OVER (
            PARTITION BY course.id ORDER BY chapter.position, unit.position, lesson.position
        ) AS number
    FROM entitlement
    JOIN course ON course.id = entitlement.course_id
    JOIN chapter ON chapter.course_id = course.id
    JOIN unit ON unit.chapter_id = chapter.id
    JOIN lesson ON lesson.unit_id = unit.id
    WHERE entitlement.learner_id = $1 AND entitlement.active_until > $2
)
SELECT taught.name AS lesson_name, taught.course_name
FROM taught
LEFT JOIN last ON last.course_id = taught.course_id
LEFT JOIN taught AS watched ON watched.id = last.lesson_id
WHERE
    (taught.id IS DISTINCT FROM last.lesson_id OR last.is_open)
    AND NOT EXISTS (
        SELECT FROM lesson_check WHERE lesson_check.learner_id = $1 AND lesson_check.lesson_id = taught.id
    )
ORDER BY
    last.lesson_id IS NULL,
    taught.number < watched.number,
    taught.newest_created DESC,
    taught.course_id,
    taught.number
LIMIT 1
