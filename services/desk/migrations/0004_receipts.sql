-- Whether the sender of an inquiry gets a receipt by mail: not beyond the ceiling an hour.
ALTER TABLE contact ADD COLUMN has_receipt boolean NOT NULL DEFAULT true;
