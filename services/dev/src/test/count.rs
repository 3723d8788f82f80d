//! Parses the numbers of tests from the output of test runners.

use serde_json::Value;

use tooling::report::Tally;

/// Parses cargo's `test result: ok. 12 passed; 0 failed; 1 ignored; …`, one line for each binary.
pub(super) fn cargo(output: &str) -> Option<Tally> {
    let mut all: Option<Tally> = None;
    for line in output.lines().filter(|line| line.starts_with("test result: ")) {
        let number = |word: &str| {
            let before = line.split(word).next()?;
            before.trim_end().rsplit(' ').next()?.parse::<usize>().ok()
        };
        *all.get_or_insert_default() +=
            Tally { passed: number(" passed")?, failed: number(" failed")?, skipped: number(" ignored")? };
    }
    all
}

/// Parses vitest's JSON report.
pub(super) fn vitest(report: &str) -> Option<Tally> {
    let report: Value = serde_json::from_str(report).ok()?;
    let number = |field: &str| report[field].as_u64().and_then(|number| usize::try_from(number).ok());
    // A file that cannot be loaded is a failed suite without a failed test.
    let broken = report["testResults"].as_array()?.iter().filter(|file| {
        file["status"] == "failed" && file["assertionResults"].as_array().is_none_or(Vec::is_empty)
    });
    Some(Tally {
        passed: number("numPassedTests")?,
        failed: number("numFailedTests")? + broken.count(),
        skipped: number("numPendingTests")? + number("numTodoTests")?,
    })
}

/// Parses playwright's JSON report. A test that passed only on a retry counts as failed.
pub(super) fn playwright(report: &str) -> Option<Tally> {
    let report: Value = serde_json::from_str(report).ok()?;
    let number =
        |field: &str| report["stats"][field].as_u64().and_then(|number| usize::try_from(number).ok());
    Some(Tally {
        passed: number("expected")?,
        failed: number("unexpected")? + number("flaky")?,
        skipped: number("skipped")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_is_added_up_over_its_binaries() {
        let output = "running 2 tests\n\
            test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
            test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";
        assert_eq!(cargo(output), Some(Tally { passed: 15, failed: 2, skipped: 1 }));
        assert_eq!(cargo("error: could not compile"), None);
    }

    #[test]
    fn vitest_files_that_do_not_load_are_failures() {
        let report = r#"{"numPassedTests": 5, "numFailedTests": 1, "numPendingTests": 2, "numTodoTests": 0,
            "testResults": [{"status": "failed", "assertionResults": []},
                            {"status": "failed", "assertionResults": [{"status": "failed"}]}]}"#;
        assert_eq!(vitest(report), Some(Tally { passed: 5, failed: 2, skipped: 2 }));
    }

    #[test]
    fn a_flaky_browser_test_is_a_failure() {
        let report = r#"{"stats": {"expected": 7, "unexpected": 1, "flaky": 1, "skipped": 3}}"#;
        assert_eq!(playwright(report), Some(Tally { passed: 7, failed: 2, skipped: 3 }));
        assert_eq!(playwright("[]"), None);
    }
}
