-- What `desk import` brings: notices, answers, success stories, entrance exams. `words` is what is searched, as
-- kit::search makes it.

CREATE TABLE notice (
    id bigint CONSTRAINT notice_pkey PRIMARY KEY,
    category text NOT NULL,
    audience text NOT NULL CONSTRAINT notice_audience CHECK (audience IN ('everyone', 'learner', 'guardian')),
    -- A published one whose time is still to come is scheduled.
    state text NOT NULL CONSTRAINT notice_state CHECK (state IN ('draft', 'published', 'archived')),
    is_pinned boolean NOT NULL,
    title text NOT NULL,
    summary text NOT NULL,
    body text NOT NULL,
    published_at timestamptz NOT NULL,
    modified_at timestamptz NOT NULL,
    title_words text NOT NULL,
    words text NOT NULL
);
CREATE INDEX notice_published_at ON notice (is_pinned DESC, published_at DESC, id DESC)
    WHERE state = 'published' AND audience = 'everyone';

CREATE TABLE faq (
    id bigint CONSTRAINT faq_pkey PRIMARY KEY,
    position integer NOT NULL,
    category text NOT NULL,
    question text NOT NULL,
    answer text NOT NULL,
    related bigint[] NOT NULL,
    title_words text NOT NULL,
    words text NOT NULL,
    helpful_count integer NOT NULL DEFAULT 0,
    unhelpful_count integer NOT NULL DEFAULT 0
);

-- That somebody voted on a day; forgotten when the day is over, as the counts stay.
CREATE TABLE faq_vote (
    faq bigint NOT NULL CONSTRAINT faq_vote_faq REFERENCES faq ON DELETE CASCADE,
    visitor bytea NOT NULL, -- a keyed hash of the address
    day date NOT NULL, -- in Tokyo
    CONSTRAINT faq_vote_pkey PRIMARY KEY (faq, visitor, day)
);
CREATE INDEX faq_vote_day ON faq_vote (day);

CREATE TABLE success_year (
    year integer CONSTRAINT success_year_pkey PRIMARY KEY,
    as_of date NOT NULL,
    figures jsonb NOT NULL, -- [{label, count, of, unit}]
    schools jsonb NOT NULL -- [{name, kind, count}]
);

CREATE TABLE success_voice (
    id bigint CONSTRAINT success_voice_pkey PRIMARY KEY,
    year integer NOT NULL CONSTRAINT success_voice_year REFERENCES success_year ON DELETE CASCADE,
    position integer NOT NULL,
    name text NOT NULL,
    school text NOT NULL,
    school_year text NOT NULL,
    text text NOT NULL,
    course_ids bigint[] NOT NULL,
    consent_until date NOT NULL -- the last day on which it may be shown
);

CREATE TABLE entry_exam (
    id bigint CONSTRAINT entry_exam_pkey PRIMARY KEY,
    prefecture text NOT NULL,
    region smallint NOT NULL, -- 0 is all Japan, 1 to 47 from the north
    kind text NOT NULL,
    name text NOT NULL,
    apply_from date NOT NULL,
    apply_until date NOT NULL,
    exam_on date NOT NULL,
    result_on date NOT NULL,
    subjects text[] NOT NULL,
    note text NOT NULL
);
