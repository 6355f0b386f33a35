//! The stage in space as it is built and carried: a lock file that names no registry, licences beside the script, a script that fits into a page.
//! Not here: what it draws (`viewer/test`, in a browser).

use crate::root;
use borelli::report::viewer;
use serde_json::Value;
use std::fs;

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

#[test]
fn the_lock_file_holds_checksums_and_names_no_registry() {
    let lock = json("viewer/package-lock.json");
    let packages = lock["packages"].as_object().expect("packages");
    let others: Vec<_> = packages.iter().filter(|(path, _)| !path.is_empty()).collect();
    assert!(others.len() > 2, "{} packages", others.len());
    for (path, package) in others {
        assert!(package.get("resolved").is_none(), "{path} says where it was had");
        assert!(package["integrity"].as_str().is_some_and(|sum| sum.starts_with("sha512-")), "{path} has no checksum");
    }
    let npmrc = text("viewer/.npmrc");
    assert!(npmrc.lines().any(|line| line == "omit-lockfile-registry-resolved=true"), "{npmrc}");
    assert!(!npmrc.contains("://"), "{npmrc}");
}

#[test]
fn the_lock_file_holds_every_package_that_one_of_its_packages_names() {
    let lock = json("viewer/package-lock.json");
    let packages = lock["packages"].as_object().expect("packages");
    for (path, package) in packages {
        for list in ["dependencies", "optionalDependencies"] {
            let names = package[list].as_object().into_iter().flat_map(|map| map.keys());
            for name in names {
                // Beside the packages of all, or below the one that names it.
                let places = [format!("node_modules/{name}"), format!("{path}/node_modules/{name}")];
                assert!(places.iter().any(|place| packages.contains_key(place)), "{path} needs {name}, which `npm ci` would not find");
            }
        }
    }
}

#[test]
fn the_versions_of_packages_are_exact() {
    let package = json("viewer/package.json");
    for list in ["dependencies", "devDependencies"] {
        for (name, version) in package[list].as_object().expect(list) {
            let version = version.as_str().expect("text");
            assert!(version.split('.').count() == 3 && version.split('.').all(|part| part.parse::<u32>().is_ok()), "{name} {version}");
        }
    }
}

#[test]
fn the_folder_of_the_build_is_always_there_and_never_committed() {
    assert_eq!(text("viewer/dist/.gitignore"), "*\n!.gitignore\n");
}

#[test]
fn the_script_fits_into_a_page_and_its_licences_go_with_it() {
    let (Some(script), Some(licenses)) = (viewer::script(), viewer::licenses()) else {
        assert_eq!((viewer::script(), viewer::licenses()), (None, None));
        return;
    };
    for end in ["</script", "<!--"] {
        assert!(!script.to_ascii_lowercase().contains(end), "the script contains {end}");
    }
    assert!(script.contains("borelliStages") && script.contains("borelliScene"), "the script does not meet the page");
    for name in json("viewer/package.json")["dependencies"].as_object().expect("dependencies").keys() {
        assert!(licenses.contains(&format!("## {name} ")), "no licence of {name}");
    }
    assert!(licenses.contains("Permission is hereby granted"), "{licenses}");
}
