//! What holds for every text, whatever its bytes, under every rule of cutting.

use nucleus_sampler::tokenizer::read::tiktoken;
use nucleus_sampler::tokenizer::{
    Rules, Split, TextStream, Tokenizer, Training, Vocabulary, train,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::texts::text;

/// A tokenizer of each rule, trained on generated texts; and one that merges by ranks.
fn tokenizers() -> Vec<Tokenizer> {
    let corpus: String = (0..60).map(|i| text(7, i)).collect();
    let trained = |split| {
        let special = vec!["<|end|>".to_string(), "<|im".to_string()];
        train(&[corpus.as_bytes()], &Training { n_vocab: 700, split, special }).unwrap()
    };
    let mut all: Vec<Tokenizer> = Split::ALL.into_iter().map(trained).collect();
    let whole = Rules { whole_pieces: true, ..Rules::default() };
    let vocabulary = all[3].vocabulary().clone();
    all.push(Tokenizer::with_rules(vocabulary, Split::Llama3, whole));
    all
}

fn any_text() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        any::<Vec<u8>>(),
        any::<String>().prop_map(String::into_bytes),
        any::<u64>().prop_map(|i| text(11, i).into_bytes()),
        "[a-c' <|endim>\n0-9]{0,60}".prop_map(String::into_bytes),
    ]
}

