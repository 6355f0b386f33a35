//! Looking on while a run goes: progress for people at a terminal, and Ctrl-C as a request to end well.
//! Not here: the run, the folder.
//! In: time and counters after each step. Out: one line on the standard error that rewrites itself, and whether to stop.

use borelli::results::write_checkpoint;
use borelli_dynamics::integrate::Statistics;
use borelli_study::fit::{Lines, RefitProgress, SearchProgress};
use borelli_study::plan::Time;
use borelli_study::run::Watch;
use borelli_study::uncertainty::RunsProgress;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set when the user asks to end. A later request ends the process at once, as if nobody had listened.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

/// Requests that come so close together are one: shells and `timeout` signal the process and its group.
const GRACE: Duration = Duration::from_millis(300);

impl StopFlag {
    /// Listens to Ctrl-C and to the request to terminate.
    pub fn listen() -> io::Result<StopFlag> {
        let (flag, impatient) = (StopFlag::default(), Arc::new(AtomicBool::new(false)));
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, impatient.clone())?;
            signal_hook::flag::register(signal, flag.0.clone())?;
        }
        let seen = flag.clone();
        // Ends with the process.
        std::thread::spawn(move || {
            while !seen.is_set() {
                std::thread::sleep(PAUSE);
            }
            std::thread::sleep(GRACE);
            impatient.store(true, Ordering::Relaxed);
        });
        Ok(flag)
    }

    /// True once the user has asked.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Between two lines of progress; shorter would flicker.
const PAUSE: Duration = Duration::from_millis(100);

/// Between two checkpoints: what is lost at most when a search is killed.
const BETWEEN: Duration = Duration::from_secs(1);

/// Where a search keeps what it knows.
pub struct Keeping {
    /// Working folder of the run, and the case.
    pub folder: PathBuf,
    pub case: String,
    /// What the search is about, see `results::question`.
    pub question: String,
    /// What an earlier run kept.
    pub known: Option<Lines>,
}

/// One run being looked at.
pub struct Progress {
    stop: StopFlag,
    /// What stands before the numbers, such as the name of a case.
    label: String,
    time: Time,
    terminal: bool,
    shown: Option<Instant>,
    began: Instant,
    keeping: Option<Keeping>,
    kept: Instant,
}

impl Progress {
    /// Looks at a run over `time`; lines appear only where a terminal reads them.
    pub fn new(stop: StopFlag, label: &str, time: Time) -> Progress {
        let now = Instant::now();
        let terminal = io::stderr().is_terminal();
        Progress { stop, label: label.into(), time, terminal, shown: None, began: now, keeping: None, kept: now }
    }

    /// As `new`, but nothing is shown.
    pub fn silent(stop: StopFlag, time: Time) -> Progress {
        let mut progress = Progress::new(stop, "", time);
        progress.terminal = false;
        progress
    }

    /// The same, with a place where a search keeps what it knows.
    pub fn keeping(mut self, keeping: Keeping) -> Progress {
        self.keeping = Some(keeping);
        self
    }
}

impl Progress {
    /// Shows a line in place of the one before, if a terminal reads it and the last is old enough.
    fn show(&mut self, line: &str) {
        let now = Instant::now();
        if !self.terminal || now.duration_since(self.shown.unwrap_or(self.began)) < PAUSE {
            return;
        }
        self.shown = Some(now);
        let line = format!("\r{}{line}\x1b[K", self.label);
        // Who closed the standard error does not want to know.
        let _ = io::stderr().write_all(line.as_bytes());
    }
}

impl Watch for Progress {
    fn progress(&mut self, t: f64, statistics: &Statistics) {
        let portion = 100.0 * (t - self.time.start) / (self.time.end - self.time.start);
        self.show(&format!("{portion:3.0} %  t = {t:.6} s  {} steps", statistics.accepted));
    }

    fn search(&mut self, progress: &SearchProgress) {
        let (done, most) = progress.evaluations;
        let name = progress.method;
        self.show(&format!(
            "{name}: {done} of at most {most} evaluations, objective {:.6}, step {:.1e}",
            progress.objective, progress.step
        ));
    }

    fn refits(&mut self, progress: &RefitProgress) {
        let (done, all) = progress.done;
        self.show(&format!("{done} of {all} further searches from the best point"));
    }

    fn runs(&mut self, progress: &RunsProgress) {
        let (done, all) = progress.runs;
        let failed = if progress.failed > 0 { format!(", {} failed", progress.failed) } else { String::new() };
        self.show(&format!("{done} of {all} runs with drawn inputs{failed}"));
    }

    fn keep(&mut self, state: &mut dyn FnMut() -> Lines) {
        let Some(Keeping { folder, case, question, .. }) = &self.keeping else { return };
        if self.kept.elapsed() < BETWEEN && !self.stop.is_set() {
            return;
        }
        if let Err(error) = write_checkpoint(folder, case, question, state()) {
            let _ = writeln!(io::stderr(), "warning[no-checkpoint]: what the search knows cannot be kept: {error}");
            self.keeping = None;
        }
        self.kept = Instant::now();
    }

    fn kept(&mut self) -> Option<Lines> {
        self.keeping.as_mut()?.known.take()
    }

    fn stop(&self) -> bool {
        self.stop.is_set()
    }
}

impl Drop for Progress {
    /// Leaves a clean line.
    fn drop(&mut self) {
        if self.shown.is_some() {
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }
}
