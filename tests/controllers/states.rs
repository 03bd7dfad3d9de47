//! States with controllers: they resume exactly in the middle of a step, and refuse what no controller comes to.

use nucleus_sampler::{Error, Input, Options, Sampler, Window};

use crate::common::{from_json_text, sampler, state_text};
use crate::{adaptive_p, controlled, mirostat, pending, scattered};

/// A controller with penalties over a window, repetitions, coins, a stream of its own, a temperature and a cut before it.
fn busy(options: Options) -> Options {
    Options {
        temperature: Some(0.9),
        repetition_penalty: Some(1.2),
        frequency_penalty: Some(0.3),
        presence_penalty: Some(0.1),
        penalty_last_n: Some(Window(9)),
        dry_multiplier: Some(0.7),
        xtc_probability: Some(0.5),
        min_p: Some(1e-3),
        stream: Some(77),
        seed: Some(u64::MAX),
        ..options
    }
}

/// One token of row 0, in two halves, so that a state may be taken between them.
fn draw(sampler: &mut Sampler, step: u32) -> u32 {
    let row = scattered(60, step + 1);
    sampler.sample(Input::from(&row).with_mask(Some(&[!5, u32::MAX]))).unwrap()
}

fn restored(sampler: &Sampler) -> Sampler {
    Sampler::from_state(&from_json_text(&state_text(sampler))).unwrap()
}

#[test]
fn a_generation_resumes_through_json_after_every_draw_and_after_every_accept() {
    for options in controlled().map(busy) {
        let mut whole = sampler(&options);
        whole.prompt(&[1, 2, 3]).unwrap();
        let mut resumed = whole.clone();
        for step in 0..40 {
            let token = draw(&mut whole, step);
            assert_eq!(draw(&mut resumed, step), token, "step {step}");
            resumed = restored(&resumed);
            assert_eq!(state_text(&resumed), state_text(&whole));
            assert_eq!(pending(&mut resumed).unwrap().0, token);
            // Now and then the token is another one than was drawn.
            let token = if step % 7 == 3 { (token + 1) % 60 } else { token };
            whole.accept(token).unwrap();
            resumed.accept(token).unwrap();
            resumed = restored(&resumed);
            assert_eq!(state_text(&resumed), state_text(&whole), "step {step}");
        }
    }
}

#[test]
fn a_clone_with_a_pending_draw_has_an_identical_future() {
    for options in controlled().map(busy) {
        let mut original = sampler(&options);
        (0..10).for_each(|step| {
            let token = draw(&mut original, step);
            original.accept(token).unwrap();
        });
        let token = draw(&mut original, 10);
        let mut clone = original.clone();
        let mut elsewhere = original.clone_on_stream(5).unwrap();
        assert_eq!(pending(&mut elsewhere), pending(&mut original));
        for sampler in [&mut original, &mut clone, &mut elsewhere] {
            sampler.accept(token).unwrap();
        }
        let future = |sampler: &mut Sampler| -> Vec<u32> {
            (11..40)
                .map(|step| {
                    let token = draw(sampler, step);
                    sampler.accept(token).unwrap();
                    token
                })
                .collect()
        };
        let expected = future(&mut original);
        assert_eq!(future(&mut clone), expected);
        assert_eq!(state_text(&clone), state_text(&original));
        assert_ne!(future(&mut elsewhere), expected);
    }
}

#[test]
fn reset_is_a_new_sampler() {
    for options in controlled().map(busy) {
        let mut used = sampler(&options);
        for step in 0..5 {
            let token = draw(&mut used, step);
            used.accept(token).unwrap();
            used.accept(3).unwrap();
        }
        draw(&mut used, 5);
        used.reset();
        assert_eq!(state_text(&used), state_text(&sampler(&options)));
    }
}

#[test]
fn the_fields_of_a_state_say_what_was_learned_and_what_is_pending() {
    let mut sampler = sampler(&mirostat(2, 1.5));
    let token = sampler.sample(&[0.0, 0.0]).unwrap();
    sampler.accept(token).unwrap();
    sampler.accept(1).unwrap();
    let token = sampler.sample(&[2.0, f32::NEG_INFINITY]).unwrap();
    assert_eq!(token, 0);
    let text = state_text(&sampler);
    for field in [
        r#""controllers":{"adaptiveP":null,"mirostat":{"mu":3.05},"unmatchedAccepts":1}"#,
        r#""pending":{"surprise":0.0,"token":0}"#,
    ] {
        assert!(text.contains(field), "{field} is not in {text}");
    }
    // As JavaScript writes it, a whole number has no fraction.
    let whole = text.replace("\"surprise\":0.0", "\"surprise\":0");
    assert_eq!(state_text(&Sampler::from_state(&from_json_text(&whole)).unwrap()), text);
}

