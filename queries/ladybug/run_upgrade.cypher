// Runs were once recorded without their constraints, and without their quality.
ALTER TABLE GraphmineRun ADD IF NOT EXISTS @column STRING
