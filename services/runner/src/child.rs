//! Child processes that end with this process.
//!
//! A killed tool must not leave a database or a service behind. The kernel can send a signal when a parent dies
//! (`PR_SET_PDEATHSIG`), but a process can request that only for itself. So this binary starts itself as `cargo dev
//! child`. It switches user if necessary (which clears the request, so it comes first), requests the signal, and
//! replaces itself with the program.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{ExitCode, Stdio};

use clap::Args;
use rustix::process::{Pid, Signal};
use rustix::thread::{Gid, Uid};
use tooling::failure::{Outcome, fail};

/// The arguments of `cargo dev child`, which replaces itself with another program.
#[derive(Args)]
pub struct Arguments {
    /// Process id of the parent; the child ends with it
    #[arg(long)]
    pub parent: i32,
    /// Signal to the child when the parent ends: `term` or `int`
    #[arg(long)]
    pub signal: String,
    /// User id to run as
    #[arg(long)]
    pub uid: Option<u32>,
    /// Group id to run as
    #[arg(long)]
    pub gid: Option<u32>,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    pub program: Vec<std::ffi::OsString>,
}

/// A user of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Name in /etc/passwd.
    pub name: String,
    /// User id.
    pub uid: u32,
    /// Id of the primary group.
    pub gid: u32,
}

/// The signal that a child gets when this process ends without stopping it.
#[derive(Clone, Copy, Debug)]
pub enum LastSignal {
    /// SIGTERM.
    Terminate,
    /// SIGINT: PostgreSQL's fast shutdown.
    Interrupt,
}

/// A command whose process gets `signal` when this process ends, leads its own session and has no standard input.
#[must_use]
pub fn tethered(program: &Path, user: Option<&User>, signal: LastSignal) -> tokio::process::Command {
    // The link works even after a build has replaced the file of this binary.
    let own = if cfg!(target_os = "linux") {
        "/proc/self/exe".into()
    } else {
        std::env::current_exe().unwrap_or_else(|_| "dev".into())
    };
    let mut command = tokio::process::Command::new(own);
    let parent = rustix::process::getpid().as_raw_nonzero().to_string();
    command.args(["child", "--parent", &parent]).arg("--signal").arg(match signal {
        LastSignal::Terminate => "term",
        LastSignal::Interrupt => "int",
    });
    if let Some(user) = user {
        command.args(["--uid", &user.uid.to_string(), "--gid", &user.gid.to_string()]);
    }
    command.arg("--").arg(program).stdin(Stdio::null());
    command
}

/// Replaces this process with the program. Returns only on failure.
#[must_use]
pub fn become_program(child: &Arguments) -> ExitCode {
    match prepare(child) {
        Ok(()) => {
            let error = std::process::Command::new(&child.program[0]).args(&child.program[1..]).exec();
            eprintln!("cannot start {}: {error}", Path::new(&child.program[0]).display());
        }
        Err(error) => eprintln!("cannot start {}: {error}", Path::new(&child.program[0]).display()),
    }
    ExitCode::FAILURE
}

fn prepare(child: &Arguments) -> Outcome {
    // Linux divides CPU time among sessions, and every connection process of PostgreSQL starts its own session. If all
    // services shared one session, together they would get the CPU share of one SQL statement. `setsid` also makes the
    // process the leader of its group.
    rustix::process::setsid()?;
    // This process has one thread, so the ids of the thread are those of the process.
    if let Some(gid) = child.gid.map(Gid::from_raw) {
        rustix::thread::set_thread_groups(&[gid])?;
        rustix::thread::set_thread_res_gid(gid, gid, gid)?;
    }
    if let Some(uid) = child.uid.map(Uid::from_raw) {
        rustix::thread::set_thread_res_uid(uid, uid, uid)?;
    }
    #[cfg(target_os = "linux")]
    {
        let signal = match child.signal.as_str() {
            "int" => Signal::INT,
            _ => Signal::TERM,
        };
        rustix::process::set_parent_process_death_signal(Some(signal))?;
    }
    // The parent may have ended before the signal was set.
    match rustix::process::getppid() {
        Some(parent) if parent.as_raw_nonzero().get() == child.parent => Ok(()),
        _ => fail("the parent process has ended"),
    }
}

/// Sends `signal` to the process group of `leader`. Does nothing if the group has ended.
pub fn signal_group(leader: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        let _ = rustix::process::kill_process_group(pid, signal);
    }
}

/// Sends `signal` to one process. Does nothing if it has ended.
pub fn signal_process(process: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, signal);
    }
}

/// The user for programs that refuse to run as root; `None` if this process does not run as root.
pub fn unprivileged() -> Outcome<Option<User>> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let users = std::fs::read_to_string("/etc/passwd")?;
    match ["postgres", "nobody"].iter().find_map(|name| find_user(&users, name)) {
        Some(user) => Ok(Some(user)),
        None => fail(
            "PostgreSQL refuses to run as root and there is no user 'nobody': run the command as another user",
        ),
    }
}

fn find_user(passwd: &str, name: &str) -> Option<User> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next()? == name).then_some(())?;
        let uid = fields.nth(1)?.parse().ok()?;
        let gid = fields.next()?.parse().ok()?;
        Some(User { name: name.to_owned(), uid, gid })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_found_by_its_whole_name() {
        let passwd =
            "postgresql:x:1:2::/:/bin/sh\npostgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash\n";
        assert_eq!(find_user(passwd, "postgres"), Some(User { name: "postgres".into(), uid: 101, gid: 104 }));
        assert_eq!(find_user(passwd, "nobody"), None);
    }
}
