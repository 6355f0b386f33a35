//! Ink of a picture: elements of an SVG file, their gradients and classes.
//! Not here: what is drawn where.
//! In: shapes in metres and a map to the page. Out: text.

use super::force::{Arrow, Forces, HEAD};
use super::palette::{Ink, PULLING, Role, STRAINED, Tint, mix, on_scale};
use super::silhouette::{SPOT, Shade, Silhouette};
use super::{Piece, Scene};
use crate::figure::{Tone, ToneKind};
use std::collections::BTreeSet;
use std::fmt::Write;

/// From the picture's plane, m, to the page, px, down.
#[derive(Clone, Copy, Debug)]
pub(in crate::plot) struct Map {
    pub scale: f64,
    pub shift: [f64; 2],
}

impl Map {
    /// A place.
    pub fn at(&self, p: [f64; 2]) -> [f64; 2] {
        [self.shift[0] + self.scale * p[0], self.shift[1] - self.scale * p[1]]
    }

    /// A direction.
    fn along(&self, d: [f64; 2]) -> [f64; 2] {
        [self.scale * d[0], -self.scale * d[1]]
    }
}

/// Elements so far.
pub(in crate::plot) struct Sheet {
    /// Begins the names of gradients, which share a page with others.
    id: String,
    pub ink: Ink,
    pub body: String,
    gradients: String,
    count: usize,
    tints: BTreeSet<Tint>,
}

/// Part of a pale figure that is its body's colour, and its outline's.
const GHOST: f64 = 0.3;
const GHOST_EDGE: f64 = 0.5;

/// Lines as values of `d`: closed or open.
pub(in crate::plot) fn path(points: impl IntoIterator<Item = [f64; 2]>, map: &Map, closed: bool) -> String {
    let mut text = String::new();
    for (k, p) in points.into_iter().enumerate() {
        let [x, y] = map.at(p);
        let _ = write!(text, "{}{x:.1} {y:.1}", if k == 0 { "M" } else { " " });
    }
    if closed {
        text.push('Z');
    }
    text
}

impl Sheet {
    /// An empty one.
    pub fn new(id: &str, ink: Ink) -> Sheet {
        Sheet { id: id.to_string(), ink, body: String::new(), gradients: String::new(), count: 0, tints: BTreeSet::new() }
    }

    /// A figure in full or pale colours.
    pub fn scene(&mut self, scene: &Scene, map: &Map, ghost: bool) {
        for piece in &scene.pieces {
            match piece {
                Piece::Flesh(tint, shape) if ghost => self.ghost(*tint, shape, map),
                Piece::Flesh(tint, shape) => self.flesh(*tint, shape, map),
                Piece::Surface(..) | Piece::Touch(..) if ghost => {}
                Piece::Surface(outline, touching) => self.surface(outline, *touching, map),
                Piece::Touch(at, touching) => self.touch(*at, *touching, map),
            }
        }
        if ghost {
            return;
        }
        let soft = self.ink.of(Role::Soft);
        for wrap in &scene.wraps {
            let d = path(wrap.iter().copied(), map, true);
            let _ = writeln!(
                self.body,
                "<path class=\"wrap\" d=\"{d}\" fill=\"{soft}\" fill-opacity=\"0.14\" stroke=\"{soft}\" stroke-opacity=\"0.5\" stroke-width=\"0.7\"/>"
            );
        }
        for line in &scene.rods {
            self.line("rod", line, &soft, 3.0, map);
        }
        // A rim, so that a pale line is seen on pale flesh.
        for (line, colour) in &scene.paths {
            self.line("rim", line, &soft, 3.0, map);
            self.line("pull", line, colour, 2.2, map);
        }
        for pin in &scene.pins {
            let [x, y] = map.at(*pin);
            let (stage, text) = (self.ink.of(Role::Stage), self.ink.of(Role::Text));
            let _ = writeln!(
                self.body,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{stage}\" stroke=\"{text}\" stroke-width=\"1.3\"/>"
            );
        }
    }

    fn line(&mut self, class: &str, line: &[[f64; 2]], colour: &str, width: f64, map: &Map) {
        let d = path(line.iter().copied(), map, false);
        let _ = writeln!(
            self.body,
            "<path class=\"{class}\" d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>"
        );
    }

    /// Shadows in one colour that does not add up.
    pub fn shadows(&mut self, scene: &Scene, map: &Map) {
        let colour = self.ink.of(Role::Shadow);
        for shadow in &scene.shadows {
            let _ = writeln!(self.body, "<path d=\"{}\" fill=\"{colour}\"/>", path(shadow.iter().copied(), map, true));
        }
    }

