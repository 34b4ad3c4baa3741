//! Headless Chromium, driven by the DevTools protocol through two pipes: lines of JSON that end in a zero byte.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The protocol's pipes are the file descriptors 3 and 4: the shell makes them of standard input and output.
const START: &str = r#"exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null"#;

pub(super) struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: String,
    next: u64,
    /// Events of the page since [`Browser::open`].
    events: VecDeque<Value>,
    _profile: TempDir,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub(super) width: u32,
    pub(super) scheme: &'static str,
}

impl Browser {
    pub(super) fn start() -> Result<Self> {
        let profile = tempfile::Builder::new().prefix("bakeoff-chromium-").tempdir()?;
        let mut command = Command::new("sh");
        command.args(["-c", START, "sh", "chromium", "--headless", "--no-sandbox", "--disable-gpu"]);
        command.args(["--remote-debugging-pipe", "--no-first-run", "--hide-scrollbars"]);
        command.args(["--disable-dev-shm-usage", &format!("--user-data-dir={}", profile.path().display())]);
        let process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = process.context("sh cannot be started")?;
        let to = process.stdin.take().context("no pipe to the browser")?;
        let from = BufReader::new(process.stdout.take().context("no pipe from the browser")?);
        let session = String::new();
        let mut browser =
            Self { process, to, from, session, next: 0, events: VecDeque::new(), _profile: profile };
        browser.attach().context("chromium does not answer; on Debian: apt-get install chromium")?;
        Ok(browser)
    }

    fn attach(&mut self) -> Result<()> {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }))?;
        let words = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = self.call("Target.attachToTarget", words)?;
        self.session = attached["sessionId"].as_str().context("no session")?.to_owned();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            self.call(&format!("{domain}.enable"), json!({}))?;
        }
        // The time of its tasks on a processor: a busy host does not make it longer.
        self.call("Performance.enable", json!({ "timeDomain": "threadTicks" }))?;
        Ok(())
    }

    /// Opens a page, waits until it is laid out, and returns the processor time in milliseconds of the thread that does it.
    pub(super) fn open(&mut self, page: &Path, view: View) -> Result<f64> {
        let before = self.processor_ms()?;
        let words =
            json!({ "width": view.width, "height": 900, "deviceScaleFactor": 1, "mobile": view.width < 640 });
        self.call("Emulation.setDeviceMetricsOverride", words)?;
        let scheme = json!({ "name": "prefers-color-scheme", "value": view.scheme });
        self.call("Emulation.setEmulatedMedia", json!({ "features": [scheme] }))?;
        self.events.clear();
        self.call("Page.navigate", json!({ "url": address(page) }))?;
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.read()?;
            self.events.push_back(event);
        }
        // The height is known when all is laid out.
        self.evaluate("document.documentElement.offsetHeight")?;
        let after = self.processor_ms()?;
        // A page from elsewhere may be given another process, which begins at 0.
        Ok(if after >= before { after - before } else { after })
    }

    fn processor_ms(&mut self) -> Result<f64> {
        let answer = self.call("Performance.getMetrics", json!({}))?;
        let metrics = answer["metrics"].as_array().context("no metrics")?;
        let tasks = metrics.iter().find(|metric| metric["name"] == "TaskDuration");
        let seconds = tasks.and_then(|metric| metric["value"].as_f64());
        Ok(seconds.context("the browser does not report its processor time")? * 1000.0)
    }

    /// Returns errors of the page, and requests that leave its file.
    pub(super) fn complaints(&self, page: &Path) -> Vec<String> {
        let own = address(page);
        let mut complaints = Vec::new();
        for event in &self.events {
            let words = &event["params"];
            complaints.push(match event["method"].as_str() {
                Some("Runtime.exceptionThrown") => format!("exception: {}", words["exceptionDetails"]),
                Some("Runtime.consoleAPICalled") => format!("console: {}", words["args"]),
                Some("Log.entryAdded") => format!("log: {}", words["entry"]["text"]),
                Some("Network.requestWillBeSent") if words["request"]["url"] != own => {
                    format!("request: {}", words["request"]["url"])
                }
                _ => continue,
            });
        }
        complaints
    }

    pub(super) fn evaluate(&mut self, expression: &str) -> Result<Value> {
        let words = json!({ "expression": expression, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", words)?;
        if let Some(thrown) = answer.get("exceptionDetails") {
            bail!("the check itself failed: {thrown}");
        }
        Ok(answer["result"]["value"].clone())
    }

    pub(super) fn press_tab(&mut self) -> Result<()> {
        for kind in ["keyDown", "keyUp"] {
            let words = json!({ "type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9 });
            self.call("Input.dispatchKeyEvent", words)?;
        }
        Ok(())
    }

    /// Returns a picture of the page, of at most this many pixels from the top.
    pub(super) fn picture(&mut self, view: View, most: f64) -> Result<Vec<u8>> {
        let size = self.call("Page.getLayoutMetrics", json!({}))?;
        let height = size["cssContentSize"]["height"].as_f64().unwrap_or(900.0).min(most);
        let clip = json!({ "x": 0, "y": 0, "width": view.width, "height": height, "scale": 1 });
        let words = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let answer = self.call("Page.captureScreenshot", words)?;
        Ok(STANDARD.decode(answer["data"].as_str().context("no picture")?)?)
    }

    pub(super) fn print(&mut self) -> Result<Vec<u8>> {
        let words = json!({ "paperWidth": 8.27, "paperHeight": 11.69, "printBackground": true });
        let answer = self.call("Page.printToPDF", words)?;
        Ok(STANDARD.decode(answer["data"].as_str().context("no pages")?)?)
    }

    /// Calls a method and waits for its answer; what the page says meanwhile is kept.
    fn call(&mut self, method: &str, words: Value) -> Result<Value> {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": words });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = serde_json::to_vec(&message)?;
        bytes.push(0);
        self.to.write_all(&bytes)?;
        loop {
            let answer = self.read()?;
            if answer["id"] != json!(self.next) {
                self.events.push_back(answer);
            } else if let Some(error) = answer.get("error") {
                bail!("{method}: {error}");
            } else {
                return Ok(answer["result"].clone());
            }
        }
    }

    fn read(&mut self) -> Result<Value> {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes)?;
        ensure!(bytes.pop() == Some(0), "the browser ended");
        Ok(serde_json::from_slice(&bytes)?)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns a page's address; the folder's name may hold anything.
fn address(page: &Path) -> String {
    let path = page.to_string_lossy();
    let escaped = path.bytes().map(|byte| match byte {
        _ if byte.is_ascii_alphanumeric() || b"/.-_~".contains(&byte) => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    format!("file://{}", escaped.collect::<String>())
}
