-- A course that a child and a guardian both paid for: the later line is refunded at once.

ALTER TABLE refund
    DROP CONSTRAINT refund_reason_known,
    ADD CONSTRAINT refund_reason_known
        CHECK (reason IN ('late', 'excess', 'buyer', 'outside', 'dispute', 'duplicate'));
