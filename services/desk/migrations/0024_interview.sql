-- Online interviews of learners with teachers.

-- Weekly hours of teachers, imported with the content. The sweep opens their slots for the coming weeks.
CREATE TABLE interview_hours (
    id bigint CONSTRAINT interview_hours_pkey PRIMARY KEY,
    kind smallint NOT NULL CONSTRAINT interview_hours_kind CHECK (kind IN (1, 3)),
    teacher text NOT NULL,
    weekday smallint NOT NULL CONSTRAINT interview_hours_weekday CHECK (weekday BETWEEN 1 AND 7), -- from Monday
    from_minute integer NOT NULL, -- minutes after midnight in Tokyo
    until_minute integer NOT NULL,
    slot_minutes integer NOT NULL CONSTRAINT interview_hours_slot CHECK (slot_minutes > 0),
    join_url text NOT NULL CONSTRAINT interview_hours_join CHECK (join_url LIKE 'https://%'),
    opened_until date NOT NULL, -- the last day in Tokyo whose slots are open
    CONSTRAINT interview_hours_order CHECK (from_minute >= 0 AND from_minute < until_minute AND until_minute <= 1440)
);

CREATE TABLE interview_slot (
    id uuid CONSTRAINT interview_slot_pkey PRIMARY KEY,
    kind smallint NOT NULL CONSTRAINT interview_slot_kind CHECK (kind IN (1, 3)), -- 1 学習相談, 3 三者面談
    teacher text NOT NULL, -- the name without 先生
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    join_url text NOT NULL CONSTRAINT interview_slot_join CHECK (join_url LIKE 'https://%'), -- of the video call
    hours bigint, -- the weekly hours that it belongs to; NULL: opened on the command line
    closed_at timestamptz, -- when staff closed it
    CONSTRAINT interview_slot_start UNIQUE (teacher, starts_at),
    CONSTRAINT interview_slot_order CHECK (starts_at < ends_at)
);
CREATE INDEX interview_slot_kind_start ON interview_slot (kind, starts_at);
CREATE INDEX interview_slot_hours ON interview_slot (hours, starts_at);

CREATE TABLE interview (
    id uuid CONSTRAINT interview_pkey PRIMARY KEY,
    slot uuid NOT NULL CONSTRAINT interview_slot REFERENCES interview_slot,
    account uuid NOT NULL, -- the learner
    state text NOT NULL CONSTRAINT interview_state CHECK (state IN ('held', 'booked', 'cancelled')),
    held_until timestamptz, -- of a hold
    replaces uuid, -- the interview that this one cancels, or has cancelled
    booked_at timestamptz,
    cancelled_at timestamptz,
    calendar_id uuid NOT NULL, -- the UID of the event in calendar files
    calendar_sequence integer NOT NULL,
    is_missed boolean NOT NULL DEFAULT false, -- whether the learner did not come
    feedback bytea, -- the teacher's notes under AES-256-GCM: nonce, ciphertext, tag
    feedback_at timestamptz,
    CONSTRAINT interview_hold CHECK ((state = 'held') = (held_until IS NOT NULL)),
    CONSTRAINT interview_booked CHECK (state = 'held' OR booked_at IS NOT NULL),
    CONSTRAINT interview_cancelled CHECK ((state = 'cancelled') = (cancelled_at IS NOT NULL)),
    CONSTRAINT interview_feedback CHECK ((feedback IS NULL) = (feedback_at IS NULL))
);
-- One hold or booking wins a slot.
CREATE UNIQUE INDEX interview_winner ON interview (slot) WHERE state IN ('held', 'booked');
CREATE UNIQUE INDEX interview_own_hold ON interview (account) WHERE state = 'held';
CREATE INDEX interview_account ON interview (account);
CREATE INDEX interview_of_slot ON interview (slot);
CREATE INDEX interview_held_until ON interview (held_until) WHERE state = 'held';
