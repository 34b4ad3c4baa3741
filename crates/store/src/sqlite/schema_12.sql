-- One thing has one name: what is compared is a metric, with a baseline; a command of the user's own is a command.
ALTER TABLE run RENAME COLUMN quantity TO metric;
ALTER TABLE run RENAME COLUMN quantities TO metrics;
ALTER TABLE run RENAME COLUMN reference_names TO baselines;
UPDATE trial SET kind = 'command' WHERE kind = 'contender';
UPDATE failure SET kind = 'skipped' WHERE kind = 'left-out';
