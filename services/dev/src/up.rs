//! `cargo dev up`, `down` and `reset`.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use runner::foreground::{Stop, raise_file_limit};
use runner::product::{Options, Product, TEST_CARD};
use runner::state::State;
use runner::{child, places};
use rustix::process::Signal;
use serde::Deserialize;
use tokio::process::Command;
use tooling::failure::{Doing as _, Outcome, fail};
use tooling::steps::{Steps, duration};

use crate::cli;

/// Marker file of a running product that is ready.
const READY: &str = "ready";
/// Longest time for a product to stop; more than all its processes need together.
const DOWN_LIMIT: Duration = Duration::from_mins(1);
/// Polling interval for the progress of other processes.
const POLL: Duration = Duration::from_millis(50);

/// Sets everything up, and runs the product until a signal stops it.
pub(crate) async fn up(arguments: &cli::Up) -> Outcome {
    if arguments.detach {
        return detached(arguments).await;
    }
    let steps = Steps::begin();
    let mut stop = Stop::listen()?;
    raise_file_limit()?;
    let state = State::open(&places::state(arguments.at.state.as_deref()))?;
    let ready = state.path(READY);
    let options = Options {
        port: arguments.port,
        database_url: arguments.database_url.clone(),
        site: !arguments.no_web,
        is_built: arguments.no_build,
        release: arguments.release,
        replicas: arguments.processes.replicas,
        traced: true,
        stores_payments: true,
        settings: arguments.processes.set.clone(),
    };
    let mut product = Product::new(options, state, steps)?;
    remove(&ready)?;
    let outcome = tokio::select! {
        started = product.start() => started.map(|()| true),
        () = stop.wait() => Ok(false),
    };
    let outcome = match outcome {
        Ok(true) => match welcome(&mut product, steps, &ready) {
            Ok(()) => {
                stop.wait().await;
                Ok(())
            }
            Err(error) => Err(error),
        },
        Ok(false) => Ok(()),
        Err(error) => Err(error),
    };
    remove(&ready)?;
    let stopping = Instant::now();
    tokio::select! {
        () = product.stop() => {}
        // Second signal: the kernel ends the child processes.
        () = stop.wait() => return fail("stopped at once; PostgreSQL recovers at the next start"),
    }
    if outcome.is_ok() {
        steps.say(&format!("stopped in {}", duration(stopping.elapsed())));
    }
    outcome
}

fn welcome(product: &mut Product, steps: Steps, ready: &Path) -> Outcome {
    let demo = Demo::load()?;
    steps.say(&format!("started in {}", duration(steps.elapsed())));
    println!("ready {}", product.origin());
    println!("mails {}", product.mails()?);
    println!("payments {}; test card {TEST_CARD}, any later month, any CVC", product.payments()?);
    println!("demo accounts, password {}:", demo.password);
    for account in &demo.accounts {
        println!("  {:<24} {}", account.email, account.scope.join(" "));
    }
    println!("Ctrl-C or cargo dev down stops it; cargo dev status, logs, trace ID show what it does");
    fs::write(ready, product.origin()).doing(|| format!("writing {}", ready.display()))
}

/// The data of the demo accounts that sign-in needs.
#[derive(Deserialize)]
struct Demo {
    password: String,
    accounts: Vec<Account>,
}

#[derive(Deserialize)]
struct Account {
    email: String,
    scope: Vec<String>,
}

impl Demo {
    fn load() -> Outcome<Self> {
        let file = places::service("auth").join("demo/accounts.yaml");
        let text = fs::read_to_string(&file).doing(|| format!("reading {}", file.display()))?;
        serde_saphyr::from_str(&text).map_err(|error| format!("{}: {error}", file.display()).into())
    }
}

/// Runs `up` as a separate process, prints its progress, and returns once it is ready.
async fn detached(arguments: &cli::Up) -> Outcome {
    let state = State::open(&places::state(arguments.at.state.as_deref()))?;
    drop(state.lock()?);
    remove(&state.path(READY))?;
    let path = state.log("up");
    let log = fs::File::create(&path).doing(|| format!("writing {}", path.display()))?;
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("up").arg("--state").arg(state.root()).args(["--port", &arguments.port.to_string()]);
    if arguments.no_web {
        command.arg("--no-web");
    }
    if arguments.no_build {
        command.arg("--no-build");
    }
    if arguments.release {
        command.arg("--release");
    }
    command.args(["--replicas", &arguments.processes.replicas.to_string()]);
    for (name, value) in &arguments.processes.set {
        command.arg("--set").arg(format!("{name}={value}"));
    }
    if let Some(url) = &arguments.database_url {
        // Not passed as an argument, which every user of the machine can read.
        command.env("DATABASE_URL", url);
    }
    let mut running = command
        .stdin(Stdio::null())
        .stdout(Stdio::from(log.try_clone()?))
        .stderr(Stdio::from(log))
        .process_group(0)
        .spawn()
        .doing(|| "starting it")?;
    let mut progress = fs::File::open(&path)?;
    let mut show = || -> Outcome {
        let mut text = Vec::new();
        progress.read_to_end(&mut text)?;
        std::io::stdout().write_all(&text)?;
        Ok(())
    };
    loop {
        let is_ready = state.path(READY).exists();
        let ended = running.try_wait()?;
        show()?;
        match ended {
            _ if is_ready => return Ok(()),
            Some(status) => return fail(format!("the product did not start ({status})")),
            None => tokio::time::sleep(POLL).await,
        }
    }
}

