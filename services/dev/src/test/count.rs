//! Parses the numbers of tests from the output of test runners.

use serde_json::Value;

use tooling::report::Tally;

/// Parses the attributes of the first element of nextest's `JUnit` report. It omits tests that were not run.
pub(super) fn junit(report: &str) -> Option<Tally> {
    let (_, all) = report.split_once("<testsuites ")?;
    let (all, _) = all.split_once('>')?;
    let number = |attribute: &str| {
        let (_, rest) = all.split_once(&format!("{attribute}=\""))?;
        rest.split_once('"')?.0.parse::<usize>().ok()
    };
    let failed = number("failures")? + number("errors")?;
    Some(Tally { passed: number("tests")?.checked_sub(failed)?, failed, skipped: 0 })
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
    fn a_test_that_fails_or_ends_badly_has_not_passed() {
        let report = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="18" failures="2" errors="1" uuid="x" timestamp="y" time="0.1">
    <testsuite name="auth" tests="18" disabled="0" errors="1" failures="2"></testsuite>
</testsuites>"#;
        assert_eq!(junit(report), Some(Tally { passed: 15, failed: 3, skipped: 0 }));
        assert_eq!(junit(""), None);
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
