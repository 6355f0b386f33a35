//! How many instructions an evaluation takes: the guard of speed that repeats exactly, whatever else the machine does.
//! Not here: times, which `borelli bench` prints.
//! In: an optimised program named by `BORELLI_RELEASE_BIN` (`make test` builds it) and valgrind. Without one of them the test says `SKIPPED`.

use crate::root;
use std::env;
use std::io::Write;
use std::process::Command;

/// One guarded operation.
struct Guard {
    model: &'static str,
    op: &'static str,
    /// Instructions per call above which the test fails: what was measured, and three hundredths for another compiler.
    ceiling: u64,
    /// Instructions per call that are wanted.
    goal: u64,
}

const GUARDS: [Guard; 4] = [
    Guard { model: "squat4", op: "fd", ceiling: 1_440, goal: 1_300 },
    Guard { model: "walker7", op: "fd", ceiling: 2_530, goal: 2_300 },
    Guard { model: "human3d", op: "fd", ceiling: 27_900, goal: 27_000 },
    Guard { model: "human3d", op: "id", ceiling: 15_700, goal: 14_000 },
];

/// Two numbers of calls; the difference is evaluations alone, without start and end of the program.
const CALLS: [u64; 2] = [64, 320];

/// Past the capture of the test runner, which would hide it; a closed standard error is no reason to fail a test.
fn say(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Instructions of the whole program with this many calls.
fn count(program: &str, guard: &Guard, calls: u64) -> u64 {
    let calls = calls.to_string();
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", program])
        .args(["bench", "--model", guard.model, "--op", guard.op, "--calls", &calls])
        .current_dir(root())
        .output()
        .expect("valgrind starts");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    let line = log.lines().find(|line| line.contains("I") && line.contains("refs:")).unwrap_or_else(|| panic!("no count in: {log}"));
    let digits: String = line.rsplit(':').next().unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("no count in: {line}"))
}

#[test]
fn an_evaluation_takes_no_more_instructions_than_it_did() {
    let Some(program) = env::var("BORELLI_RELEASE_BIN").ok().filter(|path| std::path::Path::new(path).is_file()) else {
        return say("SKIPPED: no instructions counted; set BORELLI_RELEASE_BIN to an optimised program (`make test` does)");
    };
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return say("SKIPPED: no instructions counted; valgrind is not installed");
    }
    let mut over = Vec::new();
    for guard in &GUARDS {
        let [few, many] = CALLS.map(|calls| count(&program, guard, calls));
        let per_call = (many - few) / (CALLS[1] - CALLS[0]);
        let line = format!("{} {}: {per_call} instructions, ceiling {}, goal {}", guard.model, guard.op, guard.ceiling, guard.goal);
        say(&line);
        if per_call > guard.ceiling {
            over.push(line);
        }
    }
    assert!(over.is_empty(), "{over:#?}");
}
