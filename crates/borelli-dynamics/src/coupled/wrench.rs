//! What soft parts do to rigid bodies, for reports: a force and a moment about the kernel origin of each body.
//! Not here: how it is found.
//! In: the last look of a movement. Out: wrenches by body.

use super::CoupledMovement;
use crate::scene::Push;
use crate::system::System;
use borelli_math::vec3;

impl CoupledMovement {
    /// Pushes of the soft parts on all bodies that carry or touch them, at the last look.
    pub fn fill_pushes(&self, system: &System, out: &mut Vec<Push>) {
        out.clear();
        for (k, &body) in self.carriers.bodies().iter().enumerate().skip(1) {
            let [fx, fy, m] = [0, 1, 2].map(|row| -self.problem.wrench()[3 * (k - 1) + row]);
            let r = self.carriers.arm(system, k);
            out.push(Push { body, force: vec3(fx, fy, 0.0), moment: vec3(0.0, 0.0, m + r.x * fy - r.y * fx) });
        }
    }
}
