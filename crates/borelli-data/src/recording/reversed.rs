//! Ground reactions that stand in a table with the signs of the load on the plate.
//! Not here: force plates of C3D files, whose axes tell the normal (`format::c3d`).
//! In: a recording in borelli's axes. Out: the same with loads on the person, and a line for every plate that was turned.

use super::{PlateKind, Recording, Repair};
use crate::format::{GroundQuantity, ground_column};

/// Share of the largest load from which on a sample tells the sign of a plate.
const TELLING: f64 = 0.1;

impl Recording {
    /// Turns force and torque of plates that are columns of a table where the vertical force, along Y, is negative in most of the loaded samples: a floor
    /// does not pull. Where the force is not mostly vertical nothing is done, since other axes are the likelier cause.
    ///
    /// Tests: `columns_of_the_load_on_the_plate_are_turned_and_told`, `forces_along_other_axes_are_left_alone`.
    pub fn turn_reversed_columns(&mut self) {
        for p in 0..self.plates.len() {
            let plate = &self.plates[p];
            if plate.kind != PlateKind::Columns {
                continue;
            }
            let largest = plate.force.iter().fold(0.0_f64, |largest, f| largest.max(f.y.abs()));
            let limit = plate.threshold.max(TELLING * largest);
            let telling = || plate.force.iter().filter(|f| f.y.abs() > limit);
            let (against, count) = (telling().filter(|f| f.y < 0.0).count(), telling().count());
            let sum = telling().fold([0.0; 3], |sum, f| [sum[0] + f.x.abs(), sum[1] + f.y.abs(), sum[2] + f.z.abs()]);
            if 2 * against <= count || sum[1] < sum[0].max(sum[2]) {
                continue;
            }
            let name = plate.name.clone();
            let plate = &mut self.plates[p];
            for series in [&mut plate.force, &mut plate.moment, &mut plate.free_moment] {
                series.iter_mut().for_each(|v| *v = -*v);
            }
            self.turn_channels(&name);
            let found = format!("the vertical force is negative in {against} of {count} loaded samples");
            self.repairs.push(Repair::new(
                format!("columns {name}"),
                found,
                "taken as the load on the plate: signs of force and torque are turned",
            ));
        }
    }

    /// Forces and torques of the plate whose force columns have this stem.
    fn turn_channels(&mut self, stem: &str) {
        let channels = || self.channels.iter().flat_map(|group| &group.channels);
        let key = channels().find_map(|channel| {
            let ground = ground_column(&channel.name)?;
            (ground.quantity == GroundQuantity::Force && ground.stem == stem).then_some(ground.key)
        });
        for channel in self.channels.iter_mut().flat_map(|group| &mut group.channels) {
            let own = ground_column(&channel.name).filter(|ground| Some(&ground.key) == key.as_ref());
            if own.is_some_and(|ground| ground.quantity != GroundQuantity::Point) {
                channel.samples.iter_mut().for_each(|x| *x = 0.0 - *x);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::RecordingOptions;
    use crate::format::format_for;
    use crate::recording::Recording;
    use borelli_math::vec3::vec3;
    use std::io::Cursor;
    use std::path::Path;

    /// Four samples of two plates; `scale` multiplies forces and torques of the second.
    fn read(vertical: usize, scale: f64) -> Recording {
        let mut text = String::from("walk\nversion=1\nnRows=4\nnColumns=19\ninDegrees=no\nendheader\ntime");
        for plate in ["", "1_"] {
            for part in ["ground_force_v", "ground_force_p", "ground_torque_"] {
                ["x", "y", "z"].iter().for_each(|axis| text += &format!("\t{plate}{part}{axis}"));
            }
        }
        for (k, load) in [0.0, 600.0, 700.0, 30.0].iter().enumerate() {
            text += &format!("\n{}", 0.01 * k as f64);
            for sign in [1.0, scale] {
                let mut force = [0.1 * load; 3];
                force[vertical] = *load;
                let row = [force.map(|f| sign * f), [0.5, 0.0, 0.2], [0.0, sign * 3.0, 0.0]].concat();
                row.iter().for_each(|x| text += &format!("\t{x}"));
            }
        }
        let options = RecordingOptions { threshold: 20.0, ..RecordingOptions::default() };
        let format = format_for(Path::new("walk.mot")).expect("a format");
        format.record(&mut Cursor::new((text + "\n").into_bytes()), "walk.mot", &options).unwrap_or_else(|fault| panic!("{fault}"))
    }

    #[test]
    fn columns_of_the_load_on_the_plate_are_turned_and_told() {
        let (good, mut mended) = (read(1, 1.0), read(1, -1.0));
        assert_ne!(good.plates[1].force, mended.plates[1].force);
        mended.turn_reversed_columns();
        assert_eq!(mended.repairs.len(), good.repairs.len() + 1);
        let told = &mended.repairs[good.repairs.len()];
        assert!(told.at == "columns 1_ground_force_" && told.found.contains("2 of 2 loaded samples"), "{told:?}");
        for (a, b) in good.plates.iter().zip(&mended.plates) {
            assert_eq!((&a.force, &a.moment, &a.free_moment, &a.cop, &a.loaded), (&b.force, &b.moment, &b.free_moment, &b.cop, &b.loaded));
        }
        let samples = |recording: &Recording, name: &str| recording.channel(name).expect("a channel").1.samples.clone();
        for name in ["1_ground_force_vy", "1_ground_torque_y", "1_ground_force_px", "ground_force_vy"] {
            assert_eq!(samples(&good, name), samples(&mended, name), "{name}");
        }
        assert_eq!(mended.plates[1].force[2], vec3(70.0, 700.0, 70.0));
        let mut again = good.clone();
        again.turn_reversed_columns();
        assert_eq!(again.repairs, good.repairs, "what is right stays");
    }

    #[test]
    fn forces_along_other_axes_are_left_alone() {
        // A laboratory with z up that was not turned: the vertical force is along z, and y may have any sign.
        let mut recording = read(2, -1.0);
        let before = recording.plates[1].force.clone();
        recording.turn_reversed_columns();
        assert_eq!(recording.plates[1].force, before);
    }
}
