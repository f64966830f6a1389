COPY GraphmineBatch FROM $rows
