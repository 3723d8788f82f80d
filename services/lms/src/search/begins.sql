-- Whether a title or a reading has all words, and those of kana where a word begins. Parameters: grams and patterns of the
-- words.
SELECT EXISTS (
    SELECT
    FROM search
    WHERE title_grams @> $1 AND ' ' || title LIKE ALL ($2)
) AS "begins!"
