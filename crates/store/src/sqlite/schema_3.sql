-- JSON object: the plain way of each family, by the family's name.
ALTER TABLE run ADD COLUMN reference_names TEXT NOT NULL DEFAULT '{}';
-- JSON array: the looks of the trial's contest; empty where those of the run hold.
ALTER TABLE trial ADD COLUMN looks TEXT NOT NULL DEFAULT '[]';
