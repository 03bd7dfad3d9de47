// docs/guard.md in words, around the figures of guard-table.mjs.

export const ROWS = ["capital", "once", "seven", "code", "list"];
/** The guarded stages of the example. */
export const GUARDED = { minP: 0.1 };
/** The mass that they may remove. */
export const LIMIT = 0.35;
/** Draws of the long run, a whole number of cycles of the breaker: three trips, then 32 positions. */
export const RUN = 3500;

const introduction = `# The guard

Some stages can leave next to nothing of the mass without anybody meaning it: a high min-p on a row where no token stands out,
typical-p where the likeliest token is too predictable, XTC where the few tokens above its threshold hold nearly all. The guard
watches over them.

\`\`\`js
const sampler = new WasmSampler({
  minP: 0.1,
  guard: { policy: "relax", maxMaskedMass: 0.35, maxSteps: 3, breaker: { trips: 3, positions: 32 } },
});
const { token, trip } = sampler.sampleDetailed(logits); // trip: null, or what the guard did for this draw
\`\`\`

**Guarded** is every stage that truncates but \`top_k\` and \`top_p\`, whose cut is what was asked for, and temperature 0. Masks (allowed
tokens, bad words, a bias of -infinity, the bitmask) are none of its business: where they leave nothing, the error stays.

**It trips** when the guarded stages together removed more than \`maxMaskedMass\` of the mass: 1 less the product, over them, of the share
that each kept of what entered it. Exactly the limit does not trip. Then:

| policy | what a trip leads to | what is drawn |
|---|---|---|
| \`error\` | the call fails with \`nothing_left\`, names the stage, and has changed nothing | nothing |
| \`relax\` | every guarded threshold goes halfway to its off value, up to \`maxSteps\` times, until no more than the limit is removed | a token of the wider set |
| \`greedy\` | every truncation is left out, and the best token that masks and writing stages leave is taken | that token; no word of the stream is read |

**The breaker.** Every row counts its own trips. When \`trips\` of them fall within \`positions\` positions, its breaker opens: for as many
positions guarded stages are left out, and nothing can trip. Then it closes, and counting begins anew. A failed call counts for nothing,
so under \`error\` it never opens.

**Nothing is hidden.** \`sampleDetailed().trip\` and \`report().trip\` are null or \`{ position, policy, maskedMass, steps, stage }\`;
the report's stages are those of the chain that ran. \`sampler.lastTrip\` is the latest draw that tripped, with its row; \`sampler.breaker(row)\`
has the count, whether it is open, and until when. States carry it, clones have it, \`reset()\` closes it. On the playground the guard
is under "Chain settings".

## What it does to the distribution

A draw that tripped is not a draw from the distribution that the options describe. With \`relax\` it is one from a wider one, with
\`greedy\` it is no draw at all, and while the breaker is open the guarded options have no effect. How far that is, on the recorded rows
of the playground, with \`minP: 0.1\` and at most ${LIMIT} of the mass removed. "Apart" is the total variation from the same
chain without a guard: 0 is the same distribution, 1 has no token in common.
`;

const percent = (share) => `${(share * 100).toFixed(1)}%`;
const count = (n) => n.toLocaleString("en");

function row({ name, trip, kept, apart }) {
  const [plain, relaxed, greedy, open] = kept;
  const tripped = trip === null ? "does not trip" : `${percent(trip.maskedMass)}, most by \`${trip.stage}\``;
  const of = (n, share) => `${count(n)} (${share.toFixed(3)} apart)`;
  const cells = [
    `\`${name}\``,
    ...[tripped, count(plain)],
    trip === null ? "the same" : `${of(relaxed, apart[0])}, ${trip.steps} step${trip.steps === 1 ? "" : "s"}`,
    trip === null ? "the same" : of(greedy, apart[1]),
    of(open, apart[2]),
  ];
  return `| ${cells.join(" | ")} |`;
}

function afterwards(name, { open, trips }) {
  return `
Where every draw trips, as on \`${name}\`, the breaker of three trips in 32 positions opens after the third one: of ${count(RUN)} draws under \`relax\`
${count(trips)} tripped (${percent(trips / RUN)}), and for ${count(open)} (${percent(open / RUN)}) it was open. Most of such a text is drawn as if the guarded stages
were not there; a guard that trips this often says that they are set too hard.

A row on which nothing trips has the tokens that it has without a guard, seed for seed. One that trips keeps its positions: every call
that succeeds passes one, so what comes later is drawn with the same words of the stream; only \`greedy\` reads none for its own draw.

**Cost.** With a guard the chain runs once more, to measure, and once for every step; \`sampleMany\` draws one by one.

The figures are written by \`node scripts/guard-table.mjs --write\`, and a test of the package computes them anew.
`;
}

/** The page: rows of figures, and the long run over the row of that name. */
export function document(rows, name, run) {
  const head = [
    "row",
    "removed",
    "kept without a guard",
    "`relax` keeps",
    "`greedy` keeps",
    "breaker open: kept",
  ];
  const lines = [head, ["---", "---", "---:", "---", "---", "---"]].map(
    (cells) => `| ${cells.join(" | ")} |`,
  );
  return `${introduction}\n${[...lines, ...rows.map(row)].join("\n")}\n${afterwards(name, run)}`;
}
