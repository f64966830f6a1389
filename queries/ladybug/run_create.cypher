COPY GraphmineRun FROM $rows
