//! Programs that live no longer than we do.
//!
//! A killed tool must not leave a database or a service behind. The kernel can see to that (`PR_SET_PDEATHSIG`), but
//! only a process can ask it for itself. So our own binary is started first, takes on another user where told to (which
//! makes the kernel forget such a wish, so this comes first), asks, and becomes the program.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{ExitCode, Stdio};

use clap::Args;
use rustix::process::{Pid, Signal};
use rustix::thread::{Gid, Uid};
use tooling::failure::{Outcome, fail};

/// The arguments of `cargo dev child`, by which this program becomes another one.
#[derive(Args)]
pub struct Arguments {
    /// Who must be alive: the process whose end is this one's end
    #[arg(long)]
    pub parent: i32,
    /// What arrives when it ends: `term` or `int`
    #[arg(long)]
    pub signal: String,
    /// As whom to run
    #[arg(long)]
    pub uid: Option<u32>,
    /// In which group
    #[arg(long)]
    pub gid: Option<u32>,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    pub program: Vec<std::ffi::OsString>,
}

/// A user of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Its name in /etc/passwd.
    pub name: String,
    /// Its number.
    pub uid: u32,
    /// Its first group's.
    pub gid: u32,
}

/// What a child hears when we end without having stopped it.
#[derive(Clone, Copy, Debug)]
pub enum LastSignal {
    /// SIGTERM.
    Terminate,
    /// SIGINT: PostgreSQL's fast shutdown.
    Interrupt,
}

/// A command whose process gets `signal` when this process ends, leads its own session and reads nothing.
#[must_use]
pub fn tethered(program: &Path, user: Option<&User>, signal: LastSignal) -> tokio::process::Command {
    // The link works even after a build has replaced our file.
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

/// Becomes the program; comes back only when that is not possible.
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
    // Linux shares a desktop's processors out by session, and every connection's process of PostgreSQL begins one: in one
    // session together, all services would get what a single statement does. It leads its group as well.
    rustix::process::setsid()?;
    // One thread runs here, so what is the thread's is the process's.
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
    // It may have ended before the signal was set.
    match rustix::process::getppid() {
        Some(parent) if parent.as_raw_nonzero().get() == child.parent => Ok(()),
        _ => fail("whoever started it has ended"),
    }
}

/// Sends `signal` to the group that `leader` leads; nothing happens when it is gone.
pub fn signal_group(leader: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        let _ = rustix::process::kill_process_group(pid, signal);
    }
}

/// Sends `signal` to one process; nothing happens when it is gone.
pub fn signal_process(process: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, signal);
    }
}

/// Whom to run as what refuses to run as root: `None` unless we are root.
pub fn unprivileged() -> Outcome<Option<User>> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let users = std::fs::read_to_string("/etc/passwd")?;
    match ["postgres", "nobody"].iter().find_map(|name| find_user(&users, name)) {
        Some(user) => Ok(Some(user)),
        None => {
            fail("PostgreSQL refuses to run as root and there is no user 'nobody'; run this as another user")
        }
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
