-- Where contests of a family are the levels of a curve: a JSON object of the axis and its pairs by the family's name.
ALTER TABLE run ADD COLUMN curves TEXT NOT NULL DEFAULT '{}';
