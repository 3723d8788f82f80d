//! Tests `cargo dev content` with a fake `kubectl` that runs the services' own importers.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kit_db::test::TestDatabase;
use uuid::Uuid;

/// Logs its arguments, then runs the command after `--`, as a container would. `BROKEN` names a service whose
/// import fails without `--dry-run`, as if the pod was lost.
const KUBECTL: &str = r#"#!/bin/sh
echo "$*" >> "$CALLS"
while [ "$1" != -- ]; do shift; done
shift
program=$1
shift
case "$*" in
  "import -") [ "$program" = "$BROKEN" ] && echo "error: unable to upgrade connection" >&2 && exit 1 ;;
esac
exec "$BINARIES/$program" "$@"
"#;

/// The services with content, in the order of their imports.
const SERVICES: [&str; 4] = ["lms", "exam", "commerce", "desk"];

/// A simulated cluster: a database for each service.
struct Cluster {
    folder: PathBuf,
    lms: TestDatabase,
    exam: TestDatabase,
    commerce: TestDatabase,
    desk: TestDatabase,
    auth: TestDatabase,
}

impl Cluster {
    async fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("content-{}", Uuid::now_v7()));
        fs::create_dir_all(folder.join("bin")).unwrap();
        let kubectl = folder.join("bin/kubectl");
        fs::write(&kubectl, KUBECTL).unwrap();
        fs::set_permissions(&kubectl, fs::Permissions::from_mode(0o755)).unwrap();
        for service in ["lms", "exam", "commerce", "desk", "auth"] {
            assert!(binaries().join(service).is_file(), "{service} is not built: cargo build --workspace");
        }
        Self {
            folder,
            lms: TestDatabase::new(&lms::MIGRATIONS).await,
            exam: TestDatabase::new(&exam::MIGRATIONS).await,
            commerce: TestDatabase::new(&commerce::MIGRATIONS).await,
            desk: TestDatabase::new(&desk::MIGRATIONS).await,
            auth: TestDatabase::new(&auth::MIGRATIONS).await,
        }
    }

    /// Copies the demo content, without its accounts, to a folder of the test.
    fn content(&self) -> PathBuf {
        let content = self.folder.join("content");
        for service in SERVICES {
            let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(service).join("demo");
            copy(&demo, &content.join(service));
        }
        content
    }

    /// Runs `cargo dev content` with these arguments. Returns whether it succeeded, and its output.
    fn content_command(&self, arguments: &[&str], broken: &str) -> (bool, String) {
        let path = format!("{}:{}", self.folder.join("bin").display(), env!("PATH"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_dev"));
        command.arg("content").args(arguments).env_clear().env("PATH", path);
        command.env("CALLS", self.folder.join("calls")).env("BINARIES", binaries()).env("BROKEN", broken);
        for (name, database) in [
            ("LMS", &self.lms),
            ("EXAM", &self.exam),
            ("COMMERCE", &self.commerce),
            ("DESK", &self.desk),
            ("AUTH", &self.auth),
        ] {
            command.env(format!("{name}_DATABASE_URL"), &database.url);
        }
        command.env("COMMERCE_SECRET", "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff");
        let Output { status, stdout, stderr } = command.output().unwrap();
        (status.success(), String::from_utf8([stdout, stderr].concat()).unwrap())
    }

    /// Runs `content push`, likewise.
    fn push(&self, arguments: &[&str], broken: &str) -> (bool, String) {
        self.content_command(&[&["push", "--namespace", "school"], arguments].concat(), broken)
    }

    /// Runs `content push`, which must succeed. Returns its output.
    fn pushed(&self, arguments: &[&str]) -> String {
        let (success, said) = self.push(arguments, "");
        assert!(success, "{said}");
        said
    }

    /// Returns the versions that the services report.
    fn status(&self) -> String {
        let (success, said) = self.content_command(&["status", "--namespace", "school"], "");
        assert!(success, "{said}");
        said
    }

    /// Returns the calls of kubectl since the last call of this method.
    fn calls(&self) -> Vec<String> {
        let calls = fs::read_to_string(self.folder.join("calls")).unwrap_or_default();
        let _ = fs::remove_file(self.folder.join("calls"));
        calls.lines().map(str::to_owned).collect()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The folder of the services' binaries, beside this test's.
fn binaries() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_dev")).parent().unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if path.is_dir() { copy(&path, &to) } else { fs::copy(&path, &to).map(drop).unwrap() }
    }
}

fn edit(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{from} is not in {}", file.display());
    fs::write(file, text.replacen(from, to, 1)).unwrap();
}

const NOTHING: &str = "\
lms: no content was imported
exam: no content was imported
commerce: no content was imported
desk: no content was imported
";

#[tokio::test]
async fn all_services_import_their_part_and_a_second_push_changes_nothing() {
    let cluster = Cluster::new().await;
    let content = cluster.content();
    let content = content.to_str().unwrap();
    let said = cluster.pushed(&[content, "--context", "tokyo", "--dry-run"]);
    for line in [
        "lms: + course 101 ",
        "exam: + exam 1 ",
        "commerce: + product 1101 ",
        "desk: + notice ",
        "nothing was imported (--dry-run)",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let asked = |service: &str, command: &str| {
        format!(
            "--context tokyo --namespace school exec --stdin deployment/{service} --container {service} -- {service} {command}"
        )
    };
    assert_eq!(cluster.calls(), SERVICES.map(|service| asked(service, "import --dry-run -")));
    assert_eq!(cluster.status(), NOTHING);

    let said = cluster.pushed(&[content]);
    assert!(said.contains("lms: + course 101 "), "{said}");
    let last = said.lines().last().unwrap();
    let version = last.strip_prefix("lms, exam, commerce, desk have version ").unwrap();
    let status = cluster.status();
    assert_eq!(status.lines().filter(|line| line.ends_with(version)).count(), SERVICES.len(), "{status}");

    let again = cluster.pushed(&[content]);
    assert!(!again.contains(": + ") && !again.contains(": ~ "), "{again}");
    assert_eq!(cluster.status(), status);
}

#[tokio::test]
async fn an_archive_is_pushed_and_an_earlier_one_rolls_back() {
    let cluster = Cluster::new().await;
    let content = cluster.content();
    let pack = |name: &str| {
        let file = cluster.folder.join(name).to_str().unwrap().to_owned();
        let (success, said) =
            cluster.content_command(&["pack", content.to_str().unwrap(), "--out", &file], "");
        assert!(success && said.contains(": version "), "{said}");
        file
    };
    let earlier = pack("1.tar");
    assert_eq!(fs::read(&earlier).unwrap(), fs::read(pack("2.tar")).unwrap());
    cluster.pushed(&[&earlier]);
    edit(&content.join("commerce/products.yaml"), "price: 13200", "price: 13100");
    let later = pack("3.tar");
    assert!(cluster.pushed(&[&later]).contains("commerce: ~ product 1101 price\n"));
    assert!(cluster.pushed(&[&earlier]).contains("commerce: ~ product 1101 price\n"));
    let commerce = cluster.status().lines().filter(|line| line.starts_with("commerce: ")).count();
    assert_eq!(commerce, 3, "every change of the version");
    let half = cluster.folder.join("half.tar");
    fs::write(&half, &fs::read(&later).unwrap()[..40_000]).unwrap();
    cluster.calls();
    let (success, said) = cluster.push(&[half.to_str().unwrap()], "");
    assert!(!success && said.contains("the archive is not usable: it ends "), "{said}");
    assert!(cluster.calls().is_empty(), "no service is called");
}

#[tokio::test]
async fn a_fault_in_one_service_changes_none() {
    let cluster = Cluster::new().await;
    let content = cluster.content();
    edit(&content.join("desk/faqs.yaml"), "- id: ", "- id: -");
    let (success, said) = cluster.push(&[content.to_str().unwrap()], "");
    assert!(!success && said.contains("\ndesk: faqs.yaml:"), "{said}");
    assert!(said.ends_with("dev: desk refused it; nothing was imported anywhere\n"), "{said}");
    assert_eq!(cluster.status(), NOTHING);
}

#[tokio::test]
async fn a_failure_after_a_partial_import_is_reported_and_can_be_repeated() {
    let cluster = Cluster::new().await;
    let content = cluster.content();
    let content = content.to_str().unwrap();
    let (success, said) = cluster.push(&[content], "commerce");
    assert!(!success && said.contains("commerce: error: unable to upgrade connection"), "{said}");
    assert!(said.contains("dev: commerce failed. Version "), "{said}");
    assert!(said.contains(" is in: lms, exam; not in: commerce, desk. Push it again"), "{said}");
    assert!(cluster.status().ends_with("commerce: no content was imported\ndesk: no content was imported\n"));
    assert!(cluster.pushed(&[content]).contains("lms, exam, commerce, desk have version "));
}

#[tokio::test]
async fn the_demo_imports_its_accounts_and_a_folder_never_does() {
    let cluster = Cluster::new().await;
    let said = cluster.pushed(&["--demo"]);
    assert!(said.contains("auth: accounts: 7 added, 0 changed, 0 unchanged\n"), "{said}");
    assert!(said.contains("lms, exam, commerce, desk, auth have version "), "{said}");
    let content = cluster.content();
    fs::create_dir(content.join("auth")).unwrap();
    cluster.calls();
    let (success, said) = cluster.push(&[content.to_str().unwrap()], "");
    assert!(
        !success && said.contains("auth is not the folder of a service: lms, exam, commerce, desk"),
        "{said}"
    );
    assert!(cluster.calls().is_empty(), "no service is called");
}
