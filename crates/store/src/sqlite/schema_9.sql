-- So that a list of runs is told without looking at every sample: how many a run has. Every round adds its own.
ALTER TABLE run ADD COLUMN samples INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
UPDATE run SET
    samples = (SELECT count(*) FROM trial JOIN sample USING (trial) WHERE trial.run = run.run),
    failures = (SELECT count(*) FROM trial JOIN failure USING (trial) WHERE trial.run = run.run);
CREATE INDEX trial_of_family ON trial (run, family);
