-- Machines, each of them once. Runs of earlier versions tell what their machine was and have no fingerprint.
CREATE TABLE host (
    host INTEGER PRIMARY KEY,
    -- 16 hexadecimal digits; NULL where nothing tells the machine from others.
    fingerprint TEXT,
    -- JSON object: what is true of the machine for long.
    facts TEXT NOT NULL
) STRICT;
CREATE INDEX host_of_fingerprint ON host (fingerprint);
-- JSON object: what was true of the machine during the run.
ALTER TABLE run RENAME COLUMN host TO host_state;
ALTER TABLE run ADD COLUMN host INTEGER REFERENCES host;
CREATE INDEX run_of_host ON run (host);

CREATE TEMP TABLE parted AS
SELECT run, json_remove(host_state, '$.name', '$.os.name', '$.os.kernel', '$.os.c_library', '$.processor.allowed',
                        '$.processor.governor', '$.processor.turbo', '$.memory.total_bytes', '$.memory.available_bytes',
                        '$.memory.swap_bytes', '$.memory.huge_pages', '$.memory.handed_back_bytes', '$.limits',
                        '$.load', '$.uptime_s', '$.clock_source', '$.clock_step_ns') AS facts
FROM run;
INSERT INTO host (facts) SELECT DISTINCT facts FROM parted ORDER BY run;
UPDATE run
SET host = (SELECT host.host FROM host JOIN parted USING (facts) WHERE parted.run = run.run),
    host_state = json_remove(host_state, '$.os.family', '$.processor.model', '$.processor.architecture',
                             '$.processor.logical', '$.processor.cores', '$.processor.sockets',
                             '$.processor.numa_nodes', '$.processor.caches', '$.processor.frequency_max_hz',
                             '$.processor.hypervisor', '$.memory.page_bytes');
DROP TABLE parted;

-- JSON object: how far the budget reached, for an entry that was left out.
ALTER TABLE failure ADD COLUMN shortfall TEXT;
-- What earlier versions told by the text of the reason.
UPDATE failure SET kind = 'left-out', reason = substr(reason, length('left out: ') + 1)
WHERE kind = 'missing' AND reason LIKE 'left out: %';
UPDATE failure SET kind = 'disk-full'
WHERE kind <> 'wrong' AND (reason LIKE '%No space left on device%' OR reason LIKE '%(os error 28)%');
UPDATE failure SET kind = 'too-many-files'
WHERE kind <> 'wrong' AND (reason LIKE '%Too many open files%' OR reason LIKE '%(os error 24)%');
