//! One database and one role for each service.

use std::str::FromStr as _;

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, PgConnection, Row as _};
use tooling::failure::{Doing as _, Outcome, fail};

/// Minimum version of PostgreSQL.
const MIN_VERSION: i32 = 180_000;

/// A PostgreSQL server, with a role that may create roles and databases.
pub struct Server {
    admin: PgConnectOptions,
}

impl Server {
    /// Connects to `url` and checks the version.
    pub async fn connect(url: &str) -> Outcome<Self> {
        let admin = PgConnectOptions::from_str(url)
            .doing(|| "DATABASE_URL is not like postgres://user:password@host:5432/postgres")?
            .disable_statement_logging();
        let server = Self { admin };
        let mut connection = server.open().await?;
        let version: i32 =
            connection.fetch_one("SELECT current_setting('server_version_num')::int").await?.try_get(0)?;
        if version < MIN_VERSION {
            return fail(format!(
                "the PostgreSQL at {} is version {}; version {} or newer is needed",
                server.place(),
                version / 10_000,
                MIN_VERSION / 10_000
            ));
        }
        connection.close().await?;
        Ok(server)
    }

    /// Opens a connection as the administrator.
    pub async fn open(&self) -> Outcome<PgConnection> {
        self.admin.connect().await.doing(|| format!("connecting to the PostgreSQL at {}", self.place()))
    }

    /// Opens a connection to the database `name` for bulk writes of valid data. Foreign key checks, which take most of
    /// the time, are disabled if the administrator may do that; otherwise the connection uses the role `name`.
    pub async fn open_trusted(&self, name: &str, password: &str) -> Outcome<PgConnection> {
        let mut connection = self.admin.clone().database(name).connect().await?;
        if connection.execute("SET session_replication_role = replica").await.is_ok() {
            return Ok(connection);
        }
        PgConnection::connect(&self.url(name, password))
            .await
            .doing(|| format!("connecting to the database {name}"))
    }

    /// Host and port, for messages.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.admin.get_host(), self.admin.get_port())
    }

    /// Host and port to connect to.
    #[must_use]
    pub fn host_and_port(&self) -> (&str, u16) {
        (self.admin.get_host(), self.admin.get_port())
    }

    /// The URL with which the role `name` connects to its database.
    #[must_use]
    pub fn url(&self, name: &str, password: &str) -> String {
        let options = self.admin.clone().username(name).password(password).database(name);
        options.to_url_lossy().to_string()
    }

    /// Creates the role `name` and its database if they do not exist. Always sets the password of the role.
    ///
    /// `name` and `password` must consist of letters, digits and `_`.
    pub async fn ensure(&self, name: &str, password: &str) -> Outcome {
        let mut admin = self.open().await?;
        let exists = |catalogue: &str, column: &str| {
            AssertSqlSafe(format!("SELECT 1 FROM {catalogue} WHERE {column} = '{name}'"))
        };
        let role = admin.fetch_optional(sqlx::raw_sql(exists("pg_roles", "rolname"))).await?;
        let verb = if role.is_some() { "ALTER" } else { "CREATE" };
        execute(&mut admin, format!("{verb} ROLE {name} LOGIN PASSWORD '{password}'")).await?;
        if admin.fetch_optional(sqlx::raw_sql(exists("pg_database", "datname"))).await?.is_none() {
            // Before PostgreSQL 16 and on hosted servers an administrator must be a member of a role to create objects
            // that it owns.
            execute(&mut admin, format!("GRANT {name} TO CURRENT_USER")).await?;
            execute(&mut admin, format!("CREATE DATABASE {name} OWNER {name}")).await?;
            execute(&mut admin, format!("REVOKE ALL ON DATABASE {name} FROM PUBLIC")).await?;
        }
        admin.close().await?;
        Ok(())
    }

    /// Recreates the database `name` empty and returns its URL for the administrator.
    pub async fn fresh(&self, name: &str) -> Outcome<String> {
        let mut admin = self.open().await?;
        execute(&mut admin, format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await?;
        execute(&mut admin, format!("CREATE DATABASE {name}")).await?;
        admin.close().await?;
        Ok(self.admin.clone().database(name).to_url_lossy().to_string())
    }
}

/// Runs trusted SQL.
pub async fn execute(connection: &mut PgConnection, sql: String) -> Outcome {
    connection.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await?;
    Ok(())
}
