//! Test fixture: a folder of content, a database, a running service and a manual clock.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use commerce::Commerce;
use commerce::config::Issuer;
use commerce::settlement::Settlement;
use kit::caller::Service;
use kit::client::Channel;
use kit::encryption::{Encryptor, KeyedHash, Secret};
use kit::error::ServiceError;
use kit::test::{CALLER_SECRET, HandClock, TestServer, anyone, caller_keys};
use kit_db::outbox::Outbox;
use kit_db::test::TestDatabase;
use kit_pdf::PdfWriter;
use proto::commerce::product_service_client::ProductServiceClient;
use proto::commerce::{
    GetProductRequest, ListOffersRequest, ListProductsRequest, ListProductsResponse, Offer, Product,
};
use time::OffsetDateTime;
use time::macros::datetime;
use tonic::Status;
use uuid::Uuid;

use crate::lms::{Answer, Lms};
use crate::test_provider::TestProvider;

/// Start of every test: Friday noon in Tokyo.
pub(crate) const NOON: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);

/// `COMMERCE_SECRET` of every test.
pub(crate) const SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// Deletes all rows except for content and settings, as after the migrations. Triggers and foreign
/// keys are off meanwhile.
const EMPTY_TABLES: &str = "DO $$
DECLARE
    name text;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN (
        '_sqlx_migrations', 'content_import', 'coupon', 'coupon_product', 'ledger_account', 'product', 'refund_policy'
    ) LOOP
        EXECUTE format('DELETE FROM %I', name);
    END LOOP;
    INSERT INTO reconciliation (list) VALUES ('refunds'), ('disputes'), ('balance');
END $$";

/// The font of receipts.
const FONTS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/node_modules/@expo-google-fonts/biz-udpgothic");

pub(crate) struct Shop {
    pub(crate) folder: Folder,
    pub(crate) clock: HandClock,
    pub(crate) database: TestDatabase,
    pub(crate) lms: Lms,
    pub(crate) provider: TestProvider,
    /// Runs no queue before [`Shop::work`].
    pub(crate) settlement: Settlement,
    pub(crate) server: TestServer,
}

impl Shop {
    /// Starts a shop with these products, in the format of `Folder::write`.
    pub(crate) async fn with(products: &[&str]) -> Self {
        Self::with_coupons(products, &[]).await
    }

    /// The same with coupons, in the format of `Folder::write_coupons`.
    pub(crate) async fn with_coupons(products: &[&str], coupons: &[&str]) -> Self {
        let folder = Folder::new();
        folder.write(products);
        if !coupons.is_empty() {
            folder.write_coupons(coupons);
        }
        let database = TestDatabase::new(&commerce::MIGRATIONS).await;
        let clock = HandClock::at(NOON);
        let lms = Lms::start().await;
        let provider = TestProvider::start(clock.clock()).await;
        let settlement = Settlement::new(
            database.pool.clone(),
            provider.client(),
            outbox(),
            clock.clock(),
            "https://konomana.example",
        );
        let services = commerce::services(Commerce {
            pool: database.pool.clone(),
            clock: clock.clock(),
            lms: lms.channel(),
            issuer: Issuer {
                name: "株式会社コノマナ".to_owned(), number: "T0000000000000".to_owned()
            },
            pdf_writer: pdf_writer(),
            settlement: settlement.clone(),
            keyed_hash: KeyedHash::new(SECRET.parse::<Secret>().unwrap().key("commerce", "hash")),
        });
        let server = TestServer::service(Service::Commerce, commerce::CALLERS, services).await;
        let shop = Self { folder, clock, database, lms, provider, settlement, server };
        shop.import(false).await.unwrap();
        shop
    }

    /// Empties all tables but the content, and turns the clock back to [`NOON`].
    pub(crate) async fn start_over(&self) {
        self.clock.advance(NOON - self.clock.clock().now());
        self.lms.answer(Answer::Owned(Vec::new()));
        self.texts(EMPTY_TABLES).await;
    }

    /// Imports the folder. Faults are returned as text.
    pub(crate) async fn import(&self, dry_run: bool) -> Result<String, String> {
        let imported = commerce::import_folder(
            &self.database.pool,
            &outbox(),
            &self.clock.clock(),
            &self.folder.path,
            dry_run,
        )
        .await;
        imported.map(|difference| difference.to_string()).map_err(|error| error.to_string())
    }

    pub(crate) fn products(&self) -> ProductServiceClient<Channel> {
        ProductServiceClient::new(self.server.channel_as(anyone()))
    }

    pub(crate) async fn list(&self, request: ListProductsRequest) -> Result<ListProductsResponse, Status> {
        self.products().list_products(request).await.map(tonic::Response::into_inner)
    }

