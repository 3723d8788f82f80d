//! The mail catcher: maildev, with a page that shows the mails.

use std::fs;

use rustix::process::Signal;
use tooling::command::find_program;
use tooling::failure::{Doing as _, Outcome, fail};

use super::Product;
use crate::child::LastSignal;
use crate::npm;
use crate::supervisor::{Launch, Ready};

/// Maximum number of stored mails.
const MOST: &str = "1000";

impl Product {
    /// The URL of the page that shows all mails; `/api/email` returns them as JSON.
    pub fn mails(&mut self) -> Outcome<String> {
        Ok(format!("http://{}", self.address("mail")?))
    }

    /// The command that starts it.
    pub(crate) fn mail_catcher(&mut self) -> Outcome<Launch> {
        let (web, smtp) = (self.address("mail")?, self.address("smtp")?);
        let Some(node) = find_program("node") else {
            return fail(
                "node is missing: install Node 20 or later with npm (Debian: apt-get install nodejs npm)",
            );
        };
        let folder = self.state.path("mails");
        fs::create_dir_all(&folder).doing(|| format!("making {}", folder.display()))?;
        let ports = [web, smtp].map(|address| address.port().to_string());
        let mut arguments = vec![npm::maildev().into_os_string()];
        arguments.extend(["--web", &ports[0], "--web-ip", "127.0.0.1"].map(Into::into));
        arguments.extend(["--smtp", &ports[1], "--ip", "127.0.0.1", "--max-emails", MOST].map(Into::into));
        arguments.extend(["--mail-directory".into(), folder.into_os_string()]);
        Ok(Launch {
            name: "mail".into(),
            program: node,
            arguments,
            environment: Vec::new(),
            socket: None,
            user: None,
            stop: Signal::TERM,
            last_signal: LastSignal::Terminate,
            ready: Ready::Page(web, "/api/healthz"),
        })
    }
}
