-- The technique that this one is a variant of, as its catalogue entry declared before the run.
ALTER TABLE trial ADD COLUMN variant_of TEXT;
