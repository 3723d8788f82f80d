-- Sittings of papers. The states and their guards are in exam/v1/sitting.proto.

-- Learners with extra time in every paper. Set with `exam extra-time`.
CREATE TABLE extra_time (
    learner_id uuid CONSTRAINT extra_time_pkey PRIMARY KEY,
    -- 130: 1.3 times the minutes of a paper.
    percent integer NOT NULL CONSTRAINT extra_time_percent_known CHECK (percent IN (130, 150))
);

CREATE TABLE sitting (
    id uuid CONSTRAINT sitting_pkey PRIMARY KEY,
    learner_id uuid NOT NULL,
    paper_id bigint NOT NULL CONSTRAINT sitting_paper_id_fkey REFERENCES paper,
    started_at timestamptz NOT NULL,
    deadline_at timestamptz NOT NULL CONSTRAINT sitting_deadline_after_start CHECK (deadline_at > started_at),
    -- Each take-over adds 1.
    epoch integer NOT NULL CONSTRAINT sitting_epoch_positive CHECK (epoch > 0),
    -- The active device.
    device_id uuid NOT NULL,
    -- Seconds out of focus; never falls.
    away_seconds integer NOT NULL CONSTRAINT sitting_away_not_negative CHECK (away_seconds >= 0),
    -- The bytes of what was handed in and their SHA-256; null until the sitting is sealed.
    transcript bytea,
    digest bytea,
    CONSTRAINT sitting_learner_paper_key UNIQUE (learner_id, paper_id),
    CONSTRAINT sitting_sealed_whole CHECK ((transcript IS NULL) = (digest IS NULL))
);

-- For the job that seals what is over.
CREATE INDEX sitting_unsealed_idx ON sitting (deadline_at) WHERE transcript IS NULL;

CREATE FUNCTION keep_sitting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.transcript IS NOT NULL THEN
        RAISE EXCEPTION 'a sealed sitting never changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'sitting_sealed';
    END IF;
    IF NEW.started_at <> OLD.started_at OR NEW.deadline_at <> OLD.deadline_at THEN
        RAISE EXCEPTION 'a deadline never moves' USING ERRCODE = 'check_violation', CONSTRAINT = 'sitting_deadline_fixed';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER sitting_kept BEFORE UPDATE ON sitting FOR EACH ROW EXECUTE FUNCTION keep_sitting();

-- The devices of a sitting, and what the server knows of their clocks.
CREATE TABLE sitting_device (
    sitting_id uuid NOT NULL CONSTRAINT sitting_device_sitting_id_fkey REFERENCES sitting ON DELETE CASCADE,
    device_id uuid NOT NULL,
    -- Milliseconds that the server's clock is ahead of the device's.
    clock_offset_ms bigint NOT NULL,
    -- Answers that stayed on the device after its last message.
    pending integer NOT NULL,
    last_seen_at timestamptz NOT NULL,
    CONSTRAINT sitting_device_pkey PRIMARY KEY (sitting_id, device_id)
);

-- The answer that counts, one for each question.
CREATE TABLE answer (
    sitting_id uuid NOT NULL CONSTRAINT answer_sitting_id_fkey REFERENCES sitting ON DELETE CASCADE,
    question_id bigint NOT NULL,
    -- The version: a higher epoch wins, then a higher sequence.
    epoch integer NOT NULL,
    sequence bigint NOT NULL,
    -- The JSON text that `digest` is of; null: blank.
    answer text,
    is_flagged boolean NOT NULL,
    -- SHA-256.
    digest bytea NOT NULL,
    -- The server's clock.
    saved_at timestamptz NOT NULL,
    CONSTRAINT answer_pkey PRIMARY KEY (sitting_id, question_id)
);

-- Answers that were given after the deadline: kept for questions about an exam, never marked. The highest version of each.
CREATE TABLE late_answer (
    sitting_id uuid NOT NULL CONSTRAINT late_answer_sitting_id_fkey REFERENCES sitting ON DELETE CASCADE,
    question_id bigint NOT NULL,
    epoch integer NOT NULL,
    sequence bigint NOT NULL,
    answer text,
    -- By the device's clock, corrected.
    answered_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL,
    CONSTRAINT late_answer_pkey PRIMARY KEY (sitting_id, question_id)
);
