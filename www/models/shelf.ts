// The models that the page reads from, each in a thread of its own: the tiny one, fetched when it is first asked for,
// and the one of a file that a person has opened.

import { type Signal, signal } from "@preact/signals";
import { EngineError } from "../engine/client";
import type { RowState } from "../playground";
import { TINY_SOURCE } from "../sources/catalogue";
import type { Row, TextReader } from "../sources/row";
import type { TokenTexts } from "../sources/vocabulary";
import { ModelClient, type ModelPort, Superseded } from "./client";
import type { LoadedModel, ModelFile, NextRow, Progress } from "./protocol";
import { endOfText, joinedText, modelTexts } from "./texts";

/** Something that takes its time, and can be cancelled. */
export interface Waiting extends Progress {
  readonly what: string;
  readonly unit: "bytes" | "tokens";
  cancel(): void;
}

/** A model that is ready. */
interface OpenModel {
  /** No two models have the same. */
  readonly key: string;
  readonly client: ModelClient;
  readonly loaded: LoadedModel;
  readonly texts: TokenTexts;
  readonly reader: TextReader;
}

/** A file of a person's own; what the page asks of a File. */
export type NamedFile = Blob & { readonly name: string };

/** Rows kept, so that a step back is there at once. */
const MOST_ROWS = 16;

export class Shelf {
  readonly waiting: Signal<Waiting | null> = signal(null);
  readonly #openPort: () => ModelPort;
  readonly #tinyAddress: string;
  readonly #rows = new Map<string, Row>();
  #tiny: Promise<OpenModel> | null = null;
  #file: OpenModel | null = null;
  /** The file that is being loaded. */
  #coming: ModelClient | null = null;
  #nFiles = 0;

  constructor(openPort: () => ModelPort, tinyAddress: string) {
    this.#openPort = openPort;
    this.#tinyAddress = tinyAddress;
  }

  /** The row that follows a state's text: at once where it was read lately. */
  row(state: RowState): Row | Promise<Row> {
    const known = this.#rows.get(this.#keyOf(state));
    return known ?? this.#read(state);
  }

  /** Opens a model's file in place of the one before, which stays where this one cannot be used. */
  async open(file: NamedFile): Promise<void> {
    this.#coming?.close();
    const client = new ModelClient(this.#openPort());
    this.#coming = client;
    const key = `file ${++this.#nFiles}`;
    const opened = await this.#load(client, { key, name: file.name, file });
    this.#coming = null;
    this.#file?.client.close();
    this.#file = opened;
  }

  /** Whether a file is open. */
  get hasFile(): boolean {
    return this.#file !== null;
  }

  /** Gives up the file that is being loaded, where there is one. */
  giveUp(): void {
    this.#coming?.close();
    this.#coming = null;
  }

  #keyOf({ source, prompt, output }: RowState): string {
    const model = source === TINY_SOURCE ? TINY_SOURCE : (this.#file?.key ?? "");
    return JSON.stringify([model, prompt, output]);
  }

  async #read(state: RowState): Promise<Row> {
    const { client, loaded, texts, reader } = await this.#model(state.source);
    const key = this.#keyOf(state);
    const { prompt, output } = state;
    const cancel = () => client.stop();
    const { show, done } = this.#wait({ what: "Reading the text", unit: "tokens", cancel });
    const next = await client.read({ prompt, output }, show).catch(asProblem).finally(done);
    const row = rowOf(key, next, output, { loaded, texts, reader });
    this.#keep(row);
    return row;
  }

  #keep(row: Row): void {
    this.#rows.set(row.key, row);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > MOST_ROWS && oldest !== undefined) this.#rows.delete(oldest);
  }

  async #model(source: string): Promise<OpenModel> {
    if (source === TINY_SOURCE) return this.#tinyModel();
    if (this.#file === null)
      throw problem("A model file is on somebody's disk and no part of an address: choose the file again.");
    return this.#file;
  }

  #tinyModel(): Promise<OpenModel> {
    this.#tiny ??= this.#load(new ModelClient(this.#openPort()), {
      key: TINY_SOURCE,
      name: "the tiny model",
      file: this.#tinyAddress,
    });
    // What failed or was cancelled can be tried again.
    this.#tiny.catch(() => {
      this.#tiny = null;
    });
    return this.#tiny;
  }

  async #load(
    client: ModelClient,
    { key, name, file }: { key: string; name: string; file: ModelFile },
  ): Promise<OpenModel> {
    const { show, done } = this.#wait({
      what: `Loading ${name}`,
      unit: "bytes",
      cancel: () => client.close(),
    });
    try {
      const loaded = await client.load(file, show);
      const { contextLength, ends } = loaded;
      return { key, client, loaded, texts: modelTexts(loaded), reader: { name, contextLength, ends } };
    } catch (error) {
      client.close();
      return asProblem(error, `${name} cannot be used: `);
    } finally {
      done();
    }
  }

  /** Shows that something is waited for, until it is done or something newer is waited for. */
  #wait(waiting: Omit<Waiting, keyof Progress>): { show(progress: Progress): void; done(): void } {
    const show = ({ done, total }: Progress) => {
      this.waiting.value = { ...waiting, done, total };
    };
    const done = () => {
      if (this.waiting.peek()?.cancel === waiting.cancel) this.waiting.value = null;
    };
    show({ done: 0, total: null });
    return { show, done };
  }
}

function rowOf(
  key: string,
  { promptTokens, logits }: NextRow,
  output: readonly number[],
  { loaded, texts, reader }: Pick<OpenModel, "loaded" | "texts" | "reader">,
): Row {
  const ids = [...promptTokens];
  const prompt = endOfText(joinedText(loaded, [...ids, ...output]));
  return { key, prompt, promptTokens: ids, texts, logits, reader };
}

/** Passes on that something was given up; anything else is a problem that the page shows. */
function asProblem(error: unknown, before = ""): never {
  if (error instanceof Superseded) throw error;
  throw problem(`${before}${error instanceof Error ? error.message : String(error)}`);
}

function problem(message: string): EngineError {
  return new EngineError({ code: "model", message, option: null, stage: null, index: null });
}
