//! The cases that do not run: they wait for a stage or a preset, or are about something that the crate does not offer.

/// The reason for leaving the case of this id, if it is left.
pub fn reason(id: &str) -> Option<&'static str> {
    LEFT.iter().find(|(left, _)| *left == id).map(|(_, reason)| *reason)
}

/// Case ids with reasons, in the order of the file.
pub const LEFT: &[(&str, &str)] = &[
    ("llama.cpp-003", "waits for the stage dynamic_temperature"),
    ("llama.cpp-022", "waits for the stage xtc"),
    ("llama.cpp-024", "waits for the stage xtc"),
    ("llama.cpp-026", "waits for the stage typical_p"),
    ("llama.cpp-027", "waits for the stage typical_p"),
    ("llama.cpp-035", "waits for the stage dry"),
    ("llama.cpp-036", "waits for the stage dry"),
    ("llama.cpp-038", "waits for the stage dry"),
    ("llama.cpp-042", "not normative"),
    ("transformers-070", "waits for a preset: hf keeps every token tied with the k-th"),
    ("transformers-079", "not normative"),
    ("transformers-086", "waits for the stage typical_p"),
    ("transformers-087", "waits for the stage typical_p"),
    ("transformers-089", "waits for the stage typical_p"),
    ("transformers-092", "waits for the stage epsilon_cutoff"),
    ("transformers-095", "waits for the stage eta_cutoff"),
    ("transformers-096", "waits for the stage eta_cutoff"),
    ("transformers-100", "waits for the stage no_repeat_ngram"),
    ("transformers-101", "waits for the stage no_repeat_ngram"),
    ("transformers-102", "waits for the stage no_repeat_ngram"),
    ("transformers-103", "waits for the stage no_repeat_ngram"),
    ("transformers-104", "waits for the stage no_repeat_ngram"),
    ("transformers-106", "waits for the stage bad_words"),
    ("transformers-108", "not offered: a bias for sequences of tokens"),
    ("transformers-109", "not offered: a bias for sequences of tokens"),
    ("transformers-115", "not offered: a reward for tokens of an encoder's input"),
    ("transformers-117", "waits for the stage min_new_tokens"),
    ("transformers-118", "waits for the stage min_new_tokens"),
    ("transformers-123", "waits for the stage min_new_tokens"),
    ("transformers-129", "not offered: an end token forced by length"),
    (
        "transformers-130",
        "waits for a preset: hf may be asked to replace NaN by 0; here it is an error",
    ),
    (
        "transformers-131",
        "waits for a preset: hf may be asked to replace infinity; here it is an error",
    ),
    ("transformers-135", "not offered: guidance centred on the condition"),
    ("exllamav3-174", "waits for a preset: exllama's penalty decays with distance"),
    ("exllamav3-176", "waits for a preset: exllama's nucleus excludes the token that crosses p"),
    (
        "exllamav3-181",
        "waits for a preset: exllama ignores ids outside the vocabulary; here they are errors",
    ),
    ("exllamav3-182", "waits for the stage xtc"),
    ("exllamav3-184", "waits for the stage xtc"),
    ("exllamav3-185", "waits for the stage xtc"),
    (
        "exllamav3-187",
        "waits for a preset: exllama ignores ids outside the vocabulary; here they are errors",
    ),
    (
        "exllamav3-188",
        "waits for a preset: exllama ignores ids outside the vocabulary; here they are errors",
    ),
    (
        "llm-samplers-198",
        "waits for a preset: llm-samplers takes a min_p above 1; here it is out of range",
    ),
    ("llm-samplers-201", "waits for the stage top_a"),
    ("llm-samplers-204", "not normative"),
    ("llm-samplers-205", "not normative"),
    ("llm-samplers-207", "not offered: llm-samplers' penalty for repeated sequences"),
    (
        "llm-samplers-209",
        "waits for a preset: llm-samplers runs a bias twice; here a stage is listed once",
    ),
];
