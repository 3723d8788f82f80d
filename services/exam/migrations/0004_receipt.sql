-- Signed receipts of what was handed in.

CREATE TABLE receipt (
    sitting_id uuid CONSTRAINT receipt_pkey PRIMARY KEY
        CONSTRAINT receipt_sitting_id_fkey REFERENCES sitting ON DELETE CASCADE,
    -- The statement and its signature. Their layout is in exam/v1/receipt.proto.
    receipt bytea NOT NULL
);

CREATE FUNCTION keep_receipt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a receipt never changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'receipt_kept';
END
$$;
CREATE TRIGGER receipt_kept BEFORE UPDATE ON receipt FOR EACH ROW EXECUTE FUNCTION keep_receipt();
