//! Which solid a body is: the first rule that fits.
//! Not here: how solids get their sizes (`cone`, `ellipsoid`, `hull`, `head`), machines (`machine`).
//! In: a body with its anchors. Out: its solids.
//!
//! | body | solid |
//! | --- | --- |
//! | a mesh that the model names | the mesh |
//! | one bounded surface of contact, fewer than two anchors | the surface |
//! | `hat`, or in the plane with a point `head`; a trunk that nothing stands on | head, neck and trunk |
//! | mass without moments | ball on threads |
//! | two anchors that its mass lies between | cone |
//! | in space, alone, with moments that no flesh of its mass has | ellipsoid of its moments, with handles |
//! | in space, with moments of inertia | superellipsoid, with struts to joints outside it |
//! | in the plane, three or more anchors | hull of balls |
//! | in the plane, one anchor | cone along the rod of its inertia |
//! | in the plane, turning about its mass centre or free | wheel |
//! | no mass | thin rods between its anchors |
//!
//! A machine has rods and plates in place of heads, limbs and soles.

use super::anchor::Link;
use super::cone::Cone;
use super::ellipsoid::{Ellipsoid, FLATTEST};
use super::hull::{Hull, radius_of_volume};
use super::principal::principal;
use super::{Part, Solid, head, machine};
use borelli_contact::shape::{Shape, Smooth, Surface as _};
use borelli_math::{Mat3, Vec3};
use std::f64::consts::PI;

/// How far the rod of a body's inertia may pass an anchor, and its mass centre lie off the line of its anchors, over their distance.
const PASSES: f64 = 0.32;
const OFF_LINE: f64 = 0.1;

/// Length of a cone along a rod of inertia over that of the rod: half spheres are added.
const ALONG_ROD: f64 = 0.86;

/// A mass centre nearer to an anchor than this part of the rod gives no direction worth drawing.
const NO_LEVER: f64 = 0.2;

/// Radius of the balls of a plate without circles of contact over its extent.
const SOLE: f64 = 0.08;

/// Exponents by the number of anchors; that of a wheel is such that its turning can be seen.
const POWERS: [f64; 4] = [2.2, 2.2, 2.3, 2.6];
const WHEEL_POWER: f64 = 2.6;

/// A body alone whose uniform ellipsoid is so many times as large as flesh of its mass is no flesh.
const LIGHT: f64 = 20.0;
/// Thickness of its handles over the smallest half-axis, and how far they stand out over the half-axis they are on.
const HANDLE: f64 = 0.3;
const STANDS_OUT: f64 = 1.4;

/// Radius of what has no mass over the height of the figure.
const MASSLESS: f64 = 0.012;

/// Radius of a neck over the smallest one of the head.
const NECK: f64 = 0.62;

