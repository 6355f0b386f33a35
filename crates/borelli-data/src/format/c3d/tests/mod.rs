//! Tests of C3D files: reference tables, files made byte by byte, damage, round trips.
//! Not here: numbers, names and units, which are tested where they stand.

mod reference;
