//! The vectors for C: a header, its data as arrays, and a runner.

use std::fmt::Write as _;

use generators::vectors::Vector;

use super::text;

pub(super) fn files(vectors: &[Vector]) -> Vec<(String, Vec<u8>)> {
    vec![
        ("sframe_vectors.h".to_owned(), include_bytes!("c/sframe_vectors.h").to_vec()),
        ("sframe_run.c".to_owned(), include_bytes!("c/sframe_run.c").to_vec()),
        ("sframe_vectors.c".to_owned(), data(vectors).into_bytes()),
    ]
}

fn data(vectors: &[Vector]) -> String {
    let mut text = "/* Made by sframe-conformance; MIT-0. */\n#include \"sframe_vectors.h\"\n\n".to_owned();
    for (number, vector) in vectors.iter().enumerate() {
        let _ = writeln!(text, "static const unsigned char bytes_{number}[] =");
        // Octal of three digits: no digit that follows can be taken for a part of it.
        for row in vector.bytes.chunks(32) {
            let octal: String = row.iter().map(|byte| format!("\\{byte:03o}")).collect();
            let _ = writeln!(text, "  \"{octal}\"");
        }
        let empty = if vector.bytes.is_empty() { "  \"\"" } else { "" };
        let _ = writeln!(text, "{empty};\nstatic const struct sframe_answer answers_{number}[] = {{");
        for answer in &vector.answers {
            let (expect, line) = text::expected(vector.abi, &answer.expected);
            let name = expect.to_ascii_uppercase().replace('-', "_");
            let _ = writeln!(text, "  {{ {:#x}, SFRAME_{name}, \"{line}\" }},", answer.pc);
        }
        text += "  { 0, SFRAME_ANYTHING, \"\" }\n};\n";
    }
    text += "\nconst struct sframe_vector sframe_vectors[] = {\n";
    for (number, vector) in vectors.iter().enumerate() {
        let (start, end) = vector.text;
        let _ = writeln!(
            text,
            "  {{ \"{}\", \"{}\", \"{}\", {}, {}, bytes_{number}, {}, {:#x}, {start:#x}, {end:#x}, answers_{number}, {} }},",
            vector.id,
            vector.format.name(),
            vector.abi.name(),
            u8::from(text::is_big(vector.abi)),
            u8::from(vector.sorted),
            vector.bytes.len(),
            vector.address,
            vector.answers.len(),
        );
    }
    text += "};\nconst size_t sframe_vectors_count = sizeof sframe_vectors / sizeof *sframe_vectors;\n";
    text
}
