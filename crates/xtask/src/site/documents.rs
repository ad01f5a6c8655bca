//! The documents of the checkout as pages.

use anyhow::{Context, Result};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The folder of pictures, in `docs` and in the site.
const PICTURES: &str = "pictures";

const STYLE: &str = "\
body { font: 16px/1.6 system-ui, 'Noto Sans CJK JP', 'Hiragino Sans', sans-serif; color: #2b2117; background: #f7f2e7;
  max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
a { color: #a5301c; } pre { overflow-x: auto; } code, pre { background: #efe6d3; }
table { border-collapse: collapse; display: block; overflow-x: auto; } td, th { border: 1px solid #cbbd9f; padding: .2rem .5rem; }
@media (prefers-color-scheme: dark) { body { color: #eadfc8; background: #1b1612; } a { color: #f08a70; } code, pre { background: #2a231c; } }
";

/// Writes every document of `docs` with its pictures, and the README in both languages as the
/// first.
pub fn write(root: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder.join(PICTURES))?;
    for entry in fs::read_dir(root.join("docs").join(PICTURES))? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join(PICTURES).join(entry.file_name()))?;
    }
    fs::write(folder.join("style.css"), STYLE)?;
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(root.join("docs"))? {
        let name = entry?.file_name().into_string().ok().context("a name that is not UTF-8")?;
        names.extend(name.strip_suffix(".md").map(ToString::to_string));
    }
    for name in &names {
        page(&root.join("docs").join(format!("{name}.md")), folder, name, &names)?;
    }
    page(&root.join("README.md"), folder, "index", &names)?;
    page(&root.join("README.ja.md"), folder, "index.ja", &names)
}

fn page(source: &Path, folder: &Path, name: &str, names: &BTreeSet<String>) -> Result<()> {
    let text = fs::read_to_string(source).with_context(|| source.display().to_string())?;
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(name);
    let language = if name.ends_with(".ja") { "ja" } else { "en" };
    let page = format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<link rel=\"icon\" href=\"../icon.svg\">\n<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n<body>\n\
         <p><a href=\"../index.html\">Yomikiri</a> · <a href=\"index.html\">README</a> · \
         <a href=\"index.ja.html\" lang=\"ja\">日本語</a></p>\n<main>\n{}</main>\n</body>\n</html>\n",
        escape(title),
        body(&text, names),
    );
    fs::write(folder.join(format!("{name}.html")), page)?;
    Ok(())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// The text as HTML. Links to files that are no part of the site lose their address.
fn body(text: &str, names: &BTreeSet<String>) -> String {
    let mut kept = Vec::new();
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let address = address(&dest_url, names);
            kept.push(address.is_some());
            let dest_url = address?.into();
            Some(Event::Start(Tag::Link { link_type, dest_url, title, id }))
        }
        Event::End(TagEnd::Link) => kept.pop().unwrap_or(false).then_some(Event::End(TagEnd::Link)),
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            let dest_url = dest_url.trim_start_matches("docs/").to_string().into();
            Some(Event::Start(Tag::Image { link_type, dest_url, title, id }))
        }
        other => Some(other),
    });
    let mut page = String::new();
    html::push_html(&mut page, events);
    // Long lines and wide tables scroll, by the keyboard too.
    page.replace("<pre>", "<pre tabindex=\"0\">").replace("<table>", "<table tabindex=\"0\">")
}

/// Where a link of a document leads in the site, if it leads anywhere.
fn address(link: &str, names: &BTreeSet<String>) -> Option<String> {
    if link.starts_with("https://") || link.starts_with('#') {
        return Some(link.to_string());
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, a)| (path, Some(a)));
    let path = path.trim_start_matches("../").trim_start_matches("docs/");
    let found = match path.strip_suffix(".md") {
        Some("README") => "index.html".to_string(),
        Some("README.ja") => "index.ja.html".to_string(),
        Some(name) if names.contains(name) => format!("{name}.html"),
        None if path.starts_with("report/") => format!("../reports/{}", &path["report/".len()..]),
        _ => return None,
    };
    Some(anchor.map_or(found.clone(), |anchor| format!("{found}#{anchor}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_of_the_site_or_nowhere() {
        let names = BTreeSet::from(["tsume".to_string()]);
        for (link, leads) in [
            ("docs/tsume.md#rules", Some("tsume.html#rules")),
            ("../README.md", Some("index.html")),
            ("docs/report/probcut/index.html", Some("../reports/probcut/index.html")),
            ("https://example.org/", Some("https://example.org/")),
            ("crates/app/src/main.rs", None),
            ("docs/none.md", None),
        ] {
            assert_eq!(address(link, &names).as_deref(), leads, "{link}");
        }
        let picture = body("![a](docs/pictures/a.png)", &names);
        assert_eq!(picture, "<p><img src=\"pictures/a.png\" alt=\"a\" /></p>\n");
        let html = body("[a](docs/tsume.md) [b](src/x.rs)", &names);
        assert_eq!(html, "<p><a href=\"tsume.html\">a</a> b</p>\n");
    }

    /// The links and pictures of a document that lie in the checkout.
    fn local_links(text: &str) -> Vec<String> {
        let events = Parser::new_ext(text, Options::ENABLE_TABLES);
        let links = events.filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(dest_url.split('#').next().unwrap_or_default().to_string())
            }
            _ => None,
        });
        links.filter(|link| !link.is_empty() && !link.starts_with("https://")).collect()
    }

    #[test]
    fn the_book_has_every_document_and_its_links_lead_somewhere() {
        let root = crate::tools::root().unwrap();
        let chapters = local_links(&fs::read_to_string(root.join("docs/SUMMARY.md")).unwrap());
        let mut documents = vec![root.join("README.md"), root.join("README.ja.md")];
        for entry in fs::read_dir(root.join("docs")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.ends_with(".md") {
                assert!(name == "SUMMARY.md" || chapters.contains(&name), "{name} is in no book");
                documents.push(path);
            }
        }
        for document in documents {
            for link in local_links(&fs::read_to_string(&document).unwrap()) {
                let leads = document.parent().unwrap().join(&link);
                assert!(leads.exists(), "{}: {link}", document.display());
            }
        }
    }
}
