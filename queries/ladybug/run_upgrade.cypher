// Runs were once recorded without their constraints.
ALTER TABLE GraphmineRun ADD IF NOT EXISTS constraints STRING
