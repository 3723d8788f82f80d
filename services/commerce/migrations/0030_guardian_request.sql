-- Learners ask their guardians to pay, and receipts as PDF.

ALTER TABLE cart_line
    -- The learner who asked the account to pay for it.
    ADD COLUMN asked_by uuid;
-- For the erasure of learners.
CREATE INDEX cart_line_asked_by ON cart_line (asked_by) WHERE asked_by IS NOT NULL;

-- When an account last asked its guardians to pay.
CREATE TABLE guardian_request (
    account_id uuid CONSTRAINT guardian_request_pkey PRIMARY KEY,
    asked_at timestamptz NOT NULL
);
CREATE INDEX guardian_request_asked_at ON guardian_request (asked_at);

-- The receipt of each issue as PDF, as it was first written. It is deleted with the personal data in it, never changed.
CREATE TABLE receipt_pdf (
    order_id uuid NOT NULL CONSTRAINT receipt_pdf_order_id_fkey REFERENCES orders,
    -- As in orders.receipt_issues.
    issue integer NOT NULL CONSTRAINT receipt_pdf_issue CHECK (issue > 0),
    pdf bytea NOT NULL,
    written_at timestamptz NOT NULL,
    CONSTRAINT receipt_pdf_pkey PRIMARY KEY (order_id, issue)
);

CREATE FUNCTION refuse_receipt_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a receipt that was written is not changed' USING ERRCODE = 'check_violation',
        CONSTRAINT = 'receipt_pdf_immutable';
END $$;
CREATE TRIGGER receipt_pdf_immutable BEFORE UPDATE ON receipt_pdf
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_receipt_change();
