use super::*;

/// Created by `openssl genpkey -algorithm ed25519`; the public key by `openssl pkey -pubout`.
const KEY: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIGiCdRvooA7OSxIE1D+wiiisQChPQFVGC4KFoZa9ZFK4\n-----END PRIVATE KEY-----\n";
const PUBLIC: &str = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAh38h9CQcTPIVf110YU/kXPHNHAxh5KaOu0rMCiWLxoo=\n-----END PUBLIC KEY-----\n";
/// A different private key.
const OTHER: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAKdNzIVMz33dBMSq4TM5yx+zYoC+tXvkygEJGRJRRcO\n-----END PRIVATE KEY-----\n";

fn content() -> BTreeMap<String, Vec<u8>> {
    let file = |path: &str, text: &str| (path.to_owned(), text.as_bytes().to_vec());
    [
        file("desk/notices.yaml", "notices: []\n"),
        file("lms/courses/101.yaml", "id: 101\n"),
        file("lms/teachers.yaml", "teachers: []\n"),
    ]
    .into()
}

fn good() -> Vec<u8> {
    write(&content(), Some("9564d3d".to_owned()), None).unwrap()
}

/// Builds an archive of these entries in this order, even an invalid one. Its manifest lists `listed`.
fn made(listed: &[(&str, &str)], entries: &[(EntryType, &str, &str)]) -> Vec<u8> {
    let files = listed.iter().map(|(path, text)| ((*path).to_owned(), sha256(text.as_bytes()))).collect();
    let manifest = serde_json::to_string(&Manifest { commit: None, files }).unwrap();
    let mut tar = Builder::new(Vec::new());
    for (kind, name, text) in [(EntryType::Regular, MANIFEST, manifest.as_str())].iter().chain(entries) {
        let mut header = Header::new_ustar();
        // Written directly, because the builder refuses `..`.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(text.len() as u64);
        header.set_cksum();
        tar.append(&header, text.as_bytes()).unwrap();
    }
    tar.into_inner().unwrap()
}

fn fault(archive: &[u8]) -> String {
    Archive::from_reader(archive, None).unwrap_err()
}

#[test]
fn a_written_archive_can_be_read_and_each_service_has_its_folder() {
    let archive = Archive::from_reader(&*good(), None).unwrap();
    assert_eq!(archive.services(), ["desk", "lms"]);
    assert_eq!(archive.version.commit.as_deref(), Some("9564d3d"));
    let folder = |service| Archive::from_reader(&*good(), None).unwrap().into_folder(service);
    let lms = folder("lms").unwrap();
    assert_eq!(lms.read_file("teachers.yaml").unwrap(), "teachers: []\n");
    assert_eq!(lms.list("courses").unwrap(), ["courses/101.yaml"]);
    let missing = lms.read_file("notices.yaml").unwrap_err().to_string();
    assert_eq!(missing, Folder::on_disk("/nowhere").read_file("notices.yaml").unwrap_err().to_string());
    assert!(folder("commerce").is_none());
    assert!(folder("lm").is_none());
}

#[test]
fn the_same_files_of_the_same_commit_are_the_same_archive_and_others_another_version() {
    assert_eq!(good(), good());
    let version = |files: &BTreeMap<_, _>, commit: Option<&str>| {
        let written = write(files, commit.map(str::to_owned), None).unwrap();
        Archive::from_reader(&*written, None).unwrap().version.digest
    };
    let mut changed = content();
    changed.insert("lms/teachers.yaml".to_owned(), b"teachers: [] \n".to_vec());
    let versions = [version(&content(), None), version(&content(), Some("1")), version(&changed, None)];
    assert!(versions[0] != versions[1] && versions[0] != versions[2], "{versions:?}");
}

#[test]
fn a_signature_by_the_key_is_required() {
    let (key, public): (SigningKey, PublicKey) = (KEY.parse().unwrap(), PUBLIC.parse().unwrap());
    let signed = write(&content(), None, Some(&key)).unwrap();
    assert_eq!(Archive::from_reader(&*signed, Some(&public)).unwrap().services(), ["desk", "lms"]);
    assert_eq!(Archive::from_reader(&*signed, None).unwrap().services(), ["desk", "lms"]);
    let unsigned = Archive::from_reader(&*good(), Some(&public)).unwrap_err();
    assert_eq!(unsigned, "it is not signed, and CONTENT_PUBLIC_KEY is set");
    let stranger = "its signature is not by the key in CONTENT_PUBLIC_KEY";
    let forged = write(&content(), None, Some(&OTHER.parse().unwrap())).unwrap();
    assert_eq!(Archive::from_reader(&*forged, Some(&public)).unwrap_err(), stranger);
    // The signature covers the manifest, which has the SHA-256 of every file. A changed file therefore fails the check.
    let other = write(&content(), Some("another".to_owned()), None).unwrap();
    let length = 512 * (1 + listing(&other).div_ceil(512));
    let signature = 512 * (1 + listing(&signed).div_ceil(512));
    let moved = [&other[..length], &signed[signature..signature + 1024], &other[length..]].concat();
    assert!(Archive::from_reader(&*moved, None).is_ok());
    assert_eq!(Archive::from_reader(&*moved, Some(&public)).unwrap_err(), stranger);
}