    /// Solid arrows; `shaft` is a radius, m.
    pub fn arrows(&mut self, arrows: &[Arrow], shaft: f64, map: &Map) {
        let colour = self.ink.of(Role::Force);
        // Under a pixel and a half a shaft is no arrow.
        let radius = (shaft * map.scale).max(0.8);
        for arrow in arrows {
            let (from, to) = (map.at(arrow.from), map.at(arrow.to));
            let length = (to[0] - from[0]).hypot(to[1] - from[1]);
            if !(length > 0.0) {
                continue;
            }
            let (u, head) = ([(to[0] - from[0]) / length, (to[1] - from[1]) / length], (HEAD[1] * radius).min(0.6 * length));
            let place = |back: f64, off: f64| [to[0] - u[0] * back - u[1] * off, to[1] - u[1] * back + u[0] * off];
            let wide = HEAD[0] * radius;
            let ends = [place(length, radius), place(head, radius), place(head, wide), place(0.0, 0.0)];
            let back = [place(head, -wide), place(head, -radius), place(length, -radius)];
            let mut d = String::new();
            for (k, [x, y]) in ends.iter().chain(&back).enumerate() {
                let _ = write!(d, "{}{x:.1} {y:.1}", if k == 0 { "M" } else { " " });
            }
            d.push('Z');
            if arrow.cut {
                let second = [place(1.9 * head, wide), place(0.9 * head, 0.0), place(1.9 * head, -wide)];
                for (k, [x, y]) in second.iter().enumerate() {
                    let _ = write!(d, "{}{x:.1} {y:.1}", if k == 0 { "M" } else { " " });
                }
                d.push('Z');
            }
            let _ = writeln!(self.body, "<path class=\"force\" d=\"{d}\" fill=\"{colour}\"/>");
        }
    }

    fn flesh(&mut self, tint: Tint, shape: &Silhouette, map: &Map) {
        self.tints.insert(tint);
        self.count += 1;
        let (id, word) = (format!("{}{}", self.id, self.count), tint.word());
        match shape.shade {
            Shade::Across([lit, dark]) => {
                let ([x1, y1], [x2, y2]) = (map.at(lit), map.at(dark));
                let _ = writeln!(
                    self.gradients,
                    "<linearGradient id=\"{id}\" href=\"#{}{word}\" gradientUnits=\"userSpaceOnUse\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" \
                     y2=\"{y2:.1}\"/>",
                    self.id
                );
            }
            Shade::Round { middle, axes } => {
                let ([cx, cy], a, b) = (map.at(middle), map.along(axes[0]), map.along(axes[1]));
                let _ = writeln!(
                    self.gradients,
                    "<radialGradient id=\"{id}\" href=\"#{}{word}-round\" gradientTransform=\"matrix({:.1} {:.1} {:.1} {:.1} {cx:.1} {cy:.1})\"/>",
                    self.id, a[0], a[1], b[0], b[1]
                );
            }
        }
        let d = path(shape.outline.iter().copied(), map, true);
        let edge = mix(tint.colour(), "#000000", 0.4);
        let _ = writeln!(
            self.body,
            "<path class=\"{word}\" d=\"{d}\" fill=\"url(#{id})\" stroke=\"{edge}\" stroke-width=\"0.7\" stroke-linejoin=\"round\"/>"
        );
    }

    fn ghost(&mut self, tint: Tint, shape: &Silhouette, map: &Map) {
        self.tints.insert(tint);
        let d = path(shape.outline.iter().copied(), map, true);
        let [fill, edge] = [GHOST, GHOST_EDGE].map(|part| mix("#f7f9fb", tint.colour(), part));
        let class = if self.ink == Ink::Page { format!(" class=\"{}ghost-{}\"", self.id, tint.word()) } else { String::new() };
        let _ = writeln!(
            self.body,
            "<path{class} d=\"{d}\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"0.7\" stroke-linejoin=\"round\"/>"
        );
    }

    fn surface(&mut self, outline: &[[f64; 2]], touching: bool, map: &Map) {
        let (role, opacity) = if touching { (Role::Touching, 0.85) } else { (Role::Free, 0.4) };
        let (colour, d) = (self.ink.of(role), path(outline.iter().copied(), map, true));
        let _ = writeln!(
            self.body,
            "<path class=\"surface\" d=\"{d}\" fill=\"{colour}\" fill-opacity=\"{opacity}\" stroke=\"{colour}\" stroke-width=\"1\"/>"
        );
    }

