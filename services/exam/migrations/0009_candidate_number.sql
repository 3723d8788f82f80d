-- Candidate numbers (受験番号). The first save of the basic info takes the next one of its exam. No number is given twice,
-- also not after an erasure.
ALTER TABLE exam ADD COLUMN last_candidate_number integer NOT NULL DEFAULT 0;
-- NULL: saved by a release without numbers. The next save of the basic info takes one.
ALTER TABLE application
    ADD COLUMN candidate_number integer,
    ADD CONSTRAINT application_candidate_number_key UNIQUE (exam_id, candidate_number);

UPDATE application SET candidate_number = numbered.number
FROM (
    SELECT learner_id, exam_id, row_number() OVER (PARTITION BY exam_id ORDER BY created_at, learner_id) AS number
    FROM application
) AS numbered
WHERE application.learner_id = numbered.learner_id AND application.exam_id = numbered.exam_id;
UPDATE exam SET last_candidate_number = numbered.last
FROM (SELECT exam_id, max(candidate_number) AS last FROM application GROUP BY exam_id) AS numbered
WHERE id = exam_id;
