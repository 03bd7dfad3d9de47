import { named, tokenIds, u32 } from "../arguments.js";
import { wrongType } from "../errors.js";
import type { Handle } from "../handle.js";
import type { RawModel } from "../wasm/nucleus_model.js";
import type * as types from "./types.js";

/**
 * The tokenizer of a model, which lives as long as the model does.
 *
 * Where a model's file has none that is known, every method says why.
 */
export class Tokenizer {
  readonly #handle: Handle<RawModel>;

  /** @internal */
  constructor(handle: Handle<RawModel>) {
    this.#handle = handle;
  }

  /** The token ids of a text. */
  encode(text: string, options?: types.EncodeOptions): Uint32Array {
    const { special = false } = named<types.EncodeOptions>(options, ["special"]);
    const marks = flag(special, "special");
    const string = textOf(text, "text");
    return this.#handle.ask((raw) => raw.encode(string, marks));
  }

  /** The text of token ids; what is no character (the first bytes of one, at the end) is U+FFFD. */
  decode(ids: Uint32Array | readonly number[], options?: types.DecodeOptions): string {
    const { special = true } = named<types.DecodeOptions>(options, ["special"]);
    const marks = flag(special, "special");
    const tokens = tokenIds(ids, "ids");
    const bytes = this.#handle.ask((raw) => raw.decode(tokens, marks));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }

  /** The bytes of a token. A `TextDecoder` makes text of them as they come: `decode(bytes, { stream: true })`. */
  bytes(id: number): Uint8Array {
    const token = Uint32Array.of(u32(id, "id"));
    return this.#handle.ask((raw) => raw.decode(token, true));
  }

  /** A conversation as the text that the model was trained on; encode it with `{ special: true }`. */
  chat(messages: readonly types.ChatMessage[], options?: types.ChatOptions): string {
    const [roles, contents, reply] = conversation(messages, options);
    return this.#handle.ask((raw) => raw.chat(roles, contents, reply));
  }

  /** A conversation as token ids, in which messages are text alone: none can pass for a special token. */
  encodeChat(messages: readonly types.ChatMessage[], options?: types.ChatOptions): Uint32Array {
    const [roles, contents, reply] = conversation(messages, options);
    return this.#handle.ask((raw) => raw.encodeChat(roles, contents, reply));
  }

  /** The token that begins a text, where there is one. */
  get bos(): number | undefined {
    return this.#handle.ask((raw) => raw.bos());
  }

  /** Whether the model expects it before every text; encoding never adds it. */
  get addBos(): boolean {
    return this.#handle.ask((raw) => raw.addBos());
  }

  /** The tokens that end a generation: a text, or a turn of a conversation. */
  get ends(): Uint32Array {
    return this.#handle.ask((raw) => raw.ends());
  }
}

function flag(value: unknown, option: string): boolean {
  if (typeof value !== "boolean") throw wrongType(option, "true or false", value);
  return value;
}

function textOf(value: unknown, option: string): string {
  if (typeof value !== "string") throw wrongType(option, "a string", value);
  return value;
}

/** Messages as their roles and their contents, and whether a reply follows. */
function conversation(
  messages: readonly types.ChatMessage[],
  options: types.ChatOptions | undefined,
): [roles: string[], contents: string[], reply: boolean] {
  const { reply = true } = named<types.ChatOptions>(options, ["reply"]);
  const follows = flag(reply, "reply");
  if (!Array.isArray(messages)) throw wrongType("messages", "an array of { role, content }", messages);
  const each = (name: "role" | "content") =>
    messages.map((message: Partial<types.ChatMessage> | null | undefined, i) =>
      textOf(message?.[name], `messages[${i}].${name}`),
    );
  return [each("role"), each("content"), follows];
}
