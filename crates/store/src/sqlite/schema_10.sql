-- What the system counted and no column of its own holds: a JSON object of numbers by their names. A further counter then needs no
-- further step.
ALTER TABLE sample ADD COLUMN counters TEXT;
