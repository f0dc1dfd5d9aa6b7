//! speedscope's format, <https://www.speedscope.app/file-format-schema.json>: one profile per thread, weights in
//! nanoseconds.

use serde_json::{Value as Json, json};

use crate::result::Profile;

pub fn write(profile: &Profile) -> String {
    let tree = &profile.tree;
    let frame = |place: &crate::tree::Place| {
        let function = &tree.functions[place.function as usize];
        let mut frame = json!({ "name": function.name });
        if !function.path.is_empty() {
            frame["file"] = json!(function.path);
            frame["line"] = json!(place.line);
        }
        frame
    };
    let profiles: Vec<Json> = profile
        .threads
        .iter()
        .map(|thread| {
            let (mut samples, mut weights, mut total) = (Vec::new(), Vec::new(), 0);
            for sample in profile.samples.iter().filter(|sample| sample.thread == thread.number) {
                let mut places: Vec<u32> =
                    tree.chain(sample.node).map(|node| tree.nodes[node as usize].place).collect();
                places.reverse();
                samples.push(places);
                weights.push(sample.weight);
                total += sample.weight;
            }
            json!({
                "type": "sampled", "name": thread.name, "unit": "nanoseconds",
                "startValue": 0, "endValue": total, "samples": samples, "weights": weights,
            })
        })
        .collect();
    let whole = json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": concat!("beni ", env!("CARGO_PKG_VERSION")),
        "activeProfileIndex": 0,
        "shared": { "frames": tree.places.iter().map(frame).collect::<Vec<_>>() },
        "profiles": profiles,
    });
    whole.to_string()
}
