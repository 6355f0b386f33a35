//! The stage in space as it is built and carried: a lock file that names no registry, licences beside the script, a script that fits into a page.
//! Not here: what it draws (`viewer/test`, in a browser).

use crate::root;
use borelli::report::viewer;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

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

/// A copy of what the build needs of the project, removed at the end, with a `PATH` of a few tools only.
struct Fresh(PathBuf);

impl Fresh {
    fn new(name: &str) -> Fresh {
        let folder = std::env::temp_dir().join(format!("borelli-viewer-{}-{name}", std::process::id()));
        let fresh = Fresh(folder);
        for file in ["Makefile", "viewer/package.json", "viewer/package-lock.json", "viewer/vite.config.js", "viewer/dist/.gitignore"] {
            fresh.write(file, &text(file));
        }
        for folder in ["bin", "models", "studies", "crates/borelli", "out"] {
            fs::create_dir_all(fresh.0.join(folder)).expect("a folder");
        }
        fresh
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// What the build script embeds: the script of the stage in space, or nothing.
    fn embedded(&self) -> String {
        let script = self.0.join("out/build-script");
        if !script.exists() {
            let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
            let compiled =
                Command::new(rustc).args(["--edition", "2024", "-o"]).arg(&script).arg(root().join("crates/borelli/build.rs")).status();
            assert!(compiled.expect("rustc starts").success());
        }
        let ran = Command::new(&script)
            .env("CARGO_MANIFEST_DIR", self.0.join("crates/borelli"))
            .env("OUT_DIR", self.0.join("out"))
            .output()
            .expect("the build script starts");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        fs::read_to_string(self.0.join("out/viewer.rs")).expect("what it wrote")
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// `cargo install` on a machine without Node: nothing has been built, the page has the plain stage. Half a build does not count.
#[test]
fn the_program_carries_the_stage_in_space_only_where_it_was_built_whole() {
    let fresh = Fresh::new("embedded");
    let plain = "static SCRIPT: Option<&str> = None;\nstatic LICENSES: Option<&str> = None;\n";
    assert_eq!(fresh.embedded(), plain);
    fresh.write("viewer/dist/viewer.js", "script");
    assert_eq!(fresh.embedded(), plain, "a script without its licences");
    fresh.write("viewer/dist/licenses.md", "licences");
    let whole = fresh.embedded();
    assert!(whole.contains("SCRIPT: Option<&str> = Some(include_str!(") && whole.contains("viewer.js"), "{whole}");
    fs::remove_dir_all(fresh.0.join("viewer")).expect("removed");
    assert_eq!(fresh.embedded(), plain, "a package without the folder");
}

/// `make demo` builds the stage first where Node is, and says in one line where it cannot.
#[cfg(unix)]
#[test]
fn make_builds_the_stage_where_node_is_and_goes_on_without_it() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let fresh = Fresh::new("make");
    let tool = |name: &str| std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file());
    // `make test` has it; who calls cargo by hand may not.
    if tool("make").is_none() {
        return;
    }
    for name in ["make", "sh", "touch", "mkdir"] {
        symlink(tool(name).unwrap_or_else(|| panic!("no {name}")), fresh.0.join("bin").join(name)).expect("a link");
    }
    let make = |args: &[&str]| {
        let mut command = Command::new(fresh.0.join("bin/make"));
        // Where make runs the tests, it would take this one for a part of itself, and say which folder it enters.
        for name in ["MAKEFLAGS", "MAKELEVEL", "MFLAGS"] {
            command.env_remove(name);
        }
        let output = command.args(args).current_dir(&fresh.0).env("PATH", fresh.0.join("bin")).output().expect("make starts");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let plan = make(&["--dry-run", "--no-print-directory", "demo"]);
    let place = |words: &str| plan.find(words).unwrap_or_else(|| panic!("no `{words}` in {plan}"));
    assert!(place("command -v npm") < place("cargo build --release") && place("cargo build --release") < place("-- demo"), "{plan}");
    assert!(make(&["viewer"]).starts_with("viewer: no Node here; "), "without Node");
    let npm = |text: &str| {
        fresh.write("bin/npm", &format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(fresh.0.join("bin/npm"), fs::Permissions::from_mode(0o755)).expect("a program");
    };
    npm("exit 1");
    assert!(make(&["viewer"]).starts_with("viewer: its packages cannot be had; "), "without packages");
    assert!(fresh.embedded().contains("SCRIPT: Option<&str> = None"));
    npm("case $1 in ci) mkdir -p node_modules ;; run) echo script > dist/viewer.js; echo licences > dist/licenses.md ;; esac");
    assert_eq!(make(&["viewer"]), "");
    assert!(fresh.embedded().contains("SCRIPT: Option<&str> = Some("));
}
