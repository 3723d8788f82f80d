-- The return invoice (返還インボイス) of each refund as PDF, as it was first written. It is deleted with the personal data in
-- it, never changed.
CREATE TABLE return_invoice_pdf (
    refund_id uuid CONSTRAINT return_invoice_pdf_pkey PRIMARY KEY
        CONSTRAINT return_invoice_pdf_refund_id_fkey REFERENCES refund,
    pdf bytea NOT NULL,
    written_at timestamptz NOT NULL
);
CREATE TRIGGER return_invoice_pdf_immutable BEFORE UPDATE ON return_invoice_pdf
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_receipt_change();
