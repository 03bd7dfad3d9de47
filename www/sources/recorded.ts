// The rows recorded from a real model, fetched from beside the page and unpacked when first asked for.

import capital from "../data/capital.bin?url";
import code from "../data/code.bin?url";
import list from "../data/list.bin?url";
import once from "../data/once.bin?url";
import seven from "../data/seven.bin?url";
import vocabulary from "../data/vocabulary.bin?url";
import { type RowName, recordedRow } from "./catalogue";
import type { Row } from "./row";
import { unpackRow, unpackVocabulary } from "./unpack";
import { byteLevelTexts, type TokenTexts } from "./vocabulary";

const ADDRESSES: Readonly<Record<RowName, string>> = { capital, code, list, once, seven };

let texts: Promise<TokenTexts> | null = null;

async function content(address: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const response = await fetch(address);
  if (!response.ok || response.body === null) {
    throw new Error(`The recorded data could not be fetched (status ${response.status}).`);
  }
  return response.body;
}

function vocabularyTexts(): Promise<TokenTexts> {
  texts ??= content(vocabulary).then(unpackVocabulary).then(byteLevelTexts);
  texts.catch(() => {
    texts = null;
  });
  return texts;
}

/** The recorded row of this name. */
export async function openRecorded(id: string): Promise<Row> {
  const row = recordedRow(id);
  const address = Object.entries(ADDRESSES).find(([name]) => name === id)?.[1];
  if (row === null || address === undefined) throw new Error(`There is no recorded row "${id}".`);
  const [logits, known] = await Promise.all([content(address).then(unpackRow), vocabularyTexts()]);
  return { key: id, prompt: row.prompt, promptTokens: row.ids, texts: known, logits };
}
