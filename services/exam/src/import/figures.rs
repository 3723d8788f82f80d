//! Figures of questions: SVG documents that only draw.

use std::collections::BTreeMap;

use aws_lc_rs::digest::{SHA256, digest};
use kit_content::File;
use serde::Deserialize;
use serde_saphyr::Spanned;

use crate::question::Figure;

/// The maximum size of a figure, in bytes.
const LARGEST: usize = 100_000;
/// The allowed elements.
const ELEMENTS: [&str; 16] = [
    "svg", "title", "desc", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text",
    "tspan", "defs", "marker", "clipPath",
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FigureEntry {
    file: Spanned<String>,
    alt: Spanned<String>,
}

/// The figures of the folder: SVG by name.
#[derive(Default)]
pub(super) struct Figures(pub(super) BTreeMap<String, String>);

impl Figures {
    /// Reads the figure of a question.
    pub(super) fn read_figure(
        &mut self,
        file: &mut File<'_>,
        folder: &kit_content::Folder,
        entry: FigureEntry,
    ) -> Figure {
        let mut url = String::new();
        let name = &entry.file.value;
        if name.contains(['/', '\\']) || name.strip_suffix(".svg").is_none() {
            file.fault(&entry.file, "file", format!("'{name}' is not the name of an SVG file in figures/"));
        } else {
            match folder.read_file(&format!("figures/{name}")) {
                Err(error) => file.fault(&entry.file, "file", format!("figures/{name}: {error}")),
                Ok(svg) => {
                    if let Err(reason) = check_svg(&svg) {
                        file.fault(&entry.file, "file", format!("figures/{name} {reason}"));
                    } else {
                        let digest = hex::encode(digest(&SHA256, svg.as_bytes()));
                        url = format!("/api/exam/figure/{digest}/");
                        self.0.insert(digest, svg);
                    }
                }
            }
        }
        Figure { url, alt: file.text(entry.alt, "alt") }
    }
}

/// Checks that the document only draws: no scripts, no styles and no external references.
fn check_svg(svg: &str) -> Result<(), String> {
    if svg.len() > LARGEST {
        return Err(format!("has more than {LARGEST} bytes"));
    }
    if !svg.trim_start().starts_with("<svg ") {
        return Err("does not begin with <svg".to_owned());
    }
    // A tag is the text from `<` to the next `>`. A `<` within an attribute is invalid XML.
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').ok_or("has a tag that does not end")?;
        let name: String =
            tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        if !ELEMENTS.contains(&name.as_str()) {
            return Err(format!("has <{name}>, which is none of {}", ELEMENTS.join(", ")));
        }
        let attributes = tag.split('"').step_by(2).flat_map(str::split_whitespace);
        for attribute in attributes {
            let attribute = attribute.trim_end_matches('=');
            if attribute.starts_with("on") || attribute.contains("href") || attribute == "style" {
                return Err(format!("has the attribute {attribute}"));
            }
        }
        if tag.contains("url(") && !tag.contains("url(#") {
            return Err("refers to something outside of it".to_owned());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check_svg;

    #[test]
    fn a_drawing_is_accepted() {
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>点</title>
            <path d="M0 0L9 9" marker-end="url(#arrow)"/><text x="1">one &lt; on</text></svg>"#;
        assert_eq!(check_svg(svg), Ok(()));
    }

    #[test]
    fn elements_that_do_not_draw_are_refused() {
        for (inside, reason) in [
            ("<script>1</script>", "has <script>"),
            ("<style>a{}</style>", "has <style>"),
            ("<foreignObject/>", "has <foreignObject>"),
            ("<image href=\"a.png\"/>", "has <image>"),
            ("<!-- a -->", "has <>"),
            ("<path onload=\"1\"/>", "has the attribute onload"),
            ("<path xlink:href=\"#a\"/>", "has the attribute xlink:href"),
            ("<path style=\"fill:url(//x)\"/>", "has the attribute style"),
            ("<path fill=\"url(https://x)\"/>", "refers to something outside"),
            ("<path", "has a tag that does not end"),
        ] {
            let reported = check_svg(&format!("<svg >{inside}")).unwrap_err();
            assert!(reported.starts_with(reason), "{inside}: {reported}");
        }
        assert!(check_svg("<?xml version=\"1.0\"?><svg ></svg>").is_err());
    }
}
