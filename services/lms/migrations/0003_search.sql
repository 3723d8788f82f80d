-- What courses, lessons and teachers are found by. Tables of their own, so that what learners read all the time stays
-- small; `lms import` writes them, in the form of kit::search.
CREATE TABLE search (
    kind text NOT NULL,
    -- Of the course, the lesson or the teacher.
    id bigint NOT NULL,
    -- The title and its readings.
    title text STORAGE MAIN NOT NULL,
    -- The title again, and all else that can be searched.
    body text STORAGE MAIN NOT NULL,
    -- Every character and every two neighbours in the words of the title and of the body. Only their indexes are read.
    title_grams text[] STORAGE EXTERNAL NOT NULL,
    body_grams text[] STORAGE EXTERNAL NOT NULL,
    CONSTRAINT search_pkey PRIMARY KEY (kind, id)
) PARTITION BY LIST (kind);

-- A partition a kind, so that the many lessons are not in the way of the few courses and teachers.
CREATE TABLE search_course PARTITION OF search FOR VALUES IN ('course') WITH (toast_tuple_target = 128);
CREATE TABLE search_lesson PARTITION OF search FOR VALUES IN ('lesson') WITH (toast_tuple_target = 128);
CREATE TABLE search_teacher PARTITION OF search FOR VALUES IN ('teacher') WITH (toast_tuple_target = 128);

-- Written by imports, read by people who wait: no list of pending entries.
CREATE INDEX search_title_grams_idx ON search USING gin (title_grams) WITH (fastupdate = off);
CREATE INDEX search_body_grams_idx ON search USING gin (body_grams) WITH (fastupdate = off);

ALTER TABLE search_course ADD CONSTRAINT search_course_id_fkey FOREIGN KEY (id) REFERENCES course;
ALTER TABLE search_lesson ADD CONSTRAINT search_lesson_id_fkey FOREIGN KEY (id) REFERENCES lesson;
ALTER TABLE search_teacher ADD CONSTRAINT search_teacher_id_fkey FOREIGN KEY (id) REFERENCES teacher;
