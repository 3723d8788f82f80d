//! Names of devices for their owners, from the `User-Agent` header.

/// Marks of devices. A more specific one comes first.
const DEVICES: [(&str, &str); 9] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "Chromebook"),
    ("Windows", "Windows パソコン"),
    ("Android", "Android"),
    // Before Macintosh, which the browsers of other Apple devices contain too.
    ("iPod", "iPod"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux パソコン"),
    ("X11", "パソコン"),
];

/// Marks of browsers. A more specific one comes first: nearly all contain Safari, and most of the rest Chrome.
const BROWSERS: [(&str, &str); 14] = [
    ("Line/", "LINE"),
    ("YJApp", "Yahoo! JAPAN"),
    ("EdgiOS/", "Edge"),
    ("EdgA/", "Edge"),
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("GSA/", "Google アプリ"),
    ("Chrome/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Safari/", "Safari"),
];

/// Describes a device, e.g. 「iPhone の Safari」.
#[must_use]
pub fn describe(user_agent: &str) -> String {
    let find = |table: &[(&str, &'static str)]| {
        table.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    match (find(&DEVICES), find(&BROWSERS)) {
        (Some(device), Some(browser)) => format!("{device} の {browser}"),
        (Some(device), None) => device.to_owned(),
        (None, Some(browser)) => browser.to_owned(),
        (None, None) => "不明な端末".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::describe;

    #[test]
    fn common_devices_and_browsers_are_recognised() {
        #[rustfmt::skip]
        let table = [
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1", "iPhone の Safari"),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1", "iPhone の Chrome"),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari Line/15.1.0", "iPhone の LINE"),
            ("Mozilla/5.0 (iPad; CPU OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1", "iPad の Safari"),
            ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36", "Android の Chrome"),
            ("Mozilla/5.0 (Linux; Android 15; SM-S921) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36", "Android の Samsung Internet"),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0", "Windows パソコン の Edge"),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15", "Mac の Safari"),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", "Linux パソコン の Firefox"),
            ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36", "Chromebook の Chrome"),
            ("Mozilla/5.0 (Macintosh)", "Mac"),
            ("curl/8.5", "不明な端末"),
            ("", "不明な端末"),
        ];
        for (user_agent, expected) in table {
            assert_eq!(describe(user_agent), expected, "{user_agent}");
        }
    }
}
