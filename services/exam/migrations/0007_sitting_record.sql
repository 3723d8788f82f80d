-- Records of a sitting, shown to the learner with the result. Nothing is decided by them.

-- Devices that were active in a sitting that was taken over, one for each epoch. A sitting on one device has no row.
CREATE TABLE active_device (
    sitting_id uuid NOT NULL CONSTRAINT active_device_sitting_id_fkey REFERENCES sitting ON DELETE CASCADE,
    epoch integer NOT NULL CONSTRAINT active_device_epoch_positive CHECK (epoch > 0),
    device_id uuid NOT NULL,
    -- The server's clock.
    active_since timestamptz NOT NULL,
    CONSTRAINT active_device_pkey PRIMARY KEY (sitting_id, epoch)
);

-- Seconds that a question was on the screen and in focus, as the devices reported them; never falls.
CREATE TABLE question_time (
    sitting_id uuid NOT NULL CONSTRAINT question_time_sitting_id_fkey REFERENCES sitting ON DELETE CASCADE,
    question_id bigint NOT NULL,
    seconds integer NOT NULL CONSTRAINT question_time_seconds_positive CHECK (seconds > 0),
    CONSTRAINT question_time_pkey PRIMARY KEY (sitting_id, question_id)
);
