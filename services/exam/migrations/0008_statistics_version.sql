-- Versions of the statistics of an exam with a final result, with its item analysis: how each question worked.

CREATE TABLE statistics_version (
    exam_id bigint NOT NULL CONSTRAINT statistics_version_exam_id_fkey REFERENCES exam,
    -- Version 1 has the distributions of exam_statistics, which the results are made with.
    version integer NOT NULL CONSTRAINT statistics_version_positive CHECK (version > 0),
    computed_at timestamptz NOT NULL,
    -- As in exam_statistics.
    counts bigint[] NOT NULL,
    CONSTRAINT statistics_version_pkey PRIMARY KEY (exam_id, version)
);

CREATE TABLE paper_statistics_version (
    exam_id bigint NOT NULL,
    version integer NOT NULL,
    paper_id bigint NOT NULL CONSTRAINT paper_statistics_version_paper_id_fkey REFERENCES paper,
    -- As in paper_statistics.
    counts bigint[] NOT NULL,
    CONSTRAINT paper_statistics_version_pkey PRIMARY KEY (exam_id, version, paper_id),
    CONSTRAINT paper_statistics_version_fkey FOREIGN KEY (exam_id, version) REFERENCES statistics_version
);

-- The score of a question is its points in one paper. The rest are the points of the other questions of that paper.
CREATE TABLE item_statistics (
    exam_id bigint NOT NULL,
    version integer NOT NULL,
    question_id bigint NOT NULL CONSTRAINT item_statistics_question_id_fkey REFERENCES question,
    -- Candidates who handed in the paper. A blank answer counts as wrong.
    candidate_count bigint NOT NULL,
    answered_count bigint NOT NULL,
    -- Candidates with full points.
    right_count bigint NOT NULL,
    -- The average score divided by the full points; NULL without candidates.
    difficulty_thousandths integer,
    -- The correlation of the score with the rest; NULL if all scores or all rests are equal.
    discrimination_thousandths integer,
    CONSTRAINT item_statistics_pkey PRIMARY KEY (exam_id, version, question_id),
    CONSTRAINT item_statistics_version_fkey FOREIGN KEY (exam_id, version) REFERENCES statistics_version
);

-- The choices of a question.
CREATE TABLE choice_statistics (
    exam_id bigint NOT NULL,
    version integer NOT NULL,
    question_id bigint NOT NULL CONSTRAINT choice_statistics_question_id_fkey REFERENCES question,
    -- Its position in the content, from 1.
    choice integer NOT NULL,
    -- Candidates who chose it.
    candidate_count bigint NOT NULL,
    -- The correlation of choosing it with the rest; NULL if nobody or everybody chose it, or all rests are equal.
    discrimination_thousandths integer,
    CONSTRAINT choice_statistics_pkey PRIMARY KEY (exam_id, version, question_id, choice),
    CONSTRAINT choice_statistics_version_fkey FOREIGN KEY (exam_id, version) REFERENCES statistics_version
);

-- The correlation of x and y in thousandths, rounded half up; NULL if all x or all y are equal. There are `pairs` of them,
-- with these sums of x, x², y, y² and xy.
CREATE FUNCTION correlation_thousandths(pairs numeric, x numeric, xx numeric, y numeric, yy numeric, xy numeric)
RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN floor(
    1000 * (pairs * xy - x * y) / nullif(sqrt((pairs * xx - x * x) * (pairs * yy - y * y)), 0) + 0.5
)::integer;