    fn touch(&mut self, at: [f64; 2], touching: bool, map: &Map) {
        let ([x, y], colour) = (map.at(at), self.ink.of(if touching { Role::Touching } else { Role::Free }));
        let _ = writeln!(self.body, "<circle class=\"surface\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
    }

    /// A text.
    pub fn label(&mut self, at: [f64; 2], anchor: &str, role: Role, text: &str) {
        let colour = self.ink.of(role);
        super::super::label(&mut self.body, at[0], at[1], anchor, &colour, text);
    }

    /// A straight line between places on the page.
    pub fn stroke(&mut self, from: [f64; 2], to: [f64; 2], role: Role, width: f64) {
        let colour = self.ink.of(role);
        super::super::stroke(&mut self.body, (from[0], from[1]), (to[0], to[1]), &colour, width);
    }

    /// Gradients and styles that the elements name.
    pub fn defs(&self) -> String {
        let mut out = String::new();
        if self.tints.is_empty() {
            return out;
        }
        out.push_str("<defs>\n");
        for tint in &self.tints {
            let (base, word, id) = (tint.colour(), tint.word(), &self.id);
            let plain = match (self.ink, tint) {
                (Ink::Page, Tint::Neither) => self.ink.of(Role::Neither),
                _ => base.to_string(),
            };
            let [pale, bright, dark] =
                [mix(base, "#ffffff", 0.12), mix(base, "#ffffff", 0.45), mix(base, "#000000", 0.26)].map(|colour| colour.to_string());
            let stop = |at: f64, colour: &str| format!("<stop offset=\"{at}\" stop-color=\"{colour}\"/>");
            let across = [stop(0.0, &pale), stop(0.28, &bright), stop(0.62, &plain), stop(1.0, &dark)].concat();
            let round = [stop(0.0, &bright), stop(0.6, &plain), stop(1.0, &dark)].concat();
            let _ = writeln!(out, "<linearGradient id=\"{id}{word}\">{across}</linearGradient>");
            let _ = writeln!(
                out,
                "<radialGradient id=\"{id}{word}-round\" gradientUnits=\"userSpaceOnUse\" cx=\"0\" cy=\"0\" r=\"1.1\" fx=\"{:.2}\" fy=\"{:.2}\">\
                 {round}</radialGradient>",
                SPOT[0], SPOT[1]
            );
        }
        out.push_str(&self.gradients);
        out.push_str("</defs>\n");
        if self.ink == Ink::Page {
            out.push_str(&self.style());
        }
        out
    }

    /// Pale figures follow the page where it can mix colours.
    fn style(&self) -> String {
        let rule = |tint: &Tint| {
            let own = match tint {
                Tint::Neither => self.ink.of(Role::Neither),
                other => other.colour().to_string(),
            };
            let mixed = |part: f64| format!("color-mix(in srgb,{own} {:.0}%,var(--stage,#f7f9fb))", 100.0 * part);
            format!(".{}ghost-{}{{fill:{};stroke:{}}}", self.id, tint.word(), mixed(GHOST), mixed(GHOST_EDGE))
        };
        let rules: String = self.tints.iter().map(rule).collect();
        if self.body.contains(&format!("class=\"{}ghost-", self.id)) {
            format!("<style>@supports (color:color-mix(in srgb,red,blue)){{{rules}}}</style>\n")
        } else {
            String::new()
        }
    }
}

/// Bars of what colours lines of pull, one after the other from a place on the page to the right: activation of muscles, strain of ligaments.
pub(in crate::plot) fn pull_legend(sheet: &mut Sheet, tones: &[Option<Tone>], [mut x, y]: [f64; 2]) {
    const WIDE: f64 = 90.0;
    const PARTS: f64 = 30.0;
    let largest = |kind: ToneKind| tones.iter().flatten().find(|tone| tone.kind == kind).map(|tone| tone.most);
    let bars = [("activation", "1".to_string(), largest(ToneKind::Muscle), &PULLING), {
        let most = largest(ToneKind::Ligament);
        ("ligament strain", format!("{} %", crate::report::significant(100.0 * most.unwrap_or(0.0), 3)), most, &STRAINED)
    }];
    for (words, end, _, scale) in bars.into_iter().filter(|(_, _, most, _)| most.is_some()) {
        sheet.label([x, y + 4.5], "start", Role::Text, &format!("{words} 0"));
        x += 6.4 * (words.chars().count() + 2) as f64 + 6.0;
        let part = WIDE / PARTS;
        for k in 0..PARTS as usize {
            let colour = on_scale(scale, (k as f64 + 0.5) / PARTS);
            let _ = writeln!(
                sheet.body,
                "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"9\" fill=\"{colour}\"/>",
                x + part * k as f64,
                y - 4.5,
                part + 0.3
            );
        }
        sheet.label([x + WIDE + 6.0, y + 4.5], "start", Role::Text, &end);
        x += WIDE + 30.0 + 7.4 * end.chars().count() as f64;
    }
}

/// An arrow of a round force that ends at a place on the page, with its size before it; `scale` is px per m.
pub(in crate::plot) fn legend(sheet: &mut Sheet, forces: &Forces, scale: f64, end: [f64; 2]) {
    let Some((force, length)) = forces.legend() else { return };
    let start = end[0] - length * scale;
    sheet.label([start - 8.0, end[1] + 4.5], "end", Role::Force, &format!("{} N", crate::report::significant(force, 3)));
    let arrow = Arrow { from: [0.0, 0.0], to: [length, 0.0], cut: false };
    sheet.arrows(&[arrow], forces.shaft(), &Map { scale, shift: [start, end[1]] });
}
