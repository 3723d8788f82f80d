//! Item analysis: the difficulty and discrimination of questions, and who chose which choice.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;

/// Analyzes the questions of an exam for a version, in one pass over the handed-in answers. The answers are
/// those of the transcripts, which the marks are made of.
///
/// The pass counts candidates by question, answer, score and rest. Every figure is computed from these counts
/// with integers, so the order of rows does not matter.
pub(super) async fn analyze(connection: &mut PgConnection, exam: i64, version: i32) -> sqlx::Result<()> {
    sqlx::query!(
        "
        WITH item AS MATERIALIZED (
            SELECT
                question.id, (content ->> 'points')::integer AS full_points,
                jsonb_array_length(content -> 'choices') AS choice_count
            FROM question JOIN paper ON paper.id = paper_id
            WHERE exam_id = $1
        ), given AS (
            SELECT
                item.id, item.full_points, mark.points, handed_in.answer -> 'answer' AS answer,
                coalesce(
                    written_answer.points,
                    CASE WHEN item.id = ANY (right_question_ids) THEN item.full_points ELSE 0 END
                ) AS score
            FROM paper
            JOIN mark ON mark.paper_id = paper.id
            JOIN sitting ON sitting.id = mark.sitting_id
            CROSS JOIN jsonb_array_elements(convert_from(transcript, 'UTF8')::jsonb -> 'answers') AS handed_in (answer)
            JOIN item ON item.id = (handed_in.answer ->> 'question_id')::bigint
            LEFT JOIN written_answer
                ON written_answer.sitting_id = mark.sitting_id AND written_answer.question_id = item.id
            WHERE exam_id = $1
        ), tally AS MATERIALIZED (
            SELECT
                id, answer -> 'choices' AS choices, answer <> 'null' AS is_answered, score = full_points AS is_right,
                score, points - score AS rest, count(*) AS candidates
            FROM given
            GROUP BY 1, 2, 3, 4, 5, 6
        ), sums AS (
            SELECT
                id,
                sum(candidates) AS candidates,
                coalesce(sum(candidates) FILTER (WHERE is_answered), 0) AS answered,
                coalesce(sum(candidates) FILTER (WHERE is_right), 0) AS right_count,
                sum(candidates * score) AS score,
                sum(candidates * score * score) AS score_squares,
                sum(candidates * rest) AS rest,
                sum(candidates * rest * rest) AS rest_squares,
                sum(candidates * score * rest) AS products
            FROM tally
            GROUP BY id
        ), chosen AS (
            SELECT id, choice::integer AS choice, sum(candidates) AS candidates, sum(candidates * rest) AS rest
            FROM tally CROSS JOIN jsonb_array_elements_text(choices) AS picked (choice)
            GROUP BY 1, 2
        ), analyzed AS (
            INSERT INTO item_statistics (
                exam_id, version, question_id, candidate_count, answered_count, right_count, difficulty_thousandths,
                discrimination_thousandths
            )
            SELECT
                $1, $2, id, coalesce(candidates, 0), coalesce(answered, 0), coalesce(right_count, 0),
                div(2000 * score + candidates * full_points, 2 * candidates * full_points),
                correlation_thousandths(candidates, rest, rest_squares, score, score_squares, products)
            FROM item LEFT JOIN sums USING (id)
        )
        INSERT INTO choice_statistics (
            exam_id, version, question_id, choice, candidate_count, discrimination_thousandths
        )
        SELECT
            $1, $2, id, possible.choice, coalesce(chosen.candidates, 0),
            correlation_thousandths(
                sums.candidates, sums.rest, rest_squares, chosen.candidates, chosen.candidates, chosen.rest
            )
        FROM item
        CROSS JOIN generate_series(1, choice_count) AS possible (choice)
        LEFT JOIN sums USING (id)
        LEFT JOIN chosen USING (id, choice)
        ",
        exam,
        version,
    )
    .execute(connection)
    .instrument(span("INSERT item_statistics"))
    .await?;
    Ok(())
}