thread_local! {
    static ALL: Vec<Tokenizer> = tokenizers();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn decoding_an_encoding_gives_back_any_bytes(text in any_text()) {
        ALL.with(|all| {
            for tokenizer in all {
                for ids in [tokenizer.encode(&text), tokenizer.encode_special(&text)] {
                    prop_assert_eq!(&tokenizer.decode(&ids).unwrap(), &text);
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn a_stream_gives_the_whole_text_wherever_it_is_cut(text in any_text()) {
        ALL.with(|all| {
            for tokenizer in all {
                let ids = tokenizer.encode(&text);
                let mut stream = TextStream::new(tokenizer);
                let mut found: String = ids.iter().map(|&id| stream.push(id).unwrap()).collect();
                found += &stream.finish();
                prop_assert_eq!(found, String::from_utf8_lossy(&text));
            }
            Ok(())
        })?;
    }

    #[test]
    fn an_encoding_is_the_encodings_of_its_pieces(text in any_text()) {
        ALL.with(|all| {
            for tokenizer in all {
                let pieces = tokenizer.split().pieces(&text);
                let found: Vec<u32> = pieces.flat_map(|piece| naive(tokenizer, piece)).collect();
                prop_assert_eq!(tokenizer.encode(&text), found);
            }
            Ok(())
        })?;
    }

    #[test]
    fn what_was_encoded_before_changes_nothing(first in any_text(), second in any_text()) {
        ALL.with(|all| {
            for tokenizer in all {
                let fresh = tokenizer.clone();
                tokenizer.encode(&first);
                prop_assert_eq!(tokenizer.encode(&second), fresh.encode(&second));
            }
            Ok(())
        })?;
    }

    #[test]
    fn special_tokens_cut_a_text_into_texts_of_their_own(first in any_text(), second in any_text()) {
        ALL.with(|all| {
            for tokenizer in all {
                let mark = tokenizer.vocabulary().mark(b"<|end|>").unwrap();
                let has_mark = |text: &[u8]| text.contains(&b'<');
                prop_assume!(!has_mark(&first) && !has_mark(&second));
                let text = [&first[..], b"<|end|>", &second].concat();
                let expected = [tokenizer.encode(&first), vec![mark], tokenizer.encode(&second)].concat();
                prop_assert_eq!(tokenizer.encode_special(&text), expected);
            }
            Ok(())
        })?;
    }

    #[test]
    fn ranks_merge_as_looking_for_the_lowest_one_does(
        tokens in prop::collection::btree_set("[ab]{2,5}", 0..24),
        text in "[ab]{0,30}",
        shuffle: u64,
    ) {
        let mut tokens: Vec<String> = tokens.into_iter().collect();
        let mut numbers = super::texts::Numbers(shuffle);
        for i in (1..tokens.len()).rev() {
            tokens.swap(i, numbers.below(i + 1));
        }
        let all = [vec!["a".to_string(), "b".to_string()], tokens].concat();
        let file: String =
            all.iter().enumerate().map(|(rank, token)| format!("{} {rank}\n", base64(token))).collect();
        let tokenizer = tiktoken::tokenizer(file.as_bytes(), &[], Split::Cl100k).unwrap();
        prop_assert_eq!(tokenizer.encode(text.as_bytes()), by_lowest_rank(&all, &text));
    }

    #[test]
    fn a_changed_ranks_file_is_an_error_or_a_tokenizer(at in 0usize..40, byte: u8) {
        let mut file = b"YQ== 0\nYg== 1\nYWI= 2\r\n\nYWJh 3\nYWJiYQ== 70000\n".to_vec();
        let place = at % file.len();
        file[place] = byte;
        if let Ok(tokenizer) = tiktoken::tokenizer(&file, &[("<|end|>", 9)], Split::Gpt2) {
            tokenizer.encode(b"abba");
        }
    }
}

/// A piece merged by every rank in turn, over the bytes of tokens.
fn naive(tokenizer: &Tokenizer, piece: &[u8]) -> Vec<u32> {
    let vocabulary = tokenizer.vocabulary();
    let id = |bytes: &[u8]| vocabulary.id(bytes, nucleus_sampler::tokenizer::TokenKind::Normal);
    if let (true, Some(whole)) = (tokenizer.rules().whole_pieces, id(piece)) {
        return vec![whole];
    }
    let mut symbols: Vec<u32> = piece.iter().map(|&byte| id(&[byte]).unwrap()).collect();
    while let Some((_, place)) = symbols
        .windows(2)
        .enumerate()
        .filter_map(|(place, pair)| rank(vocabulary, (pair[0], pair[1])).map(|rank| (rank, place)))
        .min()
    {
        let joined =
            [symbols[place], symbols[place + 1]].map(|id| vocabulary.token(id).unwrap().0.to_vec());
        symbols[place] = id(&joined.concat()).unwrap();
        symbols.remove(place + 1);
    }
    symbols
}

fn rank(vocabulary: &Vocabulary, pair: (u32, u32)) -> Option<usize> {
    vocabulary.merges().iter().position(|&merge| merge == pair)
}

/// A text by ranks as `.tiktoken` files mean them: the neighbours that make the token of the lowest rank join.
fn by_lowest_rank(tokens: &[String], text: &str) -> Vec<u32> {
    let rank = |text: &str| tokens.iter().position(|token| token == text);
    if let Some(whole) = rank(text) {
        return vec![whole as u32];
    }
    let mut symbols: Vec<String> = text.chars().map(String::from).collect();
    while let Some((_, place)) = symbols
        .windows(2)
        .enumerate()
        .filter_map(|(place, pair)| rank(&pair.concat()).map(|rank| (rank, place)))
        .min()
    {
        let right = symbols.remove(place + 1);
        symbols[place].push_str(&right);
    }
    symbols.iter().map(|symbol| rank(symbol).unwrap() as u32).collect()
}

/// In base64, with padding.
fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |bits: u32| char::from(DIGITS[bits as usize & 63]);
    let of_three = |three: &[u8]| {
        let byte = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digits: String = [18, 12, 6, 0].map(|shift| digit(bits >> shift)).iter().collect();
        let kept = three.len() + 1;
        format!("{}{}", &digits[..kept], "=".repeat(4 - kept))
    };
    text.as_bytes().chunks(3).map(of_three).collect()
}

#[test]
fn training_gives_the_same_whatever_came_before() {
    for split in Split::ALL {
        let corpus: String = (0..20).map(|i| text(3, i)).collect();
        let training = Training { n_vocab: 400, split, special: vec![] };
        let [first, second] = [0, 1].map(|_| train(&[corpus.as_bytes()], &training).unwrap());
        assert_eq!(first.vocabulary().merges(), second.vocabulary().merges());
    }
}
