//! Writes the golden file: which rows, chains, seeds, streams and positions meet is decided here, by rotation.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Value, json};

use super::answer::{answers, batch};
use super::chains::chains;
use super::compare::all_logits;
use super::golden::{Answer, Batch, Call, Case, Golden, Ids, Row};
use super::rows::{Synthetic, mix};

const RECORDED: [&str; 5] = ["capital", "once", "seven", "code", "list"];
const COLUMNS: [&str; 10] = [
    "row",
    "chain",
    "seed",
    "stream",
    "position",
    "keptCount or code",
    "keptMass",
    "entropy",
    "digest",
    "tokens",
];
const SEEDS: [u64; 7] = [42, 0, 1, (1 << 53) - 1, u64::MAX, 1 << 63, 6_364_136_223_846_793_005];
const STREAMS: [Option<u32>; 4] = [None, Some(1), Some(u32::MAX), Some(70_000)];
const POSITIONS: [u64; 6] = [0, 5, 8, 1023, 1 << 40, (1 << 53) - 1 - 64];

/// Every shape at these sizes, and what each shape is.
const SIZES: [usize; 8] = [33, 64, 257, 1000, 4096, 32_000, 128_256, 262_144];
fn shapes() -> [(&'static str, Synthetic); 7] {
    let off = Synthetic::default();
    [
        ("peaked", Synthetic { spread: 1, boost: 20_000, shift: 14, ..off.clone() }),
        ("medium", Synthetic { spread: 1, boost: 8000, shift: 14, ..off.clone() }),
        ("flat", Synthetic { spread: 1, shift: 17, ..off.clone() }),
        ("ties", Synthetic { spread: 1, step: 1 << 14, shift: 14, ..off.clone() }),
        ("equal", Synthetic { step: 1, ..off.clone() }),
        ("dead", Synthetic { spread: 1, boost: 6000, dead: 3, shift: 14, ..off.clone() }),
        ("extreme", Synthetic { spread: 1, limit: 40_000, shift: 2, ..off }),
    ]
}

/// The whole file's text.
pub fn text(recorded: &dyn Fn(&str) -> Vec<u8>) -> String {
    let mut golden = Golden {
        made_by: "cargo run --release --example same -- write; see README.md".into(),
        rows: rows(recorded),
        chains: chains(),
        columns: COLUMNS.map(String::from).to_vec(),
        cases: Vec::new(),
        batches: Vec::new(),
    };
    let logits = all_logits(&golden, recorded);
    golden.cases = cases(&golden);
    for case in &mut golden.cases {
        let (chain, row) = (&golden.chains[case.chain], &golden.rows[case.row]);
        case.answer = answers(chain, row, case, &logits[case.row]).swap_remove(0);
    }
    golden.batches = batches(&golden.rows).iter().map(|empty| batch(empty, &logits)).collect();
    printed(&golden)
}

/// Recorded rows; one to seven tokens; every shape at every small size, and in turn at the large ones.
fn rows(recorded: &dyn Fn(&str) -> Vec<u8>) -> Vec<Row> {
    let mut rows: Vec<Row> =
        RECORDED.iter().map(|name| row(name, 49_152, None, recorded)).collect();
    let mut seed = 0;
    let mut add = |name: &str, n: usize, shape: &Synthetic| {
        seed += 1;
        let made = Synthetic { seed, ..shape.clone() };
        rows.push(row(&format!("{name} {n}"), n, Some(made), recorded));
    };
    let shapes = shapes();
    for (n, shape) in [(1, 1), (2, 4), (3, 0), (7, 3)] {
        add(shapes[shape].0, n, &shapes[shape].1);
    }
    for (i, n) in SIZES.into_iter().enumerate() {
        for (j, (name, shape)) in shapes.iter().enumerate() {
            let wanted = match n {
                1000 => true,
                0..10_000 => (i + j) % 2 == 0,
                32_000 => [0, 2, 3].contains(&j),
                128_256 => [1, 6].contains(&j),
                _ => [2, 5].contains(&j),
            };
            if wanted {
                add(name, n, shape);
            }
        }
    }
    rows
}

/// A row with history, bias and allowed tokens among its best tokens and elsewhere.
fn row(
    name: &str,
    n: usize,
    synthetic: Option<Synthetic>,
    recorded: &dyn Fn(&str) -> Vec<u8>,
) -> Row {
    let seed = synthetic.as_ref().map_or(n as u32 + name.len() as u32, |made| made.seed);
    let mut row = Row {
        name: name.into(),
        n,
        synthetic,
        prompt: Vec::new(),
        output: Vec::new(),
        bias: Value::Null,
        allowed: Vec::new(),
        mask: [seed + 1000, 11],
    };
    let logits = row.logits(recorded);
    let mut best: Vec<u32> = (0..n as u32).collect();
    best.sort_by(|a, b| logits[*b as usize].total_cmp(&logits[*a as usize]).then(a.cmp(b)));
    // Ranks near the top are taken often, any other now and then.
    let pick = |i: u32| {
        let word = mix(seed + 2000, i);
        let among = if word & 3 < 3 { n.min(12) } else { n };
        best[(word >> 2) as usize % among]
    };
    row.prompt = (0..10).map(pick).collect();
    row.output = (10..30).map(pick).collect();
    row.allowed = (30..50).map(pick).collect();
    let biases = [json!(2.5), json!(-1.1), json!("-Infinity"), json!(0.3), json!(-40), json!(1e-3)];
    let mut biased: Vec<u32> = Vec::new();
    for id in (50..60).map(pick) {
        // One token is left without a ban, however few there are.
        if !biased.contains(&id) && biased.len() + 1 < n.max(2) {
            biased.push(id);
        }
    }
    row.bias =
        biased.iter().zip(biases.iter().cycle()).map(|(id, bias)| json!([id, bias])).collect();
    row
}

/// Small rows meet every chain, larger ones some.
fn cases(golden: &Golden) -> Vec<Case> {
    let mut cases = Vec::new();
    for (i, row) in golden.rows.iter().enumerate() {
        let one_in = match row.n {
            0..10_000 => 2,
            10_000..100_000 => 4,
            _ => 9,
        };
        for chain in (0..golden.chains.len()).filter(|chain| (i + chain) % one_in == 0) {
            let turn = cases.len();
            cases.push(Case {
                row: i,
                chain,
                seed: SEEDS[turn % SEEDS.len()].to_string(),
                stream: STREAMS[turn % STREAMS.len()],
                position: POSITIONS[turn / 3 % POSITIONS.len()],
                answer: Answer::Failed(String::new()),
            });
        }
    }
    cases
}

/// One row, few, many; by number and by ids; with rows' own options, with masks, with a row that fails.
fn batches(rows: &[Row]) -> Vec<Batch> {
    let of_size = |n| (0..rows.len()).filter(|i| rows[*i].n == n).collect::<Vec<_>>();
    let call = |rows, masks| Call { rows, masks, tokens: Vec::new() };
    let nucleus = json!({ "seed": "42", "temperature": 0.7, "topP": 0.95 });
    let added = vec![
        json!({ "temperature": 1.3, "topK": 50 }),
        json!({ "seed": "7", "minP": 0.05 }),
        json!({ "stream": 4_000_000_000u32 }),
        json!({ "temperature": 0.0 }),
    ];
    let masks = vec![None, Some([5, 8]), Some([6, 0]), Some([7, 3]), None];
    vec![
        Batch {
            options: json!({ "seed": "1" }),
            added: Vec::new(),
            rows: of_size(1000),
            calls: [1, 2, 5, 64, 3].map(|n| call(Ids::First(n), None)).to_vec(),
        },
        Batch {
            options: nucleus.clone(),
            added: added.clone(),
            rows: of_size(49_152),
            calls: vec![
                call(Ids::First(5), None),
                call(Ids::Listed(vec![3, 0, 4]), None),
                call(Ids::Listed(vec![4, 3, 2, 1, 0]), None),
            ],
        },
        Batch {
            options: nucleus,
            added,
            rows: of_size(257),
            calls: vec![
                call(Ids::First(5), Some(masks.clone())),
                call(Ids::Listed(vec![2, 4, 1, 0, 3]), Some(masks)),
                call(Ids::First(200), None),
            ],
        },
    ]
}

/// One line an item, so that a change can be read.
fn printed(golden: &Golden) -> String {
    let mut text = format!("{{\n\"made_by\": {},\n", json!(golden.made_by));
    list(&mut text, "rows", &golden.rows);
    list(&mut text, "chains", &golden.chains);
    let _ = writeln!(text, "\"columns\": {},", json!(golden.columns));
    list(&mut text, "cases", &golden.cases);
    list(&mut text, "batches", &golden.batches);
    text.truncate(text.trim_end_matches([',', '\n']).len());
    text + "\n}\n"
}

fn list<T: Serialize>(text: &mut String, name: &str, items: &[T]) {
    let lines: Vec<String> =
        items.iter().map(|item| serde_json::to_string(item).unwrap()).collect();
    let _ = writeln!(text, "\"{name}\": [\n{}\n],", lines.join(",\n"));
}
