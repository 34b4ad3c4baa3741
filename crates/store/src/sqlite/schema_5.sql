-- What is compared in full, so that a run can be judged without the family that measured it; values that techniques tell of
-- themselves, latencies, and facts.

-- JSON object: key, what, better, source.
ALTER TABLE run ADD COLUMN quantity TEXT NOT NULL DEFAULT '{}';
UPDATE run SET quantity = CASE metric
    WHEN 'work' THEN '{"key":"work_ns","what":"the time of the work","better":"less","source":"work"}'
    WHEN 'process' THEN '{"key":"process_ns","what":"the time of the whole process","better":"less","source":"process"}'
    WHEN 'cpu' THEN '{"key":"cpu_ns","what":"user and system time together","better":"less","source":"usage"}'
    WHEN 'user' THEN '{"key":"user_ns","what":"user time","better":"less","source":"usage"}'
    WHEN 'system' THEN '{"key":"system_ns","what":"system time","better":"less","source":"usage"}'
    WHEN 'memory' THEN '{"key":"peak_memory_bytes","what":"peak memory","better":"less","source":"usage"}'
    ELSE '{}' END;
ALTER TABLE run DROP COLUMN metric;
-- JSON object: what can be compared in families that declare quantities of their own, by the family's name.
ALTER TABLE run ADD COLUMN quantities TEXT NOT NULL DEFAULT '{}';

-- JSON object of numbers by the quantity's key, the unit last: parts of the work are `read_ns`, no longer `read`.
ALTER TABLE sample ADD COLUMN value_numbers TEXT;
UPDATE sample SET value_numbers =
    (SELECT json_group_object(key || '_ns', value) FROM json_each(sample.phases_ns)) WHERE phases_ns IS NOT NULL;
ALTER TABLE sample DROP COLUMN phases_ns;
-- JSON object of texts: HdrHistograms in base64 by their name.
ALTER TABLE sample ADD COLUMN histograms TEXT;

CREATE TABLE fact (
    fact INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    family TEXT NOT NULL,
    name TEXT NOT NULL,
    -- What it is about; empty where it is about the host.
    about TEXT NOT NULL,
    -- A number with its unit, or words.
    number REAL,
    unit TEXT,
    words TEXT
) STRICT;
CREATE INDEX fact_of_run ON fact (run);
