-- JSON object: what of the workload is no number.
ALTER TABLE trial ADD COLUMN workload_shape TEXT NOT NULL DEFAULT '{}';
-- JSON array: the user's own files that the work had copies of.
ALTER TABLE trial ADD COLUMN workload_files TEXT NOT NULL DEFAULT '[]';
-- Time that the main thread was ready to run and waited for a processor.
ALTER TABLE sample ADD COLUMN run_delay_ns INTEGER;
-- Logical processors on which the timed stretch began and ended.
ALTER TABLE sample ADD COLUMN processor_before INTEGER;
ALTER TABLE sample ADD COLUMN processor_after INTEGER;
