//! The catalogue: filtered, sorted and paged, with the number of courses for each choice of a
//! filter.

use std::collections::HashMap;

use forms::search::Words;
use kit::page::Page;
use kit_db::span;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;
use tracing::Instrument as _;

use super::{CourseVersion, LEVELS, SCHOOL_YEARS, SUBJECTS};

/// Number of courses on a page of the catalogue.
pub(crate) const PAGE_SIZE: u32 = 24;
/// Number of featured courses of the overview.
const FEATURED: i64 = 6;

/// A filter. An empty or absent field admits all courses.
pub(crate) struct CourseFilter {
    pub(crate) school_years: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) levels: Vec<String>,
    pub(crate) teacher: Option<i64>,
    /// Whole yen, like `price_max`. Each of the two excludes courses without a price.
    pub(crate) price_min: Option<i32>,
    pub(crate) price_max: Option<i32>,
    pub(crate) words: Option<Words>,
}

/// The order of a page.
#[derive(Clone, Copy)]
pub(crate) enum Sort {
    /// By school year, subject, then id.
    Recommended,
    /// The newest first.
    New,
    /// The cheapest first.
    Price,
    /// The most expensive first, courses without a price last.
    PriceDescending,
    /// The shortest first.
    Duration,
}

/// A choice of a filter, with the number of courses that it gives.
pub(crate) struct FacetValue {
    pub(crate) value: String,
    pub(crate) count: u32,
}

/// A page of the catalogue, with counts from the same snapshot.
pub(crate) struct CataloguePage {
    /// The number of courses on all pages.
    pub(crate) count: i64,
    pub(crate) page: Vec<CourseVersion>,
    pub(crate) school_years: Vec<FacetValue>,
    pub(crate) categories: Vec<FacetValue>,
    pub(crate) levels: Vec<FacetValue>,
    /// Whether commerce has published a price list.
    pub(crate) has_price_list: bool,
}

/// The courses of one subject in one school year.
pub(crate) struct Shelf {
    pub(crate) school_year: String,
    pub(crate) category: String,
    pub(crate) course_count: i64,
    pub(crate) lesson_count: i64,
    /// The length of all lessons, in seconds.
    pub(crate) duration_sum: i64,
}

/// Lists one page of the courses that match `filter`, with the prices at `now`. Empty beyond the
/// last page.
///
/// `sent_prices`, in whole yen by course id, replace the price list unless they are empty.
///
/// Uses one statement, so that page and counts agree.
pub(crate) async fn list(
    connection: &mut PgConnection,
    filter: &CourseFilter,
    sent_prices: &HashMap<i64, i32>,
    sort: Sort,
    page: Page,
    now: OffsetDateTime,
) -> sqlx::Result<CataloguePage> {
    let (with_price, prices): (Vec<i64>, Vec<i32>) =
        sent_prices.iter().map(|(course, price)| (*course, *price)).unzip();
    let row = sqlx::query!(
        r#"
        WITH passing AS MATERIALIZED (
            SELECT
                course.id,
                course.revision,
                course.school_year,
                course.category,
                course.level,
                course.duration_sum,
                course.created,
                offer.price,
                cardinality($1::text[]) = 0 OR course.school_year = ANY ($1) AS in_school_years,
                cardinality($2::text[]) = 0 OR course.category = ANY ($2) AS in_categories,
                cardinality($3::text[]) = 0 OR course.level = ANY ($3) AS in_levels
            FROM course
            LEFT JOIN (
                SELECT course_id, price
                FROM unnest($4::bigint[], $5::integer[]) AS sent (course_id, price)
                UNION ALL
                SELECT course_id, price
                FROM product_price
                WHERE
                    cardinality($4) = 0
                    AND sale_starts_at <= $15
                    AND (sale_ends_at IS NULL OR $15 < sale_ends_at)
            ) AS offer ON offer.course_id = course.id
            WHERE
                ($6::bigint IS NULL OR course.teacher_id = $6)
                AND ($7::integer IS NULL OR offer.price >= $7)
                AND ($8::integer IS NULL OR offer.price <= $8)
                AND (
                    $9::text[] IS NULL
                    OR EXISTS (
                        SELECT
                        FROM search
                        WHERE search.kind = 'course' AND search.id = course.id AND ' ' || search.body LIKE ALL ($9)
                    )
                )
        ),
        page AS MATERIALIZED (
            SELECT
                id,
                revision,
                row_number() OVER (
                    ORDER BY
                        CASE WHEN $10 = 'new' THEN created END DESC,
                        CASE WHEN $10 = 'price' THEN price END,
                        CASE WHEN $10 = '-price' THEN price END DESC NULLS LAST,
                        CASE WHEN $10 = 'duration' THEN duration_sum END,
                        array_position($11::text[], school_year),
                        array_position($12::text[], category),
                        id
                ) AS place
            FROM passing
            WHERE in_school_years AND in_categories AND in_levels
            ORDER BY place
            LIMIT $13 OFFSET $14
        )
        SELECT
            EXISTS (SELECT FROM price_list) AS "has_price_list!",
            (SELECT count(*) FROM passing WHERE in_school_years AND in_categories AND in_levels) AS "count!",
            ARRAY (SELECT id FROM page ORDER BY place) AS "ids!",
            ARRAY (SELECT revision FROM page ORDER BY place) AS "revisions!",
            (
                SELECT json_object_agg(school_year, count)
                FROM (
                    SELECT school_year, count(*)
                    FROM passing
                    WHERE in_categories AND in_levels
                    GROUP BY school_year
                ) AS facet
            ) AS "school_years: Json<HashMap<String, u32>>",
            (
                SELECT json_object_agg(category, count)
                FROM (
                    SELECT category, count(*)
                    FROM passing
                    WHERE in_school_years AND in_levels
                    GROUP BY category
                ) AS facet
            ) AS "categories: Json<HashMap<String, u32>>",
            (
                SELECT json_object_agg(level, count)
                FROM (
                    SELECT level, count(*)
                    FROM passing
                    WHERE in_school_years AND in_categories
                    GROUP BY level
                ) AS facet
            ) AS "levels: Json<HashMap<String, u32>>"
        "#,
        &filter.school_years,
        &filter.categories,
        &filter.levels,
        &with_price,
        &prices,
        filter.teacher,
        filter.price_min,
        filter.price_max,
        filter.words.as_ref().map(Words::patterns) as Option<Vec<String>>,
        sort_name(sort),
        &SCHOOL_YEARS as &[&str],
        &SUBJECTS as &[&str],
        page.limit(),
        page.offset(),
        now,
    )
    .fetch_one(connection)
    .instrument(span("SELECT course"))
    .await?;
    let page = row.ids.into_iter().zip(row.revisions);
    Ok(CataloguePage {
        count: row.count,
        page: page.map(|(id, revision)| CourseVersion { id, revision }).collect(),
        school_years: facet_values(&SCHOOL_YEARS, row.school_years),
        categories: facet_values(&SUBJECTS, row.categories),
        levels: facet_values(&LEVELS, row.levels),
        has_price_list: row.has_price_list,
    })
}

