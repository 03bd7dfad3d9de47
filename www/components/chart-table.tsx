// The chart for those who do not see it: one sentence, and the first tokens as a table.

import { formatPercent } from "../format";
import { spoken } from "../glyphs";
import type { Playground } from "../playground";
import { chartSummary, fateOf } from "../sentences";
import { useSettled } from "./settled";

const ROWS = 10;

export function ChartTable({ playground }: { playground: Playground }) {
  const picture = useSettled(playground.picture).value;
  if (picture === null) return null;
  const { after, before, row } = picture;
  return (
    <div class="heard">
      <p aria-live="polite">{chartSummary(picture)}</p>
      <table>
        <caption>The first tokens by rank</caption>
        <thead>
          <tr>
            <th scope="col">rank</th>
            <th scope="col">token</th>
            <th scope="col">before the chain</th>
            <th scope="col">after the chain</th>
          </tr>
        </thead>
        <tbody>
          {[...after.order.subarray(0, ROWS)].map((token, i) => (
            <tr key={token}>
              <td>{i + 1}</td>
              <th scope="row">{spoken(row.texts.text(token))}</th>
              <td>{formatPercent(before.probs[token] ?? 0)}</td>
              <td>{fateOf(picture, token) ?? formatPercent(after.probs[token] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