    pub(crate) async fn page(&self, page: u32) -> Result<ListProductsResponse, Status> {
        self.list(ListProductsRequest { page, ..ListProductsRequest::default() }).await
    }

    pub(crate) async fn get(&self, id: i64) -> Result<Product, Status> {
        let answer = self.products().get_product(GetProductRequest { id }).await?;
        Ok(answer.into_inner().product.unwrap())
    }

    pub(crate) async fn offers(&self) -> Vec<Offer> {
        self.products().list_offers(ListOffersRequest {}).await.unwrap().into_inner().offers
    }
}

/// The outbox with a key derived from [`SECRET`].
pub(crate) fn outbox() -> Outbox {
    let secret: Secret = SECRET.parse().unwrap();
    Outbox::new(Encryptor::new(secret.key("commerce", "outbox")))
}

/// Renders receipts with the font from the site's packages. Loads it once.
pub(crate) fn pdf_writer() -> PdfWriter {
    static WRITER: OnceLock<PdfWriter> = OnceLock::new();
    WRITER.get_or_init(|| PdfWriter::load(Path::new(FONTS)).unwrap()).clone()
}

/// The URL of a service that does not run.
pub(crate) const NOBODY: &str = "http://127.0.0.1:1";

/// `commerce serve` on free ports. Of the other services, at most lms and desk have a server.
pub(crate) fn serve_command(database_url: &str, lms_url: &str, desk_url: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commerce"));
    command
        .env_clear()
        .args(["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"])
        .args(["--database-url", database_url, "--caller-keys", &caller_keys(), "--secret", SECRET])
        .args(["--lms-url", lms_url, "--lms-key", CALLER_SECRET])
        .args(["--desk-url", desk_url, "--desk-key", CALLER_SECRET])
        .args(["--exam-url", NOBODY, "--exam-key", CALLER_SECRET])
        .args(["--site-url", "https://konomana.example", "--provider-url", NOBODY])
        .args(["--fonts", FONTS, "--provider-key", "sk_test_1", "--provider-webhook-secret", "whsec_1"]);
    command
}

/// Lists the ids on a page.
pub(crate) fn ids(page: &ListProductsResponse) -> Vec<i64> {
    page.products.iter().map(|product| product.id).collect()
}

/// A folder of content, deleted at the end of the test.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
}

impl Folder {
    fn new() -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(Uuid::now_v7().to_string());
        fs::create_dir_all(&path).unwrap();
        Self { path }
    }

    /// Writes products. Each is given by some fields, e.g. `id: 1, kind: interview, price: 100`.
    /// The others have defaults.
    pub(crate) fn write(&self, products: &[&str]) {
        let filled = products.iter().map(|fields| {
            let rest = [("name", "商品"), ("summary", "一行の要約"), ("description", "一つ目の段落")]
                .into_iter()
                .chain([("price", "1000"), ("sale_starts", "2025-03-10")])
                .filter(|(name, _)| !fields.contains(&format!("{name}:")))
                .map(|(name, value)| format!(", {name}: {value}"));
            format!("- {{{fields}{}}}\n", rest.collect::<String>())
        });
        self.write_text(&format!("products:\n{}", filled.collect::<String>()));
    }

    /// Writes coupons. Each is given by some fields, e.g. `id: 1, code: FUYU15, percent: 15`. The
    /// others have defaults.
    pub(crate) fn write_coupons(&self, coupons: &[&str]) {
        let filled = coupons.iter().map(|fields| {
            let rest = [("name", "クーポン"), ("description", "条件"), ("starts", "2025-03-10")]
                .into_iter()
                .filter(|(name, _)| !fields.contains(&format!("{name}:")))
                .map(|(name, value)| format!(", {name}: {value}"));
            format!("- {{{fields}{}}}\n", rest.collect::<String>())
        });
        self.write_file("coupons.yaml", &format!("coupons:\n{}", filled.collect::<String>()));
    }

    pub(crate) fn write_file(&self, name: &str, text: &str) {
        fs::write(self.path.join(name), text).unwrap();
    }

    pub(crate) fn write_text(&self, text: &str) {
        self.write_file("products.yaml", text);
    }

    pub(crate) fn remove(&self) {
        fs::remove_file(self.path.join("products.yaml")).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Formats an error as code and reason, e.g. `NotFound NOT_FOUND`, or as an invalid field and its
/// reason.
pub(crate) fn refusal<T: std::fmt::Debug>(answer: Result<T, Status>) -> String {
    let problem = ServiceError::from_status(&answer.unwrap_err());
    match problem.fields.first() {
        Some(field) => format!("{} {}", field.name, field.code),
        None => format!("{:?} {}", problem.code, problem.reason),
    }
}
