COPY GraphmineTrust FROM $rows
