// A state with its rows as the engine worker is asked for a picture of it.

import { chainOptions, upstreamOptions } from "./chain/options";
import type { SecondRow, Setup } from "./engine/protocol";
import { FLAT_ROW } from "./flat-row";
import type { Row } from "./sources/row";
import type { State } from "./state";

/** The row of a picture, and the one that guidance moves away from where it comes from a source of its own. */
export interface OpenedRows {
  readonly row: Row;
  readonly second: Row | null;
}

/** The keys of the rows that the worker has. */
export interface SentRows {
  readonly row: string;
  readonly second: string;
}

export function setupOf(state: State, { row, second }: OpenedRows, sent: SentRows): Setup {
  const chain = chainOptions(state);
  return {
    rowKey: row.key,
    logits: row.key === sent.row ? null : row.logits,
    edits: state.edits,
    prompt: row.promptTokens,
    output: state.output,
    chain,
    upstream: upstreamOptions(state),
    second: chain.guidance === undefined ? null : secondRow(second, sent),
    coin: state.coin,
    controllers: state.controllers,
    position: state.from,
  };
}

function secondRow(row: Row | null, sent: SentRows): SecondRow {
  if (row === null) return { key: FLAT_ROW, logits: null };
  return { key: row.key, logits: row.key === sent.second ? null : row.logits };
}

/** Equal for setups that give equal pictures. Minus infinity, which JSON has not, is written out. */
export function setupKey({ logits, second, ...setup }: Setup): string {
  const named = { ...setup, second: second?.key ?? null };
  return JSON.stringify(named, (_, value) => (value === -Infinity ? "-inf" : value));
}
