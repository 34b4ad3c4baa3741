-- Version 1 of the store. Units stand last in a column's name; NULL is "not known", never "none".
-- Unsigned 64-bit counts are kept as SQLite's signed integers bit by bit: a value beyond 2^63 would show as negative.

CREATE TABLE run (
    run INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    started TEXT NOT NULL,
    complete INTEGER NOT NULL,
    tool_name TEXT NOT NULL,
    tool_version TEXT NOT NULL,
    tool_commit TEXT,
    -- Decimal digits: a seed uses all 64 bits.
    seed TEXT NOT NULL,
    preset TEXT NOT NULL,
    -- JSON array of the words typed.
    command TEXT NOT NULL,
    metric TEXT NOT NULL,
    alpha REAL NOT NULL,
    alpha_per_cell INTEGER NOT NULL,
    delta REAL NOT NULL,
    -- JSON array of the numbers of rounds.
    looks TEXT NOT NULL,
    cells INTEGER NOT NULL,
    host_name TEXT,
    -- JSON object.
    host TEXT NOT NULL
) STRICT;

CREATE TABLE volume (
    volume INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    directory TEXT NOT NULL,
    file_system TEXT,
    mount_point TEXT,
    mount_options TEXT,
    device TEXT,
    rotational INTEGER,
    scheduler TEXT,
    total_bytes INTEGER,
    free_bytes INTEGER,
    block_bytes INTEGER
) STRICT;
CREATE INDEX volume_of_run ON volume (run);

CREATE TABLE trial (
    trial INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    -- Index of the trial in its run, from 0.
    ordinal INTEGER NOT NULL,
    family TEXT NOT NULL,
    technique TEXT NOT NULL,
    -- JSON array.
    aliases TEXT NOT NULL,
    kind TEXT NOT NULL,
    twin_of TEXT,
    class TEXT NOT NULL,
    -- JSON array.
    command TEXT NOT NULL,
    workload TEXT NOT NULL,
    workload_bytes INTEGER,
    -- JSON object: every measure of the workload, `bytes` among them.
    workload_numbers TEXT NOT NULL,
    cache TEXT NOT NULL,
    durability TEXT NOT NULL,
    directory TEXT NOT NULL,
    file_system TEXT,
    -- JSON array; empty is "all".
    processors TEXT NOT NULL,
    memory_limit_bytes INTEGER,
    attempt INTEGER NOT NULL,
    UNIQUE (run, ordinal)
) STRICT;

CREATE TABLE sample (
    sample INTEGER PRIMARY KEY,
    trial INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
    round INTEGER NOT NULL,
    inner_round INTEGER NOT NULL,
    position INTEGER NOT NULL,
    work_ns INTEGER,
    process_ns INTEGER,
    repetitions INTEGER NOT NULL,
    user_ns INTEGER,
    system_ns INTEGER,
    minor_faults INTEGER,
    major_faults INTEGER,
    voluntary_switches INTEGER,
    involuntary_switches INTEGER,
    peak_memory_bytes INTEGER,
    read_bytes INTEGER,
    written_bytes INTEGER,
    resident_pages INTEGER,
    total_pages INTEGER,
    proof_bytes INTEGER NOT NULL,
    proof_digest TEXT NOT NULL,
    -- JSON object, or NULL when the family keeps no parts apart.
    phases_ns TEXT,
    -- JSON array, or NULL when there is nothing to say.
    notes TEXT
) STRICT;
CREATE INDEX sample_of_trial ON sample (trial);

CREATE TABLE failure (
    failure INTEGER PRIMARY KEY,
    trial INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,
    round INTEGER,
    position INTEGER,
    kind TEXT NOT NULL,
    reason TEXT NOT NULL
) STRICT;
CREATE INDEX failure_of_trial ON failure (trial);

CREATE TABLE canary (
    canary INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    round INTEGER NOT NULL,
    processor_ns INTEGER NOT NULL,
    memory_ns INTEGER NOT NULL
) STRICT;
CREATE INDEX canary_of_run ON canary (run);

CREATE TABLE note (
    note INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    topic TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX note_of_run ON note (run);

-- For people who ask the store with SQL: every sample with the names of its run and trial.
CREATE VIEW measurement AS
SELECT run.id AS run_id, run.started, run.host_name, trial.family, trial.technique, trial.kind, trial.workload,
       trial.workload_bytes, trial.cache, trial.durability, trial.directory, trial.file_system, trial.attempt,
       sample.round, sample.inner_round, sample.position, sample.work_ns, sample.process_ns, sample.repetitions,
       sample.user_ns, sample.system_ns, sample.minor_faults, sample.major_faults, sample.voluntary_switches,
       sample.involuntary_switches, sample.peak_memory_bytes, sample.read_bytes, sample.written_bytes
FROM sample JOIN trial USING (trial) JOIN run USING (run);
