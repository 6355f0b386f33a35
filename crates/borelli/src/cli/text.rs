//! Text for a terminal: lines that fit, columns that stand below each other.
//! Not here: what is said.

/// Letters of a line.
const WIDTH: usize = 100;

/// Text in lines that fit a terminal.
pub fn wrapped(text: &str) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > WIDTH {
            out.push('\n');
            used = 0;
        }
        if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length;
    }
    out.push('\n');
    out
}

/// Rows under heads, for a terminal and for the book.
pub struct Table {
    pub heads: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Columns with two blanks between them.
    pub fn text(&self) -> String {
        let heads: Vec<String> = self.heads.iter().map(|head| head.to_string()).collect();
        let all: Vec<&Vec<String>> = std::iter::once(&heads).chain(&self.rows).collect();
        let width = |k: usize| all.iter().filter_map(|row| row.get(k)).map(|cell| cell.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.heads.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells: String = row.iter().zip(&widths).map(|(cell, width)| format!("  {cell:<width$}")).collect();
            format!("{}\n", cells.trim_end())
        };
        all.into_iter().map(line).collect()
    }

    /// A table of the book. A bar inside a cell would end it.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rows = self.rows.iter().map(|row| line(row.iter().map(|cell| cell.replace('|', "\\|")).collect()));
        let heads = [line(self.heads.iter().map(|head| head.to_string()).collect()), line(vec!["---".into(); self.heads.len()])];
        heads.into_iter().chain(rows).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_between_words_only() {
        let text = "word ".repeat(50);
        let lines = wrapped(&text);
        assert_eq!(lines.split_whitespace().count(), 50);
        assert!(lines.lines().count() == 3 && lines.lines().all(|line| line.len() <= 100 && !line.ends_with(' ')), "{lines}");
    }

    #[test]
    fn columns_stand_below_each_other() {
        let table = Table { heads: vec!["a", "b"], rows: vec![vec!["μ_s".into(), "x|y".into()], vec!["1".into(), String::new()]] };
        assert_eq!(table.text(), "  a    b\n  μ_s  x|y\n  1\n");
        assert_eq!(table.markdown(), "| a | b |\n| --- | --- |\n| μ_s | x\\|y |\n| 1 |  |\n");
    }
}
