-- How many threads the workloads of a family start: a JSON object by the family's and the workload's name.
ALTER TABLE run ADD COLUMN threads TEXT NOT NULL DEFAULT '{}';
