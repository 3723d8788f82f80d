-- Seats of mock exams: how many there are, until when they can be given back, and who has one.

ALTER TABLE product
    DROP CONSTRAINT product_kind_known,
    -- Of the exam service, which is another database.
    ADD COLUMN exam_id bigint,
    -- How many are sold in all.
    ADD COLUMN places integer CONSTRAINT product_places CHECK (places >= 0),
    -- The first moment at which the exam takes no more applications, and a seat can't be given back any more.
    ADD COLUMN application_closes_at timestamptz;
-- No product of this kind was on sale.
UPDATE product SET
    kind = 'exam_seat', exam_id = coalesce(exam_id, id), places = coalesce(places, 0),
    application_closes_at = coalesce(sale_ends_at, sale_starts_at)
WHERE kind = 'mock_exam';
UPDATE coupon SET product_kinds = array_replace(product_kinds, 'mock_exam', 'exam_seat');
ALTER TABLE product
    ADD CONSTRAINT product_kind_known
        CHECK (kind IN ('course', 'subscription', 'exam_seat', 'konoshiki', 'interview')),
    ADD CONSTRAINT product_exam_seat CHECK (
        (kind = 'exam_seat') = (exam_id IS NOT NULL)
        AND (kind = 'exam_seat') = (places IS NOT NULL)
        AND (kind = 'exam_seat') = (application_closes_at IS NOT NULL)
    );

ALTER TABLE order_line
    DROP CONSTRAINT order_line_kind_known,
    ADD CONSTRAINT order_line_kind_known
        CHECK (kind IN ('course', 'subscription', 'exam_seat', 'konoshiki', 'interview')),
    ADD COLUMN exam_id bigint,
    -- As the product had it when it was ordered.
    ADD COLUMN application_closes_at timestamptz,
    ADD CONSTRAINT order_line_exam_seat CHECK (
        (exam_id IS NOT NULL) = (kind = 'exam_seat')
        AND (application_closes_at IS NOT NULL) = (kind = 'exam_seat')
    );
-- For the places that are taken, and for the seats of a learner.
CREATE INDEX order_line_exam_seat ON order_line (product_id) WHERE exam_id IS NOT NULL;
