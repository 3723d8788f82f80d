-- Titles to suggest: first those with a word that begins like the first typed word, then the shortest. Parameters: grams,
-- patterns and the beginning of the words, the number of rows, and the number of titles to consider.
WITH titled AS MATERIALIZED (
    SELECT entry.kind, entry.id, entry.begins, entry.length
    FROM unnest(ARRAY['course', 'lesson', 'teacher']) AS kind
    CROSS JOIN LATERAL (
        SELECT search.kind, search.id, ' ' || search.title LIKE '% ' || $3 AS begins, length(search.title) AS length
        FROM search
        WHERE search.kind = kind.kind AND search.title_grams @> $1 AND ' ' || search.title LIKE ALL ($2)
        LIMIT $5
    ) AS entry
),
best AS MATERIALIZED (
    SELECT kind, id, row_number() OVER (ORDER BY begins DESC, kind, length, id) AS place
    FROM titled
    ORDER BY place
    LIMIT $4
)
SELECT
    best.kind AS "kind!",
    best.id AS "id!",
    coalesce(course.name, lesson.name, teacher.name) AS "title!",
    lesson.course_id AS "course_id?"
FROM best
LEFT JOIN course ON best.kind = 'course' AND course.id = best.id
LEFT JOIN lesson ON best.kind = 'lesson' AND lesson.id = best.id
LEFT JOIN teacher ON best.kind = 'teacher' AND teacher.id = best.id
ORDER BY best.place
