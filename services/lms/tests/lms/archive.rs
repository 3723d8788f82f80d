//! `lms import -`: an archive on standard input, as `kubectl exec` passes it.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use kit::test::feed;
use kit_content::archive;
use kit_db::test::TestDatabase;
use tar::{EntryType, Header};

use crate::school::{COURSE, Folder};

/// The public key of a key pair that signs nothing here.
const PUBLIC_KEY: &str = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=";

/// A folder with two courses.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.course(COURSE, 3);
    folder.course(102, 3);
    folder
}

/// The folder as an archive.
fn packed(folder: &Folder) -> Vec<u8> {
    let mut files = BTreeMap::from([("lms/teachers.yaml".to_owned(), folder.path.join("teachers.yaml"))]);
    for entry in fs::read_dir(folder.path.join("courses")).unwrap() {
        let path = entry.unwrap().path();
        files.insert(format!("lms/courses/{}", path.file_name().unwrap().to_str().unwrap()), path);
    }
    let files = files.into_iter().map(|(name, path)| (name, fs::read(path).unwrap())).collect();
    archive::write(&files, Some("9564d3d".to_owned()), None).unwrap()
}

/// Inserts an entry after the manifest of an archive.
fn with_entry(archive: &[u8], kind: EntryType, name: &str, size: u64) -> Vec<u8> {
    let mut header = Header::new_ustar();
    // Written into the header directly, because `set_path` refuses `..`.
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_cksum();
    let mut entries = tar::Archive::new(archive);
    let manifest = entries.entries().unwrap().next().unwrap().unwrap().size();
    let end = 512 + usize::try_from(manifest).unwrap().div_ceil(512) * 512;
    [&archive[..end], header.as_bytes(), &archive[end..]].concat()
}

/// The database of a command.
struct Target(TestDatabase);

impl Target {
    async fn new() -> Self {
        Self(TestDatabase::new(&lms::MIGRATIONS).await)
    }

    /// Runs `lms`. Returns whether it succeeded, and its output.
    fn lms(&self, arguments: &[&str], key: Option<&str>, input: &[u8]) -> (bool, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lms"));
        command.args(arguments).env_clear().env("LMS_DATABASE_URL", &self.0.url);
        command.envs(key.map(|key| ("CONTENT_PUBLIC_KEY", key)));
        feed(&mut command, input)
    }

    fn run(&self, arguments: &[&str], input: &[u8]) -> String {
        let (success, said) = self.lms(arguments, None, input);
        assert!(success, "{said}");
        said
    }
}

#[tokio::test]
async fn an_archive_is_imported_like_its_folder_and_a_second_import_changes_nothing() {
    let (folder, target) = (folder(), Target::new().await);
    let (path, archive) = (folder.path.to_str().unwrap(), packed(&folder));
    let all = target.run(&["import", "--dry-run", path], &[]);
    assert_eq!(all, "+ teacher 1 高瀬航\n+ course 101 講座101\n+ course 102 講座102\n= 0 as they were\n");
    assert_eq!(target.run(&["import", "--dry-run", "-"], &archive), all);
    assert_eq!(target.run(&["content"], &[]), "no content was imported\n", "a dry run records no version");

    assert_eq!(target.run(&["import", "-"], &archive), all);
    assert_eq!(target.run(&["import", "-"], &archive), "= 3 as they were\n");
    assert_eq!(
        target.run(&["import", "--dry-run", path], &[]),
        "= 3 as they were\n",
        "the folder has the same content"
    );
    let versions = target.run(&["content"], &[]);
    let version = archive::Archive::from_reader(&*archive, None).unwrap().version;
    assert_eq!(versions.lines().count(), 1, "{versions}");
    assert!(
        versions.ends_with(&format!("Z {version}\n")) && versions.contains("(commit 9564d3d)"),
        "{versions}"
    );
}

#[tokio::test]
async fn an_earlier_archive_restores_the_earlier_content() {
    let (folder, target) = (folder(), Target::new().await);
    let earlier = packed(&folder);
    target.run(&["import", "-"], &earlier);
    folder.edit("courses/101.yaml", "一行の要約", "別の要約");
    let later = packed(&folder);
    assert_eq!(target.run(&["import", "-"], &later), "~ course 101 search, summary\n= 2 as they were\n");
    assert_eq!(target.run(&["import", "-"], &earlier), "~ course 101 search, summary\n= 2 as they were\n");
    assert_eq!(target.run(&["import", "--dry-run", "-"], &earlier), "= 3 as they were\n");
    let digest = |archive: &[u8]| archive::Archive::from_reader(archive, None).unwrap().version.digest;
    let versions = target.run(&["content"], &[]);
    let digests: Vec<_> = versions.lines().map(|line| line.split(' ').nth(1).unwrap()).collect();
    assert_eq!(digests, [digest(&earlier), digest(&later), digest(&earlier)], "newest first");
}

#[tokio::test]
async fn a_fault_in_an_archive_is_reported_and_nothing_changes() {
    let (folder, target) = (folder(), Target::new().await);
    let good = packed(&folder);
    let mut changed = good.clone();
    let place = changed.windows(6).rposition(|text| text == "高瀬".as_bytes()).unwrap();
    changed[place..place + 6].copy_from_slice("低瀬".as_bytes());
    folder.edit("courses/101.yaml", "category: 数学", "category: 体育");
    let faulty = packed(&folder);
    let other = archive::write(&[("desk/faqs.yaml".to_owned(), Vec::new())].into(), None, None).unwrap();
    let file = EntryType::Regular;
    let cases: [(&[u8], &str); 11] = [
        (&with_entry(&good, file, "../x", 0), "'../x' is no path within the archive"),
        (&with_entry(&good, file, "/etc/x", 0), "'/etc/x' is no path within the archive"),
        (&with_entry(&good, EntryType::Symlink, "lms/x", 0), "'lms/x' is no file but a link"),
        (&with_entry(&good, EntryType::Link, "lms/x", 0), "'lms/x' is no file but a link"),
        (&with_entry(&good, file, "lms/x", 1 << 40), "it is larger than 16 MiB"),
        (&with_entry(&good, file, "lms/x", 0), "'lms/x' is not in content.json"),
        (&good[..good.len() - 1500], "it ends "),
        (&changed, "'lms/teachers.yaml' is not what content.json says: it was changed on its way"),
        (&[], "it is empty: is it piped in, with `kubectl exec -i`?"),
        (&other, "the archive has no folder lms/"),
        (&faulty, "1 to mend\ncourses/101.yaml:3: category: '体育' is none of 英語, 数学, 国語, 理科, 社会"),
    ];
    for (archive, fault) in cases {
        let (success, said) = target.lms(&["import", "-"], None, archive);
        assert!(
            !success && said.starts_with("lms: nothing was imported") && said.contains(fault),
            "{fault}: {said}"
        );
    }
    for (path, input, fault) in [
        ("-", &good[..], "it is not signed, and CONTENT_PUBLIC_KEY is set"),
        (folder.path.to_str().unwrap(), &[], "CONTENT_PUBLIC_KEY is set, so only a signed archive will do"),
    ] {
        let (success, said) = target.lms(&["import", path], Some(PUBLIC_KEY), input);
        assert!(!success && said.starts_with("lms: nothing was imported") && said.contains(fault), "{said}");
    }
    assert_eq!(target.run(&["content"], &[]), "no content was imported\n");
    assert!(target.run(&["import", "--dry-run", "-"], &good).ends_with("= 0 as they were\n"));
}
