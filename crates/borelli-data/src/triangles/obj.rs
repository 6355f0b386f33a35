//! Wavefront OBJ: lines `v x y z` and `f a b c ...`, where a corner is `vertex/texture/normal` with indices from 1, or back from the last.
//! Not here: materials, groups, normals, curves; their lines are passed over.
//! In: text. Out: triangles; faces of more than three corners are fans about their first.

use super::{Gathered, TriangleFault, Triangles};

pub(super) fn read(bytes: &[u8]) -> Result<Triangles, TriangleFault> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(TriangleFault::at(0, "found bytes that are no text, expected lines of OBJ"));
    };
    let (mut vertices, mut gathered) = (Vec::new(), Gathered::default());
    for (k, line) in text.lines().enumerate() {
        let at = k + 1;
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => vertices.push(vertex(words, at)?),
            Some("f") => {
                let corners: Vec<[f64; 3]> = words.map(|word| corner(word, &vertices, at)).collect::<Result<_, _>>()?;
                if corners.len() < 3 {
                    return Err(TriangleFault::at(at, format!("found a face with {} corners, expected three or more", corners.len())));
                }
                corners.windows(2).skip(1).for_each(|pair| gathered.add([corners[0], pair[0], pair[1]]));
            }
            _ => {}
        }
    }
    Ok(gathered.surface)
}

fn vertex<'t>(words: impl Iterator<Item = &'t str>, line: usize) -> Result<[f64; 3], TriangleFault> {
    let numbers: Vec<Option<f64>> = words.take(3).map(|word| word.parse().ok().filter(|x: &f64| x.is_finite())).collect();
    match numbers[..] {
        [Some(x), Some(y), Some(z)] => Ok([x, y, z]),
        _ => Err(TriangleFault::at(line, "expected three numbers after `v`")),
    }
}

fn corner(word: &str, vertices: &[[f64; 3]], line: usize) -> Result<[f64; 3], TriangleFault> {
    let first = word.split('/').next().unwrap_or(word);
    let index = match first.parse::<i64>() {
        Ok(k) if k > 0 => usize::try_from(k - 1).ok(),
        Ok(k) if k < 0 => k.checked_neg().and_then(|back| usize::try_from(back).ok()).and_then(|back| vertices.len().checked_sub(back)),
        _ => None,
    };
    index.and_then(|k| vertices.get(k)).copied().ok_or_else(|| {
        TriangleFault::at(
            line,
            format!("found the corner `{word}`, expected the number of one of the {} vertices before it", vertices.len()),
        )
    })
}