/// The size of the manifest.
fn listing(archive: &[u8]) -> usize {
    let mut archive = tar::Archive::new(archive);
    let size = archive.entries().unwrap().next().unwrap().unwrap().size();
    size.try_into().unwrap()
}

#[test]
fn keys_are_read_from_pem_or_the_base64_in_it_and_nothing_else() {
    let bare = PUBLIC.lines().nth(1).unwrap();
    assert_eq!(bare.parse::<PublicKey>(), PUBLIC.parse());
    assert!("not a key".parse::<PublicKey>().is_err());
    assert!(KEY.parse::<PublicKey>().is_err());
    assert!(PUBLIC.parse::<SigningKey>().is_err());
}

#[test]
fn a_path_out_of_the_archive_is_refused() {
    for name in [
        "../lms/teachers.yaml",
        "lms/../teachers.yaml",
        "/etc/passwd",
        "lms//a",
        "./lms/a",
        "lms\\a",
        "lms/\u{7}",
    ] {
        let archive = made(&[(name, "a")], &[(EntryType::Regular, name, "a")]);
        assert_eq!(fault(&archive), format!("'{}' is no path within the archive", name.escape_debug()));
        let files = [(name.to_owned(), Vec::new())].into();
        assert!(write(&files, None, None).unwrap_err().contains("is no path within the archive"), "{name}");
    }
}

#[test]
fn links_folders_devices_and_extensions_are_refused() {
    for (kind, said) in [
        (EntryType::Symlink, "a link"),
        (EntryType::Link, "a link"),
        (EntryType::Directory, "a folder"),
        (EntryType::Fifo, "a device"),
        (EntryType::GNULongName, "an extension of tar"),
        (EntryType::XHeader, "an extension of tar"),
    ] {
        let archive = made(&[("lms/a", "")], &[(kind, "lms/a", "")]);
        assert_eq!(fault(&archive), format!("'lms/a' is no file but {said}"));
    }
}

#[test]
fn a_truncated_archive_is_refused() {
    let whole = good();
    let last = "lms/teachers.yaml";
    // Two empty blocks end an archive; they can be missing.
    for length in (0..whole.len() - 1024).step_by(64) {
        let fault = fault(&whole[..length]);
        assert!(fault.starts_with("it "), "{length}: {fault}");
    }
    let end = whole.len() - 1024 - 1024;
    assert_eq!(fault(&whole[..end]), format!("it ends before '{last}'"));
    assert_eq!(fault(&whole[..end + 514]), format!("it ends within '{last}'"));
    assert_eq!(fault(&[]), "it is empty: is it piped in, with `kubectl exec -i`?");
}

#[test]
fn only_listed_files_are_accepted_and_only_once() {
    let file = (EntryType::Regular, "lms/a", "text");
    let more = made(&[], &[file]);
    assert_eq!(fault(&more), "'lms/a' is not in content.json");
    let changed = made(&[("lms/a", "test")], &[file]);
    assert_eq!(fault(&changed), "'lms/a' is not what content.json says: it was changed on its way");
    let twice = made(&[("lms/a", "text")], &[file, file]);
    assert_eq!(fault(&twice), "'lms/a' is in it twice");
    let mut spoiled = good();
    spoiled[3] ^= 1;
    assert!(fault(&spoiled).contains("checksum"), "{}", fault(&spoiled));
    let mut plain = Builder::new(Vec::new());
    let mut header = Header::new_ustar();
    header.set_size(0);
    plain.append_data(&mut header, "lms/a", &b""[..]).unwrap();
    let plain = plain.into_inner().unwrap();
    assert_eq!(
        fault(&plain),
        "it begins with 'lms/a', not content.json: make it with `cargo dev content pack`"
    );
}

#[test]
fn archives_beyond_the_limits_are_refused_and_not_written() {
    let large: BTreeMap<_, _> =
        (0..17).map(|number| (format!("lms/{number}"), vec![b'a'; 1024 * 1024])).collect();
    assert_eq!(write(&large, None, None).unwrap_err(), "it is larger than 16 MiB");
    // The size in a header can be wrong.
    let mut header = Header::new_ustar();
    header.set_path(MANIFEST).unwrap();
    header.set_size(u64::MAX / 2);
    header.set_cksum();
    assert_eq!(fault(header.as_bytes()), "it is larger than 16 MiB");
    let many: BTreeMap<_, _> = (0..=FILE_LIMIT).map(|number| (format!("lms/{number}"), Vec::new())).collect();
    assert_eq!(write(&many, None, None).unwrap_err(), "it holds more than 10000 files");
    let long = [(format!("lms/{}", "a".repeat(97)), Vec::new())].into();
    assert!(write(&long, None, None).unwrap_err().ends_with("is longer than 100 bytes"));
}