/// Lists the courses of a teacher, by school year, subject, then id.
pub(crate) async fn list_by_teacher(
    connection: &mut PgConnection,
    teacher: i64,
) -> sqlx::Result<Vec<CourseVersion>> {
    sqlx::query_as!(
        CourseVersion,
        "
        SELECT id, revision
        FROM course
        WHERE teacher_id = $1
        ORDER BY array_position($2::text[], school_year), array_position($3::text[], category), id
        ",
        teacher,
        &SCHOOL_YEARS as &[&str],
        &SUBJECTS as &[&str],
    )
    .fetch_all(connection)
    .instrument(span("SELECT course"))
    .await
}

/// Counts the courses of every school year and subject that has any, in order.
pub(crate) async fn list_shelves(connection: &mut PgConnection) -> sqlx::Result<Vec<Shelf>> {
    sqlx::query_as!(
        Shelf,
        r#"
        SELECT
            school_year,
            category,
            count(*) AS "course_count!",
            sum(lesson_count) AS "lesson_count!",
            sum(duration_sum) AS "duration_sum!"
        FROM course
        GROUP BY school_year, category
        ORDER BY array_position($1::text[], school_year), array_position($2::text[], category)
        "#,
        &SCHOOL_YEARS as &[&str],
        &SUBJECTS as &[&str],
    )
    .fetch_all(connection)
    .instrument(span("SELECT course"))
    .await
}

/// Lists featured courses for the front page: the first one of each subject, then the others, both
/// by school year, subject, then id.
pub(crate) async fn list_featured(connection: &mut PgConnection) -> sqlx::Result<Vec<CourseVersion>> {
    sqlx::query_as!(
        CourseVersion,
        r#"
        SELECT id, revision
        FROM (
            SELECT
                id,
                revision,
                place,
                row_number() OVER (PARTITION BY category ORDER BY place) AS place_in_category
            FROM (
                SELECT
                    id,
                    revision,
                    category,
                    row_number() OVER (
                        ORDER BY
                            array_position($1::text[], school_year),
                            array_position($2::text[], category),
                            id
                    ) AS place
                FROM course
            ) AS recommended
        ) AS by_category
        ORDER BY place_in_category > 1, place
        LIMIT $3
        "#,
        &SCHOOL_YEARS as &[&str],
        &SUBJECTS as &[&str],
        FEATURED,
    )
    .fetch_all(connection)
    .instrument(span("SELECT course"))
    .await
}

/// The name of the order in the SQL statement.
fn sort_name(sort: Sort) -> &'static str {
    match sort {
        Sort::Recommended => "recommended",
        Sort::New => "new",
        Sort::Price => "price",
        Sort::PriceDescending => "-price",
        Sort::Duration => "duration",
    }
}

/// Lists all choices in order, with their counts.
fn facet_values(choices: &[&str], counted: Option<Json<HashMap<String, u32>>>) -> Vec<FacetValue> {
    let counted = counted.map(|counted| counted.0).unwrap_or_default();
    let value = |choice: &&str| FacetValue {
        value: (*choice).to_owned(),
        count: counted.get(*choice).copied().unwrap_or_default(),
    };
    choices.iter().map(value).collect()
}
