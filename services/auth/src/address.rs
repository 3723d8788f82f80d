//! Postal addresses and phone numbers.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;
use uuid::Uuid;

/// A Japanese postal address and a phone number. Every field may be empty.
#[derive(Default)]
pub(crate) struct Address {
    /// Seven digits.
    pub(crate) postal_code: String,
    pub(crate) prefecture: String,
    pub(crate) city: String,
    pub(crate) town: String,
    pub(crate) building: String,
    /// E.164.
    pub(crate) phone: String,
}

/// The prefectures, from north to south.
pub(crate) const PREFECTURES: [&str; 47] = [
    "北海道",
    "青森県",
    "岩手県",
    "宮城県",
    "秋田県",
    "山形県",
    "福島県",
    "茨城県",
    "栃木県",
    "群馬県",
    "埼玉県",
    "千葉県",
    "東京都",
    "神奈川県",
    "新潟県",
    "富山県",
    "石川県",
    "福井県",
    "山梨県",
    "長野県",
    "岐阜県",
    "静岡県",
    "愛知県",
    "三重県",
    "滋賀県",
    "京都府",
    "大阪府",
    "兵庫県",
    "奈良県",
    "和歌山県",
    "鳥取県",
    "島根県",
    "岡山県",
    "広島県",
    "山口県",
    "徳島県",
    "香川県",
    "愛媛県",
    "高知県",
    "福岡県",
    "佐賀県",
    "長崎県",
    "熊本県",
    "大分県",
    "宮崎県",
    "鹿児島県",
    "沖縄県",
];

/// Finds the address of an account.
pub(crate) async fn find(database: &mut PgConnection, account: Uuid) -> sqlx::Result<Option<Address>> {
    sqlx::query_as!(
        Address,
        "SELECT postal_code, prefecture, city, town, building, phone FROM address WHERE account = $1",
        account
    )
    .fetch_optional(database)
    .instrument(span("SELECT address"))
    .await
}

/// Inserts or updates the address of an account.
pub(crate) async fn put(database: &mut PgConnection, account: Uuid, address: &Address) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO address (account, postal_code, prefecture, city, town, building, phone) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT address_pkey DO UPDATE SET \
         postal_code = excluded.postal_code, prefecture = excluded.prefecture, city = excluded.city, \
         town = excluded.town, building = excluded.building, phone = excluded.phone",
        account,
        address.postal_code,
        address.prefecture,
        address.city,
        address.town,
        address.building,
        address.phone,
    )
    .execute(database)
    .instrument(span("INSERT address"))
    .await?;
    Ok(())
}
