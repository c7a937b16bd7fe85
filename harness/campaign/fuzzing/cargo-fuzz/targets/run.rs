#![no_main]

libfuzzer_sys::fuzz_target!(init: sframe_conformance_fuzz::begin(), |input: &[u8]| {
    fuzzing::Target::Run.run(input);
});
