//! `commerce import -`: imports an archive from standard input, as with `kubectl exec`.

use std::fs;
use std::process::Command;

use kit::test::feed;
use kit_content::archive;

use crate::shop::{SECRET, Shop};

const COURSE: &str = "id: 1101, kind: course, course: 101, price: 13200, period_days: 365";

#[tokio::test]
async fn an_archive_is_imported_as_its_folder_is_and_a_fault_changes_nothing() {
    let shop = Shop::with(&[COURSE]).await;
    let commerce = |arguments: &[&str], input: &[u8]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_commerce"));
        command.args(arguments).env_clear().env("COMMERCE_DATABASE_URL", &shop.database.url);
        feed(command.env("COMMERCE_SECRET", SECRET), input)
    };
    let said = |text: &str| (true, text.to_owned());
    let packed = || {
        let file = fs::read(shop.folder.path.join("products.yaml")).unwrap();
        archive::write(&[("commerce/products.yaml".to_owned(), file)].into(), None, None).unwrap()
    };
    assert_eq!(commerce(&["import", "-"], &packed()), said("= 1 as they were\n"));
    shop.folder.write(&[&COURSE.replace("13200", "11000")]);
    let changed = packed();
    assert_eq!(
        commerce(&["import", "--dry-run", "-"], &changed),
        said("~ product 1101 price\n= 0 as they were\n")
    );
    assert!(!commerce(&["import", "-"], &changed[..2000]).0, "it is cut short");
    assert_eq!(shop.get(1101).await.unwrap().price, 13_200);
    assert_eq!(commerce(&["import", "-"], &changed), said("~ product 1101 price\n= 0 as they were\n"));
    assert_eq!(shop.get(1101).await.unwrap().price, 11_000);
    shop.folder.write(&[&COURSE.replace("13200", "0")]);
    let (success, fault) = commerce(&["import", "-"], &packed());
    assert!(!success && fault.contains("\nproducts.yaml:2: price: "), "{fault}");
    let (_, versions) = commerce(&["content"], &[]);
    let lines: Vec<_> = versions.lines().collect();
    assert_eq!(lines.len(), 3, "{versions}");
    assert!(lines[2].ends_with(" a folder, without a version"), "{versions}");
}
