//! The folder of the files that a run keeps of a trial.

/// The directory within the results with the kept files of trials.
pub const KEPT: &str = "kept";

/// The directory of a trial's kept files in the results: `kept/gas@2.44/amd64/v2/frames/no-fp`. No
/// character of a name can lead to another directory or is refused by services that store files.
pub fn kept_folder(key: &str) -> String {
    let plain = |part: &str| match part {
        "" | "." | ".." => "_".to_owned(),
        part => part.replace(|c: char| !(c.is_ascii_alphanumeric() || "._-+@=,".contains(c)), "_"),
    };
    let parts: Vec<String> = key.split("::").map(plain).collect();
    format!("{KEPT}/{}", parts.join("/"))
}
