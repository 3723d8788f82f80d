//! Runs other programs and reports their failures in one line.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use crate::failure::{DISK_FULL, Doing as _, Failure, Outcome, fail, reason, says_disk_full};

/// Finds `program` on PATH.
#[expect(clippy::disallowed_methods, reason = "PATH is not a setting of the tool")]
#[must_use]
pub fn find_program(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

/// The result of a program.
pub struct ProgramOutput {
    /// Exit code or signal.
    pub status: ExitStatus,
    /// Standard output, then standard error.
    pub output: String,
    /// Standard output alone.
    pub stdout: String,
}

/// Runs `command` to its end and captures its output.
pub async fn run(command: &mut Command) -> Outcome<ProgramOutput> {
    run_with_input(command, &[]).await
}

/// The same with `input` on its standard input. The command may end before it has read everything.
pub async fn run_with_input(command: &mut Command, input: &[u8]) -> Outcome<ProgramOutput> {
    let name = name(command);
    let mut child = command
        .stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .doing(|| format!("starting {name}"))?;
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let (mut from_stdout, mut from_stderr) = (child.stdout.take(), child.stderr.take());
    let read = async {
        if let Some(pipe) = &mut from_stdout {
            pipe.read_to_end(&mut stdout).await?;
        }
        Ok::<_, std::io::Error>(())
    };
    let read_errors = async {
        if let Some(pipe) = &mut from_stderr {
            pipe.read_to_end(&mut stderr).await?;
        }
        Ok::<_, std::io::Error>(())
    };
    let mut to_stdin = child.stdin.take();
    let write = async {
        if let Some(pipe) = &mut to_stdin {
            pipe.write_all(input).await?;
        }
        // Closes standard input.
        drop(to_stdin);
        Ok::<_, std::io::Error>(())
    };
    let (first, second, written, status) = tokio::join!(read, read_errors, write, child.wait());
    first?;
    second?;
    written.or_else(|error| if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })?;
    let stdout = String::from_utf8_lossy(&stdout).into_owned();
    let output = format!("{stdout}{}", String::from_utf8_lossy(&stderr));
    Ok(ProgramOutput { status: status?, output, stdout })
}

/// Runs `command`. On failure returns its last line and writes its output to `log`.
pub async fn run_or_fail(command: &mut Command, log: &Path) -> Outcome<String> {
    let name = name(command);
    let ended = run(command).await?;
    if ended.status.success() {
        return Ok(ended.stdout);
    }
    std::fs::write(log, &ended.output).doing(|| format!("writing {}", log.display()))?;
    Err(failure(&name, &ended, log))
}

/// Runs `command` with its output on the terminal.
pub async fn run_attached(command: &mut Command) -> Outcome {
    let name = name(command);
    let status = command
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .status()
        .await
        .doing(|| format!("starting {name}"))?;
    if status.success() { Ok(()) } else { fail(format!("{name} failed ({status}): see its output above")) }
}

fn failure(name: &str, ended: &ProgramOutput, log: &Path) -> Failure {
    if says_disk_full(&ended.output) {
        return format!("{name}: {DISK_FULL}").into();
    }
    format!("{name} failed ({}): {}; its output is in {}", ended.status, reason(&ended.output), log.display())
        .into()
}

/// The program and its first argument, e.g. `npm ci`.
fn name(command: &Command) -> String {
    let command = command.as_std();
    let program =
        Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    match command.get_args().next() {
        Some(word) => format!("{program} {}", word.to_string_lossy()),
        None => program,
    }
}

/// Fails if `built` does not exist yet and the disk of `folder` has fewer than `needed` bytes free, which `what`
/// requires.
pub fn check_space(folder: &Path, built: &Path, needed: u64, what: &str) -> Outcome {
    if built.exists() {
        return Ok(());
    }
    let disk =
        rustix::fs::statvfs(folder).doing(|| format!("reading the free space at {}", folder.display()))?;
    let free = disk.f_bavail * disk.f_frsize;
    if free >= needed {
        return Ok(());
    }
    fail(format!(
        "only {} MiB are free at {}: {what} takes {} GiB; make room and run it again",
        free / 1024 / 1024,
        folder.display(),
        needed / 1024 / 1024 / 1024
    ))
}
