//! Force plates as a file describes them: geometry, channels and calibration, before any load is computed.
//! Not here: loads on the person ([`super::Plate`]), the formulas that give them (`format::c3d`).
//! In: parameters of a file, in SI. Out: what a reader needs for plates and a writer needs to keep them.

use borelli_math::Vec3;

/// What a file says of a force plate. Lengths in m, in the axes of the laboratory; everything as the file has it, wrong signs included.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Platform {
    /// Type number of the plate.
    pub kind: u16,
    /// Corners of the surface, m; nothing where the file has none.
    pub corners: Option<[Vec3<f64>; 4]>,
    /// Origin of the sensor from the middle of the surface, plate axes, m; for type 3 the places of its sensors.
    pub origin: Vec3<f64>,
    /// Its channels in the order of its type, numbers from one in the list of all channels.
    pub channels: Vec<u16>,
    /// Calibration `C[i][j]` that turns samples of channel j, in the SI units in which channels are kept, into force, N, and moment, N m.
    pub matrix: Option<[[f64; 6]; 6]>,
    /// Correction of the centre of pressure for x and for y; coefficients for metres.
    pub polynomial: Option<[[f64; 6]; 2]>,
    /// First and last frame of an unloaded stretch, counted from one; anything else where the file knows none.
    pub zero: (i32, i32),
}
