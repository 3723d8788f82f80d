-- When its player ended a stream; a beat or a start brings it back.
ALTER TABLE stream ADD COLUMN ended_at timestamptz;
