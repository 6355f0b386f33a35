//! Names of marker sets in use, and maps that users write.

use super::super::map::read_marker_map;
use super::*;

fn roles(names: &str) -> Vec<String> {
    let names: Vec<&str> = names.split_whitespace().collect();
    let landmarks = Landmarks::recognise(&names, None);
    (0..names.len()).map(|k| landmarks.role(k).map_or("-".to_string(), |role| role.to_string())).collect()
}

fn expect(names: &str, wanted: &str) {
    assert_eq!(roles(names), wanted.split_whitespace().collect::<Vec<_>>(), "{names}");
}

#[test]
fn common_marker_sets_are_recognised() {
    expect(
        "RASI LASI SACR RTHI RKNE RTIB RANK RHEE RTOE LKNE C7 T10 CLAV STRN RBAK RSHO LFHD RBHD RELB RWRA RWRB RFIN",
        "asis_r asis_l sacrum thigh_r knee_lateral_r shank_r ankle_lateral_r heel_r toe_r knee_lateral_l c7 t10 clavicle sternum trunk acromion_r \
         head_front_l head_back_r elbow_lateral_r wrist_lateral_r wrist_medial_r hand_r",
    );
    expect(
        "R.ASIS L.ASIS V.Sacral R.Thigh.Upper L.Knee.Lat L.Knee.Med R.Shank.Rear R.Ankle.Lat R.Ankle.Med R.Heel R.Midfoot.Sup L.Toe.Tip R.Acromium \
         R.Toe.Lat L.Toe.Med Top.Head R.Temple Sternum R.Elbow L.Wrist.Med R.Bicep",
        "asis_r asis_l sacrum thigh_r knee_lateral_l knee_medial_l shank_r ankle_lateral_r ankle_medial_r heel_r foot_r toe_tip_l acromion_r \
         fifth_metatarsal_r first_metatarsal_l head_top head sternum elbow_lateral_r wrist_medial_l upper_arm_r",
    );
    expect(
        "R_IAS L_IPS R_FTC R_FLE R_FME L_FAL L_TAM R_FCC L_FM1 R_FM2 L_FM5 CV7 L_SAE",
        "asis_r psis_l trochanter_r knee_lateral_r knee_medial_r ankle_lateral_l ankle_medial_l heel_r first_metatarsal_l toe_r fifth_metatarsal_l c7 \
         acromion_l",
    );
    // The laboratory of walking5.c3d, and that of Gait.c3d.
    expect(
        "LTH3 T10 LTB2 C7 RPSI LCAL RMT2 RMT1 LASI STRN RLFC RMFC LLFC LMFC RMMAL LLMAL LAJC RHJC RKJC CLAV",
        "thigh_l t10 shank_l c7 psis_r heel_l toe_r first_metatarsal_r asis_l sternum knee_lateral_r knee_medial_r knee_lateral_l knee_medial_l \
         ankle_medial_r ankle_lateral_l ankle_center_l hip_center_r knee_center_r clavicle",
    );
    expect(
        "RSHO ROFF RELB RWRI VSAC RTHI RKNE RSHA RANK RHEE RTOE RKNE_2 LFOO IJ PX",
        "acromion_r trunk elbow_lateral_r wrist_lateral_r sacrum thigh_r knee_lateral_r shank_r ankle_lateral_r heel_r toe_r - foot_l clavicle sternum",
    );
    expect("Subject 1:rasi lasi Mine *12", "- asis_r asis_l - -");
}

#[test]
fn knees_of_markerless_tools_are_joint_centres() {
    expect(
        "Neck RShoulder RHip RKnee RAnkle RHeel RBigToe RSmallToe LHip Nose midHip",
        "neck shoulder_center_r hip_center_r knee_center_r ankle_center_r heel_r toe_tip_r fifth_metatarsal_r hip_center_l head mid_hip",
    );
    expect("RHip RKnee RAnkle", "trochanter_r knee_lateral_r ankle_lateral_r");
    expect(
        "r.ASIS_study L.PSIS_study r_knee_study r_mknee_study L_ankle_study L_mankle_study r_calc_study r_toe_study r_5meta_study r_thigh1_study \
         L_sh3_study RHJC_study C7_study r_shoulder_study Neck RBigToe",
        "asis_r psis_l knee_lateral_r knee_medial_r ankle_lateral_l ankle_medial_l heel_r toe_r fifth_metatarsal_r thigh_r shank_l hip_center_r c7 \
         acromion_r neck toe_tip_r",
    );
}

