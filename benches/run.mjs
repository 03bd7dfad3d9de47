// `npm run bench`: every runner in turn, then the tables.
import { parseArgs } from "node:util";
import { distFolder, isMain } from "../scripts/paths.mjs";
import { runMain, say } from "../scripts/steps.mjs";
import { buildYardstick } from "./build.mjs";
import { runNode } from "./node.mjs";
import { allRows } from "./rows.mjs";

const full = { rounds: 60, warmMilliseconds: 150, groupMilliseconds: 1 };
const quick = { rounds: 15, warmMilliseconds: 30, groupMilliseconds: 0.4 };

async function main(args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string", multiple: true },
      quick: { type: "boolean" },
      package: { type: "string" },
    },
  });
  const timing = values.quick ? quick : full;
  const yardstickBytes = await buildYardstick();
  const rows = await allRows();
  const { records, facts } = await runNode({
    dist: values.package ?? distFolder,
    yardstickBytes,
    rows,
    timing,
    draws: values.quick ? 1e5 : 1e6,
    see: say,
  });
  console.log(facts);
  for (const r of records)
    console.log(r.temperature, r.row, r.n, r.chain, (r.milliseconds * 1000).toFixed(2), r.limits.toFixed(3));
}

if (isMain(import.meta.url)) await runMain(main);
