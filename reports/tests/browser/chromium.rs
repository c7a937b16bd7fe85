//! A headless Chromium, driven through the DevTools protocol over a pair of pipes: messages are
//! JSON, each ended by a NUL.
//!
//! The protocol's pipes are file descriptors 3 and 4 of the browser; a shell puts them there.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Time limit for an answer: enough for a page of ten thousand trials on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// All pages are of this project, so one process draws them in sequence, by the two options in the
/// middle. Without these each page starts a process, an eighth of the browser's total time.
const FLAGS: [&str; 14] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
    "about:blank",
];

/// The browser's program on PATH that can be started: on some systems the name is a stub that only
/// prints how to install one. `ci/setup browser` uses the same names. The first one has no window
/// system, and takes two thirds of the time.
pub(crate) fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    names
        .iter()
        .flat_map(|name| std::env::split_paths(&path).map(move |folder| folder.join(name)))
        .find(|file| file.is_file() && tells_its_version(file))
}

fn tells_its_version(program: &Path) -> bool {
    let version = Command::new(program).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output();
    version.is_ok_and(|version| version.status.success())
}

/// A running browser, killed when dropped.
pub(crate) struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    next: u64,
    events: Vec<Value>,
    _profile: tempfile::TempDir,
}

/// A page in the browser.
pub(crate) struct Tab<'a> {
    browser: &'a mut Browser,
    session: String,
    target: String,
}

impl Browser {
    /// Starts the browser with a profile of its own.
    pub(crate) fn start(program: &Path) -> Browser {
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
            .arg(program)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(FLAGS)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let to = child.stdin.take().expect("piped");
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        let (send, from) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while out.read_until(0, &mut message).is_ok_and(|length| length > 0) {
                message.pop();
                if let Ok(value) = serde_json::from_slice(&message)
                    && send.send(value).is_err()
                {
                    break;
                }
                message.clear();
            }
        });
        Browser { child, to, from, next: 0, events: Vec::new(), _profile: profile }
    }

    /// Opens a new page, with errors and requests recorded.
    pub(crate) fn tab(&mut self) -> Tab<'_> {
        let made = self.call(None, "Target.createTarget", json!({ "url": "about:blank" }));
        let target = made["targetId"].as_str().expect("a target").to_owned();
        let attached = self.call(None, "Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        let session = attached["sessionId"].as_str().expect("a session").to_owned();
        let mut tab = Tab { browser: self, session, target };
        tab.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
        for domain in ["Page", "Runtime", "Log", "Network"] {
            tab.call(&format!("{domain}.enable"), json!({}));
        }
        tab
    }

    fn call(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).expect("the browser lives");
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message = self.from.recv_timeout(left).unwrap_or_else(|_| panic!("no answer to {method}"));
            if message["id"] == self.next {
                assert!(message.get("error").is_none(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Tab<'_> {
    /// Sends a command of the protocol.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.browser.call(Some(&self.session), method, params)
    }

    /// Sets the size of the window, in CSS pixels.
    pub(crate) fn size(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Sets the preferred colour scheme: `light` or `dark`.
    pub(crate) fn scheme(&mut self, scheme: &str) {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// Opens a file at a fragment and waits until it is ready.
    pub(crate) fn open(&mut self, file: &Path, fragment: &str) {
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.call("Page.navigate", json!({ "url": format!("file://{}{fragment}", file.display()) }));
        self.wait("document.readyState === 'complete' && !!document.querySelector('main > section')");
    }

    /// The value of an expression; a promise is awaited.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.call("Runtime.evaluate", params);
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// The text of an expression.
    pub(crate) fn text(&mut self, expression: &str) -> String {
        let value = self.eval(expression);
        value.as_str().map(str::to_owned).unwrap_or_else(|| panic!("{expression} is no text: {value}"))
    }

    /// The number of an expression.
    pub(crate) fn number(&mut self, expression: &str) -> f64 {
        let value = self.eval(expression);
        value.as_f64().unwrap_or_else(|| panic!("{expression} is no number: {value}"))
    }

    /// Waits until an expression is true.
    pub(crate) fn wait(&mut self, expression: &str) {
        let until = Instant::now() + PATIENCE;
        while self.eval(&format!("!!({expression})")) != json!(true) {
            assert!(Instant::now() < until, "never: {expression}");
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// Goes to a fragment within the page, as a link would.
    pub(crate) fn go(&mut self, fragment: &str) {
        let fragment = serde_json::to_string(fragment).expect("text");
        let script = format!(
            "new Promise((done) => {{ const to = {fragment}; if (location.hash === to) return done(); \
             addEventListener('hashchange', () => setTimeout(done, 0), {{ once: true }}); location.hash = to; }})"
        );
        self.eval(&script);
    }

    /// Presses and releases a key, as a person would.
    pub(crate) fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Enter" => (13, "\r"),
            "Tab" => (9, ""),
            "Escape" => (27, ""),
            " " => (32, " "),
            "End" => (35, ""),
            "Home" => (36, ""),
            "ArrowLeft" => (37, ""),
            "ArrowUp" => (38, ""),
            "ArrowRight" => (39, ""),
            "ArrowDown" => (40, ""),
            "PageDown" => (34, ""),
            one => (0, one),
        };
        let kind = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        let mut event = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code, "text": text });
        self.call("Input.dispatchKeyEvent", event.clone());
        event["type"] = "keyUp".into();
        self.call("Input.dispatchKeyEvent", event);
    }

    /// Types a text.
    pub(crate) fn type_text(&mut self, text: &str) {
        for letter in text.chars() {
            self.press(&letter.to_string());
        }
    }

    /// A picture of the window as PNG, in base64.
    pub(crate) fn screenshot(&mut self, whole: Shot) -> String {
        let params = json!({ "format": "png", "captureBeyondViewport": whole == Shot::Page });
        let result = self.call("Page.captureScreenshot", params);
        result["data"].as_str().expect("a picture").to_owned()
    }

    /// Takes errors and warnings of the console, and requests for anything other than the page.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        // A round trip, so that earlier messages have arrived.
        self.eval("0");
        let session = Value::from(self.session.clone());
        let mine = self.browser.events.extract_if(.., |event| event["sessionId"] == session);
        mine.filter_map(|event| complaint(event["method"].as_str()?, &event["params"])).collect()
    }
}

/// The extent of a screenshot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shot {
    /// The window.
    Window,
    /// The whole page.
    Page,
}

fn complaint(method: &str, params: &Value) -> Option<String> {
    match method {
        "Runtime.exceptionThrown" => Some(format!("exception: {}", params["exceptionDetails"])),
        "Runtime.consoleAPICalled" => Some(format!("console: {params}")),
        "Log.entryAdded" => Some(format!("log: {}", params["entry"])),
        "Network.requestWillBeSent" => {
            let url = params["request"]["url"].as_str().unwrap_or_default();
            let own = ["file:", "about:", "data:"].iter().any(|scheme| url.starts_with(scheme));
            (!own).then(|| format!("request: {url}"))
        }
        _ => None,
    }
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        let target = json!({ "targetId": self.target });
        if !std::thread::panicking() {
            self.browser.call(None, "Target.closeTarget", target);
        }
    }
}