/// Stops the product, wherever it was started.
pub(crate) async fn down(at: &cli::At) -> Outcome {
    let root = places::state(at.state.as_deref());
    let Some(state) = State::existing(&root)? else {
        println!("no product is running with the state in {}", root.display());
        return Ok(());
    };
    if stop_product(&state).await? {
        println!("stopped");
    } else {
        println!("no product is running with the state in {}", root.display());
    }
    Ok(())
}

/// Stops the product of `state`. Returns whether it was running.
async fn stop_product(state: &State) -> Outcome<bool> {
    let Some(pid) = state.runner() else {
        return Ok(false);
    };
    child::signal_process(pid, Signal::TERM);
    let begun = Instant::now();
    while state.runner().is_some() {
        if begun.elapsed() > DOWN_LIMIT {
            return fail(format!(
                "process {pid} does not stop within {}: see cargo dev logs, or stop it with kill -9 {pid}",
                duration(DOWN_LIMIT)
            ));
        }
        tokio::time::sleep(POLL).await;
    }
    Ok(true)
}

/// Stops the product and deletes its state.
pub(crate) async fn reset(at: &cli::At) -> Outcome {
    let root = places::state(at.state.as_deref());
    let Some(state) = State::existing(&root)? else {
        return if root.exists() {
            fail(format!(
                "{} is not a state folder (it has no state.json): delete it yourself",
                root.display()
            ))
        } else {
            println!("there is no state in {}", root.display());
            Ok(())
        };
    };
    if stop_product(&state).await? {
        println!("stopped");
    }
    if let Some(place) = state.given_server() {
        println!("the databases konomana_*_{} on {place} were not dropped: drop them there", state.tag());
    }
    for folder in state.folders() {
        println!("deleting {}: databases, logs, ports and secrets", folder.display());
    }
    state.delete()
}

fn remove(path: &Path) -> Outcome {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).doing(|| format!("deleting {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// `cargo dev logs`: prints the logs, then new lines.
pub(crate) async fn logs(arguments: &cli::Logs) -> Outcome {
    let root = places::state(arguments.at.state.as_deref());
    let folder = root.join("logs");
    let mut files = Vec::new();
    for entry in
        fs::read_dir(&folder).doing(|| format!("reading {}; nothing has run yet", folder.display()))?
    {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".log")) else {
            continue;
        };
        if arguments.service.as_deref().is_none_or(|service| service == name) {
            files.push(LogFollower { name: name.to_owned(), read: 0, rest: Vec::new(), path: path.clone() });
        }
    }
    if files.is_empty() {
        return fail(format!(
            "there is no log of '{}': cargo dev status lists the services",
            arguments.service.as_deref().unwrap_or("anything")
        ));
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    let named = files.len() > 1;
    loop {
        for file in &mut files {
            file.print(named)?;
        }
        if !arguments.follow {
            return Ok(());
        }
        tokio::time::sleep(POLL * 4).await;
    }
}

struct LogFollower {
    name: String,
    path: std::path::PathBuf,
    read: u64,
    rest: Vec<u8>,
}

impl LogFollower {
    /// Prints new complete lines.
    fn print(&mut self, named: bool) -> Outcome {
        let Ok(mut file) = fs::File::open(&self.path) else {
            return Ok(());
        };
        // The file is shorter than before: it was rotated.
        if file.metadata()?.len() < self.read {
            self.read = 0;
        }
        file.seek(SeekFrom::Start(self.read))?;
        self.read += file.read_to_end(&mut self.rest)? as u64;
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else {
            return Ok(());
        };
        let lines: Vec<u8> = self.rest.drain(..=end).collect();
        for line in String::from_utf8_lossy(&lines).lines() {
            if named {
                println!("{:<12} {line}", self.name);
            } else {
                println!("{line}");
            }
        }
        Ok(())
    }
}
