//! Which surface is named on which side of a contact.

use super::super::ForceAt;
use super::*;
use borelli_math::Vec3;
use borelli_testkit::assert_close;

/// Swaps the two sides of the contact.
fn swapped(text: &str) -> String {
    let named = "a = \"one\"\nb = \"other\"";
    assert!(text.contains(named));
    text.replace(named, "a = \"other\"\nb = \"one\"")
}

/// Forces and moments on all bodies as one list.
fn loads(sight: &Sight<f64>) -> Vec<f64> {
    sight.loads.force.iter().chain(&sight.loads.moment).flat_map(|x| x.to_array()).collect()
}

#[test]
fn a_swapped_pair_does_the_same() {
    let mut random = Random::new(5);
    for pairing in PAIRINGS {
        for (here, there) in [("", ""), ("force_at = \"a\"", "force_at = \"b\""), ("force_at = \"b\"", "force_at = \"a\"")] {
            let contact = |place: &str| pairing.text(&format!("normal = {REMEMBER}\nfriction = {RUB}\n{place}"));
            let (system, other) = (parse(&contact(here)), parse(&swapped(&contact(there))));
            for _ in 0..3 {
                let (q, v) = meeting(&system, &mut random);
                let [a, b] = [&system, &other].map(|system| look(system, &q, &v, &[0.9]));
                let name = format!("{} {here}", pairing.name());
                if pairing.is_flat() {
                    // A half-space is the second surface whatever side it is named on.
                    assert_eq!((loads(&a), touching(&a)), (loads(&b), touching(&b)), "{name}");
                    continue;
                }
                assert_close(&loads(&b), &loads(&a), 1e-10, &name);
                let (a, b) = (touching(&a), touching(&b));
                assert_close(&[b.depth, b.rate, b.stored], &[a.depth, a.rate, a.stored], 1e-11, &name);
                assert_close(&[b.dissipation], &[a.dissipation], 1e-10, &name);
                assert_close(&b.point.to_array(), &a.point.to_array(), 1e-10, &name);
                for (turned, straight) in [(b.normal, a.normal), (b.slip, a.slip), (b.friction, a.friction)] {
                    assert_close(&(-turned).to_array(), &straight.to_array(), 1e-9, &name);
                }
            }
        }
    }
}

#[test]
fn the_force_acts_where_it_is_said_to() {
    let mut random = Random::new(6);
    for pairing in PAIRINGS {
        let at = |place: &str| pairing.system(&format!("normal = {HERTZ}\n{place}"));
        let [first, second, middle, default] = [at("force_at = \"a\""), at("force_at = \"b\""), at("force_at = \"middle\""), at("")];
        let (q, v) = meeting(&first, &mut random);
        let [first, second, middle, default] = [first, second, middle, default].map(|system| *touching(&look(&system, &q, &v, &[])));
        let name = pairing.name();
        // The first surface reaches below the second one, by the depth along the normal.
        let between: Vec3<f64> = second.point - first.point;
        assert_close(&between.to_array(), &first.normal.scale(first.depth).to_array(), 1e-11, &name);
        assert_close(&(middle.point + middle.point).to_array(), &(first.point + second.point).to_array(), 1e-14, &name);
        assert_eq!(default.point, if pairing.is_flat() { second.point } else { middle.point }, "{name}");
    }
}

#[test]
fn pairs_of_one_contact_act_each_at_its_own_default() {
    let text = EGG_ON_BOARD.text(&format!("normal = {HERTZ}"));
    let text =
        text.replace("b = \"other\"", "b = [\"other\", \"stone\"]") + "[surface.stone]\ntype = \"sphere\"\nat = \"world\"\nradius = 0.3\n";
    let places: Vec<ForceAt> = parse(&text).numbers.contacts.pairs.iter().map(|pair| pair.force_at).collect();
    assert_eq!(places, [ForceAt::Second, ForceAt::Middle]);
}

#[test]
fn a_surface_of_the_world_does_what_it_does_on_a_body_that_stands_still() {
    let mut random = Random::new(7);
    let patch = format!("normal = {BED}\nfriction = {RUB}");
    let sum = format!("normal = {SUM}\nfriction = {RUB}");
    let point = format!("normal = {HERTZ}\nfriction = {RUB}");
    for (pairing, contact) in PAIRINGS.map(|pairing| (pairing, &point)).into_iter().chain([(EGG_ON_BOARD, &patch), (EGG_ON_BOARD, &sum)]) {
        let [still, fixed] = [pairing.system(contact), parse(&pairing.text_on_world(contact))];
        let (coords, dofs) = (still.skeleton.coords() / 2, still.skeleton.dofs() / 2);
        for _ in 0..3 {
            // The second body stands at the origin of the world.
            let (mut q, mut v) = meeting(&fixed, &mut random);
            q[coords..].fill(0.0);
            v[dofs..].fill(0.0);
            if pairing.dimension == "spatial" {
                q[coords + 3] = 1.0;
            }
            let [on_body, on_world] = [&still, &fixed].map(|system| look(system, &q, &v, &[]));
            let name = pairing.name();
            for list in [|sight: &Sight<f64>| sight.loads.force[1], |sight: &Sight<f64>| sight.loads.moment[1]] {
                assert_close(&list(&on_world).to_array(), &list(&on_body).to_array(), 1e-10, &name);
            }
            // The other side is on the world now.
            assert_eq!(on_world.loads.force[2], Vec3::ZERO, "{name}");
            assert_close(&on_world.loads.force[0].to_array(), &on_body.loads.force[2].to_array(), 1e-10, &name);
            let [a, b] = [touching(&on_world), touching(&on_body)];
            assert_close(&[a.depth, a.rate, a.stored, a.dissipation], &[b.depth, b.rate, b.stored, b.dissipation], 1e-10, &name);
        }
    }
}