#[test]
fn an_infinite_surprise_is_a_text_in_the_state_and_comes_back() {
    let mut sampler = sampler(&adaptive_p(0.5));
    while sampler.sample(&[0.0, -100.0]).unwrap() == 0 {}
    assert!(state_text(&sampler).contains(r#""pending":{"surprise":"Infinity","token":1}"#));
    let mut resumed = restored(&sampler);
    for sampler in [&mut sampler, &mut resumed] {
        sampler.accept(1).unwrap();
    }
    assert_eq!(state_text(&resumed), state_text(&sampler));
}

/// What a state is refused with whose field at a path of row 0 is another, or "removed". The controller has learned
/// something, and a draw is pending.
fn refused(options: &Options, path: &str, value: &str) -> Error {
    let mut sampler = sampler(options);
    let token = draw(&mut sampler, 0);
    sampler.accept(token).unwrap();
    draw(&mut sampler, 1);
    let mut state: serde_json::Value = serde_json::from_str(&state_text(&sampler)).unwrap();
    let (holder, name) = path.rsplit_once('.').unwrap_or(("", path));
    let holder = holder.split('.').filter(|part| !part.is_empty());
    let map = holder.fold(&mut state["rows"][0], |found, part| &mut found[part]);
    let map = map.as_object_mut().unwrap();
    match serde_json::from_str(value).unwrap() {
        serde_json::Value::String(text) if text == "removed" => drop(map.remove(name)),
        value => drop(map.insert(name.into(), value)),
    }
    Sampler::from_state(&from_json_text(&state.to_string())).unwrap_err()
}

#[test]
fn a_damaged_controller_is_state_invalid_with_the_path_of_the_field() {
    let count = ["-1", "0.5", "1e300", "9007199254740992", "null", "true", "[]", "\"much\""];
    let objects = ["5", "[]", "true", "\"much\"", "\"removed\""];
    let infinite = ["\"Infinity\"", "\"-Infinity\"", "\"NaN\"", "null", "[]", "\"removed\""];
    let below = ["-0.5", "\"-Infinity\"", "\"NaN\"", "null", "{}", "\"removed\""];
    let token = ["-1", "1.5", "524288", "null", "\"1\"", "\"removed\""];
    let (miro, adaptive) = (mirostat(2, 1.5), adaptive_p(0.3));
    let cases: [(&Options, &str, &[&str]); 14] = [
        (&miro, "controllers", &objects),
        (&miro, "controllers.unmatchedAccepts", &count),
        (&miro, "controllers.mirostat", &objects),
        (&miro, "controllers.mirostat.mu", &infinite),
        (&miro, "controllers.adaptiveP", &objects),
        (&miro, "pending", &objects),
        (&miro, "pending.token", &token),
        (&miro, "pending.surprise", &infinite),
        (&miro, "pending.surprise", &below),
        (&adaptive, "pending.surprise", &below),
        (&adaptive, "controllers.adaptiveP.sum", &below),
        (&adaptive, "controllers.adaptiveP.sum", &["1000", "\"Infinity\""]),
        (&adaptive, "controllers.adaptiveP.weight", &below),
        (&adaptive, "controllers.adaptiveP.weight", &["0.99", "\"Infinity\""]),
    ];
    for (options, path, values) in cases {
        for value in values {
            let error = refused(options, path, value);
            let found = (error.code(), error.option());
            let path = ["rows.0.", path].concat();
            assert_eq!(found, ("state_invalid", Some(&*path)), "{path} is {value}: {error}");
        }
    }
    for holder in ["controllers", "controllers.mirostat", "pending"] {
        let path = [holder, ".surplus"].concat();
        let error = refused(&miro, &path, "1");
        assert_eq!(error.option(), Some(&*["rows.0.", &path].concat()), "{error}");
    }
}

#[test]
fn a_pending_draw_without_a_controller_is_state_invalid() {
    let mut sampler = sampler(&Options { seed: Some(1), ..Options::default() });
    sampler.sample(&[0.0]).unwrap();
    let text = state_text(&sampler)
        .replace("\"pending\":null", "\"pending\":{\"token\":0,\"surprise\":1}");
    let error = Sampler::from_state(&from_json_text(&text)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the state's rows.0.pending must be null, for neither mirostat nor adaptive_p draws, not an object"
    );
}

#[test]
fn a_state_of_a_newer_version_is_state_version() {
    let mut sampler = sampler(&mirostat(2, 1.5));
    draw(&mut sampler, 0);
    let text = state_text(&sampler).replace("\"version\":1", "\"version\":2");
    let error = Sampler::from_state(&from_json_text(&text)).unwrap_err();
    assert_eq!(error.code(), "state_version");
}

/// With the feature `serde` a sampler goes through its formats: text, and a tree in memory.
#[test]
#[cfg(feature = "serde")]
fn a_sampler_survives_serde_in_the_middle_of_a_generation() {
    for options in controlled().map(busy) {
        let mut original = sampler(&options);
        for step in 0..6 {
            let token = draw(&mut original, step);
            original.accept(token).unwrap();
        }
        draw(&mut original, 6);
        let text = serde_json::to_string(&original).unwrap();
        let tree = serde_json::to_value(&original).unwrap();
        let mut resumed: [Sampler; 2] =
            [serde_json::from_str(&text).unwrap(), serde_json::from_value(tree).unwrap()];
        for step in 7..30 {
            let (token, _) = pending(&mut original).unwrap();
            original.accept(token).unwrap();
            draw(&mut original, step);
            for sampler in &mut resumed {
                sampler.accept(token).unwrap();
                draw(sampler, step);
                assert_eq!(state_text(sampler), state_text(&original), "step {step}");
            }
        }
    }
    let error = serde_json::from_str::<Sampler>("{\"version\":2}").unwrap_err();
    assert!(error.to_string().contains("the state has version 2"), "{error}");
}