#[test]
fn every_line_of_the_table_names_a_part() {
    let lines = NAME_TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    for line in lines {
        let head = line.split([':', ' ']).next().unwrap_or_default();
        let part = Part::ALL.iter().find(|part| part.name() == head).unwrap_or_else(|| panic!("{line}"));
        let names = line.split_once(':').expect("names").1;
        // A unique part with two sides needs the side in its names.
        assert!(!(part.sided() && part.unique()) || names.split_whitespace().all(|name| name.contains('%')), "{line}");
    }
    for name in Role::all_names() {
        assert_eq!(Role::parse(&name).map(|role| role.to_string()), Some(name));
    }
}

#[test]
fn a_second_name_of_a_role_is_told_and_left_out() {
    let landmarks = Landmarks::recognise(&["RCAL", "RHEE", "RTH1", "RTH2"], None);
    assert_eq!(landmarks.name(Role::on(Part::Heel, Side::Right)), Some("RHEE"));
    assert_eq!(landmarks.unknown(), ["RCAL"]);
    assert_eq!(landmarks.doubles.len(), 1);
    assert_eq!((landmarks.doubles[0].kept.as_str(), landmarks.doubles[0].left_out.as_str()), ("RHEE", "RCAL"));
    assert!(landmarks.role(2).is_some() && landmarks.role(3).is_some());
}

#[test]
fn a_map_has_the_last_word() {
    let map = read_marker_map("RKNE = none\nP1 = asis_r\n\"P 2\" = \"left asis\"\nP3 = HEEL", &["HEEL"]).expect("a map");
    let landmarks = Landmarks::recognise(&["RKNE", "lab:P1", "P_2", "P3", "RASI"], Some(&map));
    assert_eq!(landmarks.role(0), None);
    assert_eq!(landmarks.role(1), Some(Role::on(Part::Asis, Side::Right)));
    assert_eq!(landmarks.role(2), Some(Role::on(Part::Asis, Side::Left)));
    assert_eq!((landmarks.role(3), map.marker("p3")), (None, Some("HEEL")));
    assert_eq!(landmarks.role(4), None, "the role is taken");
    assert_eq!(map.unused(&["P1", "P2", "RKNE"]), ["P3"]);
}

#[test]
fn a_map_is_read_as_toml_and_as_csv() {
    let toml = read_marker_map("# ours\n[markers]\n\"a,b\" = \"sacrum\" # back\nX1 = heel_l\n", &[] as &[&str]);
    let csv = read_marker_map("name, role\n\"a,b\", sacrum\nX1, heel_l\r\n", &[] as &[&str]);
    assert!(toml.is_ok());
    assert_eq!(toml, csv);
}

#[test]
fn every_bad_line_of_a_map_is_told() {
    use crate::explain::Explain;
    let faults = read_marker_map("just words\nA = knee_laterel_r\nB = xyzzy\nC = sacrum\nc = heel_r\n= heel_l\nD =\n", &[] as &[&str])
        .expect_err("faults");
    let told: Vec<(usize, &str)> = faults.iter().map(|(line, fault)| (*line, fault.code())).collect();
    assert_eq!(
        told,
        [
            (1, "bad-map-line"),
            (2, "unknown-marker-role"),
            (3, "unknown-marker-role"),
            (5, "marker-mapped-twice"),
            (6, "bad-map-line"),
            (7, "bad-map-line")
        ]
    );
    assert_eq!(faults[1].1.hint().as_deref(), Some("did you mean `knee_lateral_r`?"));
    assert!(faults.iter().all(|(_, fault)| !fault.message().is_empty()));
}