impl Part<'_> {
    /// The two ends of a body that is a limb: it has mass between two anchors.
    pub(super) fn limb(&self) -> Option<[Vec3<f64>; 2]> {
        let [a, b] = self.anchors[..] else { return None };
        let (matter, line) = (&self.matter, b.at - a.at);
        let length = line.norm();
        if !(matter.volume() > 0.0 && matter.rod_half() > 0.0) {
            return None;
        }
        let (lever, half) = (matter.center - a.at, matter.rod_along(line));
        let along = lever.dot(line) / length;
        let off = (lever - line.scale(along / length)).norm();
        let within = (half - along).max(along + half - length) <= PASSES * length && off <= OFF_LINE * length;
        (matter.planar || within).then_some([a.at, b.at])
    }

    /// The surface of contact that is the body.
    fn own_surface(&self) -> Option<Ellipsoid> {
        let [(at, axes, smooth)] = self.surfaces[..] else { return None };
        // What has an exponent for each axis is as round as their mean.
        let power = match smooth {
            Smooth::Superellipsoid(shape) => 0.5 * (shape.p + shape.r),
            Smooth::SeparableSuperellipsoid(shape) => shape.exponents.iter().sum::<f64>() / 3.0,
            _ => 2.0,
        };
        (self.anchors.len() < 2).then(|| Ellipsoid { at: at.to_array(), axes, half: smooth.half_extents().to_array(), power })
    }

    /// What the body is, without struts; nothing without mass.
    pub(super) fn solids(&self, headless: bool, is_machine: bool) -> Vec<Solid> {
        if let Some(mesh) = self.mesh {
            return vec![Solid::Mesh(mesh.clone())];
        }
        if let Some(surface) = self.own_surface() {
            return vec![Solid::Ellipsoid(surface)];
        }
        let (matter, volume) = (&self.matter, self.matter.volume());
        if !(volume > 0.0) {
            return Vec::new();
        }
        if is_machine && self.anchors.len() > 1 {
            return vec![machine::plate(&self.anchors)];
        }
        if let Some(solids) = head::solids(self, headless) {
            return solids;
        }
        if !(matter.rod_half() > 0.0) {
            return vec![Solid::Ellipsoid(Ellipsoid::ball(matter.center, (0.75 * volume / PI).cbrt()))];
        }
        if let Some([a, b]) = self.limb() {
            return vec![Solid::Cone(Cone::fit(a, b, volume, matter.center))];
        }
        if !matter.planar {
            let (moments, axes) = principal(&matter.inertia);
            let uniform = Ellipsoid::uniform(matter.center, axes, moments, matter.mass);
            if self.anchors.len() < 2 && uniform.volume() > LIGHT * volume {
                return self.light(uniform);
            }
            let power = POWERS[self.anchors.len().min(3)];
            return vec![Solid::Ellipsoid(Ellipsoid::of_moments(matter.center, axes, moments, power, volume))];
        }
        if self.anchors.len() > 2 {
            return vec![Solid::Hull(self.sole())];
        }
        match self.rod() {
            Some([from, to]) if is_machine => vec![machine::rod(from, to)],
            Some([from, to]) => vec![Solid::Cone(Cone::fit(from, to, volume, matter.center))],
            None => vec![Solid::Ellipsoid(self.wheel())],
        }
    }

    /// A body that is no flesh, as large as its moments say, with a handle on one side of its longest axis and a longer one with a knob on one side of the
    /// next: how it turns and flips is seen on no smooth body.
    fn light(&self, solid: Ellipsoid) -> Vec<Solid> {
        let mut order = [0, 1, 2];
        order.sort_by(|a, b| solid.half[*b].total_cmp(&solid.half[*a]));
        let (middle, radius) = (Vec3::from_array(solid.at), HANDLE * solid.smallest());
        let axes = [solid.axes.x, solid.axes.y, solid.axes.z];
        let end = |k: usize| middle + axes[order[k]].scale(STANDS_OUT * solid.half[order[k]]);
        let handles = [0, 1].map(|k| Solid::Cone(Cone::rod(middle, end(k), radius)));
        let knob = Solid::Ellipsoid(Ellipsoid::ball(end(1), 2.0 * radius));
        [Solid::Ellipsoid(solid)].into_iter().chain(handles).chain([knob]).collect()
    }

    /// A plate on all anchors, as thick as the smallest circle of contact.
    fn sole(&self) -> Hull {
        let points: Vec<[f64; 3]> = self.anchors.iter().map(|anchor| anchor.at.to_array()).collect();
        let circles = self.surfaces.iter().filter_map(|(_, _, smooth)| smooth.radius()).reduce(f64::min);
        let radius = circles.unwrap_or_else(|| radius_of_volume(&points, self.matter.volume()).min(SOLE * machine::extent(&self.anchors)));
        Hull { points, radius }
    }

    /// The rod of the inertia from the only anchor through the mass centre.
    fn rod(&self) -> Option<[Vec3<f64>; 2]> {
        let anchor = self.anchors.first()?;
        let lever = self.matter.center - anchor.at;
        let (length, half) = (lever.norm(), self.matter.rod_along(lever));
        (length > NO_LEVER * half).then(|| [anchor.at, anchor.at + lever.scale(ALONG_ROD * (length + half) / length)])
    }

    /// A disc with the moment I = 2/5 m r² of a body of revolution and the body's volume, as far as that is between a flat disc and a ball.
    fn wheel(&self) -> Ellipsoid {
        let unit = Ellipsoid { at: self.matter.center.to_array(), axes: Mat3::IDENTITY, half: [1.0; 3], power: WHEEL_POWER };
        let radius = (2.5 * self.matter.inertia.zz / self.matter.mass).sqrt();
        let volume = self.matter.volume() / unit.volume();
        let flat = (volume / radius.powi(3)).clamp(FLATTEST, 1.0);
        let radius = (volume / flat).cbrt();
        Ellipsoid { half: [radius, radius, flat * radius], ..unit }
    }

    /// What stands for a body without mass in a figure of a height: thin rods from its first anchor, or a small ball.
    pub(super) fn massless(&self, height: f64) -> Vec<Solid> {
        let radius = MASSLESS * height;
        let Some(first) = self.anchors.first() else {
            return vec![Solid::Ellipsoid(Ellipsoid::ball(self.matter.center, radius))];
        };
        let rest = self.anchors[1..].iter().map(|anchor| anchor.at);
        let rods: Vec<Solid> = rest.map(|at| Solid::Cone(Cone::rod(first.at, at, radius))).collect();
        if rods.is_empty() { vec![Solid::Ellipsoid(Ellipsoid::ball(first.at, radius))] } else { rods }
    }

    /// Struts from the axis of a superellipsoid to joints outside it, in a figure of a height; `thin` is the smallest radius of a body.
    pub(super) fn struts(&self, body: usize, solid: &Ellipsoid, height: f64, thin: &dyn Fn(usize) -> f64) -> Vec<Solid> {
        let long = solid.longest();
        let axis = [solid.axes.x, solid.axes.y, solid.axes.z][long];
        let middle = Vec3::from_array(solid.at);
        let mut struts = Vec::new();
        for anchor in &self.anchors {
            let child = match anchor.link {
                Link::Parent => body,
                Link::Child { body, .. } => body,
                Link::Loop | Link::Point => continue,
            };
            if !(solid.gauge(anchor.at) > 1.0) {
                continue;
            }
            // Half a half-axis from its ends the axis is well inside.
            let room = 0.5 * solid.half[long];
            let from = middle + axis.scale((anchor.at - middle).dot(axis).clamp(-room, room));
            let line = anchor.at - from;
            let along = line.dot(axis).abs() > 0.7 * line.norm();
            // A ball hangs on a thread.
            let radius = match (solid.smallest() < solid.half[long], along) {
                (false, _) => MASSLESS * height,
                (true, true) => NECK * thin(child),
                (true, false) => thin(child),
            };
            struts.push(Solid::Cone(Cone::rod(from, anchor.at, radius)));
        }
        struts
    }
}

/// Bounded surfaces of contact of a body.
pub(super) fn bounded(surfaces: &[crate::figure::FigureSurface], body: usize) -> Vec<(Vec3<f64>, Mat3<f64>, Smooth<f64>)> {
    let own = surfaces.iter().filter(|surface| surface.spot.body == body);
    own.filter_map(|surface| match surface.shape {
        Shape::Smooth(smooth) => Some((Vec3::from_array(surface.spot.at), surface.R_BS, smooth)),
        _ => None,
    })
    .collect()
}
