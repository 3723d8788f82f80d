-- A lesson with its path, its neighbours, and the learner's marks and watch history of it. No row without an entitlement
-- to its course.
WITH taught AS (
    SELECT
        lesson.id,
        row_number() OVER way AS number,
        count(*) OVER () AS lesson_count,
        lag(lesson.id) OVER way AS previous_id,
        lead(lesson.id) OVER way AS next_id
    FROM chapter
    JOIN unit ON unit.chapter_id = chapter.id
    JOIN lesson ON lesson.unit_id = unit.id
    WHERE chapter.course_id = (SELECT asked.course_id FROM lesson AS asked WHERE asked.id = $2)
    WINDOW way AS (ORDER BY chapter.position, unit.position, lesson.position)
)
SELECT
    lesson.id,
    lesson.name,
    lesson.summary,
    lesson.duration,
    unit.id AS unit_id,
    unit.name AS unit_name,
    chapter.id AS chapter_id,
    chapter.name AS chapter_name,
    course.id AS course_id,
    course.name AS course_name,
    entitlement.inventory_id AS "inventory_id!",
    entitlement.product_id AS "product_id!",
    entitlement.expire_at,
    taught.number AS "number!",
    taught.lesson_count AS "lesson_count!",
    previous.id AS "previous_id?",
    previous.name AS "previous_name?",
    previous.summary AS "previous_summary?",
    previous.duration AS "previous_duration?",
    next.id AS "next_id?",
    next.name AS "next_name?",
    next.summary AS "next_summary?",
    next.duration AS "next_duration?",
    lesson.has_video,
    (SELECT count(*) FROM question WHERE question.lesson_id = lesson.id)::integer AS "question_count!",
    lesson.marks AS "marks: Json<Vec<VideoMark>>",
    lesson.handouts AS "handouts: Json<Vec<Handout>>",
    EXISTS (
        SELECT FROM favorite WHERE favorite.learner_id = $1 AND favorite.lesson_id = lesson.id
    ) AS "is_favorite!",
    EXISTS (
        SELECT FROM lesson_check WHERE lesson_check.learner_id = $1 AND lesson_check.lesson_id = lesson.id
    ) AS "is_check!",
    watch.position AS "position?",
    watch.furthest AS "furthest?",
    watch.covered AS "covered?",
    watch.times AS "times?",
    watch.last_seen AS "last_seen?"
FROM taught
JOIN lesson ON lesson.id = taught.id
JOIN unit ON unit.id = lesson.unit_id
JOIN chapter ON chapter.id = unit.chapter_id
JOIN course ON course.id = lesson.course_id
JOIN entitlement
    ON entitlement.learner_id = $1
    AND entitlement.course_id = (SELECT asked.course_id FROM lesson AS asked WHERE asked.id = $2)
LEFT JOIN lesson AS previous ON previous.id = taught.previous_id
LEFT JOIN lesson AS next ON next.id = taught.next_id
LEFT JOIN watch ON watch.learner_id = $1 AND watch.lesson_id = lesson.id
WHERE taught.id = $2
