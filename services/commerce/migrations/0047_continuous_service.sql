-- Contracts of a 特定継続的役務 (specified continuous service): teaching by a person for over two months and over 50,000 yen.
ALTER TABLE product ADD COLUMN is_continuous_service boolean NOT NULL DEFAULT false;

-- Whether the line belongs to such a contract. Its document is in the confirmation of the order.
ALTER TABLE order_line ADD COLUMN is_continuous_service boolean NOT NULL DEFAULT false;

-- Lines of such a contract are refunded in full until the end of this day in Tokyo, whatever was opened; day 0 is that of
-- the payment. No version was used for one before.
ALTER TABLE refund_policy
    ADD COLUMN cooling_off_days integer NOT NULL DEFAULT 8
        CONSTRAINT refund_policy_cooling_off_days CHECK (cooling_off_days >= 8);
