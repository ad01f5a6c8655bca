//! The bill of materials, in the form of CycloneDX 1.5.

use super::graph::{Graph, Package};
use serde_json::{Value, json};

/// The bill of a binary. It names no time and no number drawn by lot: the same packages give the
/// same bytes.
pub fn cyclonedx(graph: &Graph, binary: &str) -> Value {
    let components: Vec<Value> = graph.packages.iter().map(component).collect();
    let dependencies: Vec<Value> = graph
        .packages
        .iter()
        .map(|package| {
            let on = package.depends_on.iter().map(|&at| reference(&graph.packages[at]));
            json!({ "ref": reference(package), "dependsOn": on.collect::<Vec<_>>() })
        })
        .collect();
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": binary,
                "name": binary,
                "version": graph.version,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": components,
        "dependencies": dependencies,
    })
}

fn component(package: &Package) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": reference(package),
        "name": package.name,
        "version": package.version,
        "purl": reference(package),
        "licenses": [{ "expression": package.licence }],
    });
    if let Some(checksum) = &package.checksum {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}

/// The name under which tools look for known faults.
fn reference(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version.replace('+', "%2B"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::graph::tests::example;

    #[test]
    fn every_package_is_named_with_its_licence_and_checksum() {
        let bill = cyclonedx(&example(), "program");
        assert_eq!(bill["metadata"]["component"]["version"], "1.0.0");
        let runs = &bill["components"][1];
        assert_eq!(runs["purl"], "pkg:cargo/runs@1.0.0");
        assert_eq!(runs["hashes"][0]["content"], "abc");
        assert_eq!(runs["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(bill["dependencies"][0]["dependsOn"][0], "pkg:cargo/runs@1.0.0");
    }
}
