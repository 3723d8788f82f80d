//! What the product's processes share with each other: nothing that one could take from all.

use std::process::Command;

#[test]
fn a_program_leads_a_session_of_its_own() {
    let output = Command::new(faults::find_program("dev"))
        .args(["child", "--parent", &std::process::id().to_string(), "--signal", "term"])
        .args(["--", "/bin/sh", "-c", "echo $$; cut -d ' ' -f 6 /proc/$$/stat"])
        .output()
        .expect("it starts");
    let said = String::from_utf8(output.stdout).expect("numbers are text");
    let (process, session) = said.trim().split_once('\n').expect("both are said");
    assert_eq!(process, session);
}
