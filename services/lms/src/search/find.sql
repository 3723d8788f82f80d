-- For each kind the number of hits, and for some kinds one page of them, the best first. Parameters: grams, patterns and
-- the beginning of the words, the kinds to page, the number of rows, the offset, and the limit of counting.
--
-- Each kind is read little further than its limit: titles first, then everything else, each through its own index. So a
-- word of nearly every lesson costs as little as a rare one.
WITH titled AS MATERIALIZED (
    SELECT kind, entry.id, entry.begins
    FROM unnest(ARRAY['course', 'lesson', 'teacher']) AS kind
    CROSS JOIN LATERAL (
        SELECT search.id, ' ' || search.title LIKE '% ' || $3 AS begins
        FROM search
        WHERE search.kind = kind.kind AND search.title_grams @> $1 AND ' ' || search.title LIKE ALL ($2)
        LIMIT $7
    ) AS entry
),
further AS MATERIALIZED (
    SELECT kind, entry.id
    FROM unnest(ARRAY['course', 'lesson', 'teacher']) AS kind
    CROSS JOIN LATERAL (
        SELECT search.id
        FROM search
        WHERE
            search.kind = kind.kind
            AND search.body_grams @> $1
            AND ' ' || search.body LIKE ALL ($2)
            AND NOT ' ' || search.title LIKE ALL ($2)
        LIMIT $7 - (SELECT count(*) FROM titled WHERE titled.kind = kind.kind)
    ) AS entry
),
found AS MATERIALIZED (
    SELECT
        kind,
        id,
        count(*) OVER (PARTITION BY kind) AS count,
        row_number() OVER (PARTITION BY kind ORDER BY tier, id) AS place
    FROM (
        SELECT kind, id, CASE WHEN begins THEN 1 ELSE 2 END AS tier FROM titled
        UNION ALL
        SELECT kind, id, 3 FROM further
    ) AS entry
)
-- The first row of each kind is always included, because it carries the count.
SELECT
    found.kind AS "kind!",
    found.id AS "id!",
    found.count AS "count!",
    found.kind = ANY ($4) AND found.place BETWEEN $6::bigint + 1 AND $6::bigint + $5::bigint AS "is_hit!",
    shown.title AS "title!",
    shown.summary AS "summary!",
    shown.course_id,
    shown.course_name
FROM found
CROSS JOIN LATERAL (
    SELECT course.name AS title, course.summary, NULL::bigint AS course_id, NULL AS course_name
    FROM course
    WHERE found.kind = 'course' AND course.id = found.id
    UNION ALL
    SELECT lesson.name, lesson.summary, lesson.course_id, course.name
    FROM lesson
    JOIN course ON course.id = lesson.course_id
    WHERE found.kind = 'lesson' AND lesson.id = found.id
    UNION ALL
    SELECT teacher.name, teacher.message, NULL, NULL
    FROM teacher
    WHERE found.kind = 'teacher' AND teacher.id = found.id
) AS shown
WHERE found.place = 1 OR found.kind = ANY ($4) AND found.place BETWEEN $6::bigint + 1 AND $6::bigint + $5::bigint
ORDER BY found.kind, found.place
