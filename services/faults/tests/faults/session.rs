//! `dev child` starts each program of the product in its own session.

use std::process::Command;

#[test]
fn a_program_is_the_leader_of_its_own_session() {
    let output = Command::new(faults::find_program("dev"))
        .args(["child", "--parent", &std::process::id().to_string(), "--signal", "term"])
        .args(["--", "/bin/sh", "-c", "echo $$; cut -d ' ' -f 6 /proc/$$/stat"])
        .output()
        .expect("dev starts");
    let said = String::from_utf8(output.stdout).expect("the output is UTF-8");
    let (process, session) = said.trim().split_once('\n').expect("the output has both ids");
    assert_eq!(process, session);
}
