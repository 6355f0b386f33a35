//! What a search knows between two rounds, so that a later run takes it up where it was: the same questions follow, and the same end, bit for bit.
//! Not here: files, what solvers keep (`borelli_fit::Page`).
//! In: lines that an earlier run wrote. Out: lines for a later one.
//!
//! Searches that follow each other (`then`) are kept each by itself: those that are over are taken up at their end, from which the next begins as it did.

use super::fault::FitFault;
use super::record::Round;
use borelli_fit::{Page, Solver};

/// Names and numbers in hexadecimal.
pub type Lines = Vec<(String, String)>;

/// Points that had no value, because runs failed there or ended early.
#[derive(Default)]
pub(super) struct Rejected {
    pub count: usize,
    /// The first of them.
    pub first: Vec<f64>,
}

impl Rejected {
    /// Notes further points, and the first of them.
    pub(super) fn note(&mut self, (count, first): (usize, Option<Vec<f64>>)) {
        if self.count == 0 {
            self.first = first.unwrap_or_default();
        }
        self.count += count;
    }

    fn keep(&mut self, page: &mut Page) {
        let mut rows = vec![vec![self.count as f64], self.first.clone()];
        page.rows("rejected", &mut rows);
        if let (true, [count, first]) = (page.is_read(), &rows[..]) {
            (self.count, self.first) = (count.first().map_or(0, |count| *count as usize), first.clone());
        }
    }
}

/// The searches of a fit, as far as they have come.
pub(super) struct Bookmark {
    pub(super) rejected: Rejected,
    /// What an earlier run wrote.
    taken: Option<Page>,
    /// Searches that are over.
    over: Page,
}

fn name(search: usize) -> String {
    format!("search.{search}")
}

fn keep_history(page: &mut Page, history: &mut Vec<Round>) {
    let row = |own: &Round| {
        let known = [own.iterations as f64, own.evaluations as f64, own.objective, own.step, own.control, own.gradient];
        known.into_iter().chain(own.volume).collect()
    };
    let mut rows: Vec<Vec<f64>> = history.iter().map(row).collect();
    page.rows("history", &mut rows);
    if page.is_read() {
        let round = |row: &Vec<f64>| {
            let [iterations, evaluations, objective, step, control, gradient] = *row.first_chunk()?;
            let (iterations, evaluations, volume) = (iterations as usize, evaluations as usize, row.get(6).copied());
            Some(Round { iterations, evaluations, objective, step, control, gradient, volume })
        };
        *history = rows.iter().filter_map(round).collect();
    }
}

impl Bookmark {
    /// From lines of an earlier run, if there are some; the history of its rounds goes to `history`.
    pub(super) fn new(lines: Option<Lines>, history: &mut Vec<Round>) -> Result<Bookmark, FitFault> {
        let (mut taken, mut rejected) = (None, Rejected::default());
        if let Some(lines) = lines {
            let page = Page::from_lines(lines.iter().map(|(name, line)| (name.as_str(), line.as_str())));
            let mut page = page.ok_or(FitFault::Checkpoint { entry: "hexadecimal numbers".into() })?;
            keep_history(&mut page, history);
            rejected.keep(&mut page);
            taken = Some(page);
        }
        Ok(Bookmark { rejected, taken, over: Page::blank() })
    }

    /// Brings a new search to where the earlier run left it, if it had begun it.
    pub(super) fn take_up(&mut self, search: usize, solver: &mut dyn Solver) -> Result<(), FitFault> {
        let Some(page) = &mut self.taken else { return Ok(()) };
        let own = name(search);
        if page.lines().all(|(line, _)| !line.starts_with(&format!("{own}."))) {
            return Ok(());
        }
        page.inner(&own, |page| solver.keep(page));
        page.missing().map_or(Ok(()), |entry| Err(FitFault::Checkpoint { entry: format!("`{entry}`") }))
    }

    /// Remembers a search that is over.
    pub(super) fn close(&mut self, search: usize, solver: &mut dyn Solver) {
        self.over.inner(&name(search), |page| solver.keep(page));
    }

    /// All that is known now, with a search that goes on.
    pub(super) fn lines(&mut self, search: usize, solver: &mut dyn Solver, history: &mut Vec<Round>) -> Lines {
        let mut page = self.over.clone();
        page.inner(&name(search), |page| solver.keep(page));
        keep_history(&mut page, history);
        self.rejected.keep(&mut page);
        page.lines().map(|(name, line)| (name.to_string(), line)).collect()
    }
}
