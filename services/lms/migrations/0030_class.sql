-- Classes (クラス): live lessons of a course by a weekly timetable. The members are the learners who can use the course.

CREATE TABLE class (
    id bigint CONSTRAINT class_pkey PRIMARY KEY,
    course_id bigint NOT NULL CONSTRAINT class_course_id_fkey REFERENCES course,
    teacher_id bigint NOT NULL CONSTRAINT class_teacher_id_fkey REFERENCES teacher,
    name text NOT NULL,
    -- The room of the school's meeting tool.
    join_url text NOT NULL CONSTRAINT class_join_url CHECK (join_url LIKE 'https://%'),
    -- The first day of the timetable in Tokyo. It stays when the content counts it from the day of the import.
    first_day date NOT NULL,
    -- The class as in the content, which an import compares.
    content jsonb NOT NULL
);
CREATE INDEX class_course_id_idx ON class (course_id);

-- The dates of the timetable, expanded by the import. A moved lesson keeps its row.
CREATE TABLE live_lesson (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT live_lesson_pkey PRIMARY KEY,
    class_id bigint NOT NULL CONSTRAINT live_lesson_class_id_fkey REFERENCES class,
    -- From 1, in the order of the timetable.
    number integer NOT NULL,
    -- Empty: none.
    title text NOT NULL,
    -- The start in the timetable. `starts_at` differs if the lesson is moved.
    planned_at timestamptz NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    is_cancelled boolean NOT NULL,
    -- Why it is moved or cancelled. Empty: neither.
    reason text NOT NULL,
    -- How often the title, the times or the cancellation have changed: the SEQUENCE in calendar files.
    revision integer NOT NULL DEFAULT 0,
    -- The lesson of the course with the recording.
    recording_id bigint CONSTRAINT live_lesson_recording_id_fkey REFERENCES lesson,
    homework text,
    homework_due_at timestamptz,
    CONSTRAINT live_lesson_class_id_number_key UNIQUE (class_id, number),
    CONSTRAINT live_lesson_order CHECK (starts_at < ends_at),
    CONSTRAINT live_lesson_homework CHECK ((homework IS NULL) = (homework_due_at IS NULL))
);
CREATE INDEX live_lesson_class_id_starts_at_idx ON live_lesson (class_id, starts_at);

-- Live lessons that a learner joined.
CREATE TABLE attendance (
    learner_id uuid NOT NULL,
    live_lesson_id bigint NOT NULL CONSTRAINT attendance_live_lesson_id_fkey REFERENCES live_lesson ON DELETE CASCADE,
    -- When the learner first joined.
    joined_at timestamptz NOT NULL,
    CONSTRAINT attendance_pkey PRIMARY KEY (learner_id, live_lesson_id)
);
CREATE INDEX attendance_live_lesson_id_idx ON attendance (live_lesson_id);

-- Homework of live lessons that a learner marked as done.
CREATE TABLE homework_mark (
    learner_id uuid NOT NULL,
    live_lesson_id bigint NOT NULL CONSTRAINT homework_mark_live_lesson_id_fkey REFERENCES live_lesson ON DELETE CASCADE,
    done_at timestamptz NOT NULL,
    CONSTRAINT homework_mark_pkey PRIMARY KEY (learner_id, live_lesson_id)
);
CREATE INDEX homework_mark_live_lesson_id_idx ON homework_mark (live_lesson_id);
