//! Encodings of numbers by GGUF's names and numbers.

/// How numbers are encoded.
#[allow(non_camel_case_types, reason = "the names that files and engines use")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Single precision.
    F32,
    /// Half precision.
    F16,
    /// The upper half of single precision.
    BF16,
    /// 4 bits, a scale for 32.
    Q4_0,
    /// 4 bits, a scale and an offset for 32.
    Q4_1,
    /// 8 bits, a scale for 32.
    Q8_0,
    /// 4 bits, scales and offsets of 6 bits for 32, their scales for 256.
    Q4_K,
    /// 5 bits, otherwise as `Q4_K`.
    Q5_K,
    /// 6 bits, scales of 8 bits for 16, their scale for 256.
    Q6_K,
}

/// GGUF's numbers and names, the block's columns and bytes.
const TABLE: [(Encoding, u32, &str, usize, usize); 9] = [
    (Encoding::F32, 0, "F32", 1, 4),
    (Encoding::F16, 1, "F16", 1, 2),
    (Encoding::BF16, 30, "BF16", 1, 2),
    (Encoding::Q4_0, 2, "Q4_0", 32, 18),
    (Encoding::Q4_1, 3, "Q4_1", 32, 20),
    (Encoding::Q8_0, 8, "Q8_0", 32, 34),
    (Encoding::Q4_K, 12, "Q4_K", 256, 144),
    (Encoding::Q5_K, 13, "Q5_K", 256, 176),
    (Encoding::Q6_K, 14, "Q6_K", 256, 210),
];

/// What other numbers mean.
const OTHERS: [(u32, &str); 26] = [
    (6, "Q5_0"),
    (7, "Q5_1"),
    (9, "Q8_1"),
    (10, "Q2_K"),
    (11, "Q3_K"),
    (15, "Q8_K"),
    (16, "IQ2_XXS"),
    (17, "IQ2_XS"),
    (18, "IQ3_XXS"),
    (19, "IQ1_S"),
    (20, "IQ4_NL"),
    (21, "IQ3_S"),
    (22, "IQ2_S"),
    (23, "IQ4_XS"),
    (24, "I8"),
    (25, "I16"),
    (26, "I32"),
    (27, "I64"),
    (28, "F64"),
    (29, "IQ1_M"),
    (31, "Q4_0_4_4"),
    (32, "Q4_0_4_8"),
    (33, "Q4_0_8_8"),
    (34, "TQ1_0"),
    (35, "TQ2_0"),
    (39, "MXFP4"),
];

impl Encoding {
    /// Every encoding.
    pub const ALL: [Encoding; 9] = [
        Encoding::F32,
        Encoding::F16,
        Encoding::BF16,
        Encoding::Q4_0,
        Encoding::Q4_1,
        Encoding::Q8_0,
        Encoding::Q4_K,
        Encoding::Q5_K,
        Encoding::Q6_K,
    ];

    /// The encoding of GGUF's number.
    pub fn of_number(number: u32) -> Option<Encoding> {
        TABLE.iter().find(|entry| entry.1 == number).map(|entry| entry.0)
    }

    /// What GGUF's number is called, whether it is accepted here or not.
    pub(in crate::model) fn name_of_number(number: u32) -> String {
        match OTHERS.iter().find(|(other, _)| *other == number) {
            Some((_, name)) => (*name).into(),
            None => ["type number ", &number.to_string()].concat(),
        }
    }

    fn entry(self) -> (Encoding, u32, &'static str, usize, usize) {
        TABLE.into_iter().find(|entry| entry.0 == self).unwrap_or((self, 0, "F32", 1, 4))
    }

    /// GGUF's number.
    pub fn number(self) -> u32 {
        self.entry().1
    }

    /// GGUF's name.
    pub fn name(self) -> &'static str {
        self.entry().2
    }

    /// Columns of a block: rows are as many blocks.
    pub fn block(self) -> usize {
        self.entry().3
    }

    /// The bytes of a row.
    pub fn row_bytes(self, columns: usize) -> usize {
        columns / self.block() * self.entry().4
    }
}
