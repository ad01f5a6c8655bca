//! A table of results: once as CSV, once as HTML.

use std::io;
use std::path::Path;

use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use yomikiri_base::files::write_derived;

/// Rows of text under headings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new<S: Into<String>>(headings: impl IntoIterator<Item = S>) -> Table {
        Table { headings: headings.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row; missing cells are empty.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.headings.len(), String::new());
        self.rows.push(cells);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes the table as CSV.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_csv(&self, path: &Path) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.headings)?;
        for row in &self.rows {
            writer.write_record(row)?;
        }
        let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
        write_derived(path, &bytes)
    }

    /// The table as HTML; cells that are numbers are set flush right.
    pub fn to_html(&self) -> Markup {
        html! {
            table {
                thead { tr { @for heading in &self.headings { th { (heading) } } } }
                tbody {
                    @for row in &self.rows {
                        "\n" tr {
                            @for cell in row {
                                @if looks_numeric(cell) { td.n { (cell) } } @else { td { (cell) } }
                            }
                        }
                    }
                }
            }
            "\n"
        }
    }
}

fn looks_numeric(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+') || cell == "–"
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn text_is_escaped_and_numbers_are_marked() {
        let mut table = Table::new(["a<b", "n"]);
        table.row(["x & y", "12.5"]);
        let html = table.to_html().into_string();
        assert!(
            html.contains("a&lt;b")
                && html.contains("x &amp; y")
                && html.contains("<td class=\"n\">12.5")
        );
    }
}
