-- How much of a file the system reads ahead decides how reading in small pieces compares.
ALTER TABLE volume ADD COLUMN read_ahead_bytes INTEGER;
