//! Entry point of the fuzz targets in `services/fuzz`. Nothing else uses it.

/// Parses an accounts file. A fault names the file, the line and a reason.
pub fn parse_accounts(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data)
        && let Err(fault) = crate::import::check_text(text)
    {
        let reason = fault.strip_prefix("accounts.yaml:").and_then(|rest| rest.split_once(": "));
        assert!(reason.is_some_and(|(line, why)| line.parse::<u64>().is_ok() && !why.is_empty()), "{fault}");
    }
}
