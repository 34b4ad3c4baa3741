-- A family that works on no files has no state of the file cache, no end point and no directory: NULL. SQLite cannot take NOT NULL away,
-- and what leaves a table with its references takes their rows along: columns of the same names take the place of the old ones.
DROP VIEW measurement;
ALTER TABLE trial ADD COLUMN cache_of_files TEXT;
ALTER TABLE trial ADD COLUMN durability_of_files TEXT;
ALTER TABLE trial ADD COLUMN directory_of_files TEXT;
-- The one family without files until now.
UPDATE trial SET file_system = NULL WHERE family = 'clock';
UPDATE trial SET cache_of_files = cache, durability_of_files = durability, directory_of_files = directory
WHERE family <> 'clock';
ALTER TABLE trial DROP COLUMN cache;
ALTER TABLE trial DROP COLUMN durability;
ALTER TABLE trial DROP COLUMN directory;
ALTER TABLE trial RENAME COLUMN cache_of_files TO cache;
ALTER TABLE trial RENAME COLUMN durability_of_files TO durability;
ALTER TABLE trial RENAME COLUMN directory_of_files TO directory;

-- For people who ask the store with SQL: every sample with the names of its run and trial.
CREATE VIEW measurement AS
SELECT run.id AS run_id, run.started, run.host_name, trial.family, trial.technique, trial.kind, trial.workload,
       trial.workload_bytes, trial.cache, trial.durability, trial.directory, trial.file_system, trial.attempt,
       sample.round, sample.inner_round, sample.position, sample.work_ns, sample.process_ns, sample.repetitions,
       sample.user_ns, sample.system_ns, sample.minor_faults, sample.major_faults, sample.voluntary_switches,
       sample.involuntary_switches, sample.peak_memory_bytes, sample.read_bytes, sample.written_bytes
FROM sample JOIN trial USING (trial) JOIN run USING (run);

-- What the user's own jobs ask: a JSON object of sentences by the job's name. Until now they stood among the notes.
ALTER TABLE run ADD COLUMN questions TEXT NOT NULL DEFAULT '{}';
UPDATE run SET questions =
    (SELECT json_group_object(substr(text, 1, instr(text, ': ') - 1), substr(text, instr(text, ': ') + 2))
     FROM note WHERE note.run = run.run AND topic = 'question')
WHERE run IN (SELECT run FROM note WHERE topic = 'question');
DELETE FROM note WHERE topic = 'question';
