//! `desk import -`: imports an archive from standard input, as with `kubectl exec`.

use std::fs;
use std::process::Command;

use desk::Run;
use kit::test::feed;
use kit_content::archive;

use crate::folder::Folder;
use crate::world::World;

#[tokio::test]
async fn an_archive_is_imported_like_its_folder_and_a_fault_changes_nothing() {
    let (world, folder) = (World::new().await, Folder::new());
    let desk = |arguments: &[&str], input: &[u8]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_desk"));
        feed(command.args(arguments).env_clear().env("DESK_DATABASE_URL", &world.database.url), input)
    };
    let packed = || {
        let names = ["notices.yaml", "faqs.yaml", "success/2025.yaml", "entry-exams.yaml"];
        let file = |name| (format!("desk/{name}"), fs::read(folder.path().join(name)).unwrap());
        archive::write(&names.map(file).into(), None, None).unwrap()
    };
    let all = folder.import(&world, Run::Dry).await.unwrap() + "\n";
    assert_eq!(desk(&["import", "--dry-run", "-"], &packed()), (true, all.clone()));
    assert!(!desk(&["import", "-"], &packed()[..4000]).0, "a truncated archive is refused");
    assert_eq!(desk(&["content"], &[]), (true, "no content was imported\n".to_owned()));
    assert_eq!(desk(&["import", "-"], &packed()), (true, all));
    assert_eq!(desk(&["import", "-"], &packed()), (true, "= 13 as they were\n".to_owned()));
    assert_eq!(folder.import(&world, Run::Dry).await.unwrap(), "= 13 as they were", "the folder is the same");
    folder.edit("faqs.yaml", "- id: 2", "- id: 0");
    let (success, fault) = desk(&["import", "-"], &packed());
    assert!(!success && fault.contains("\nfaqs.yaml:"), "{fault}");
}
