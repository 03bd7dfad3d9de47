// A card's setting to text for the address and back: its numbers and its list, joined by semicolons.

import type { ListParameter, NumberParameter, Settable } from "./chain/cards";
import { largest } from "./chain/slider";
import { type Codec, MAX_TOKEN, readNumber, sequences, tokensOnly, tokenValues, writeNumber } from "./codecs";
import { initialSetting, numberOf, type Setting } from "./state";

type Values = Partial<Pick<Setting, "numbers" | "entries" | "sequences">>;

/** A card: what it is set to, after "~" when it is switched off, after "-" when it is not on the page. */
export function setting(card: Settable): Codec<Setting> {
  return {
    write: (set) => `${set.on ? "" : set.shown ? "~" : "-~"}${valuesOf(card, set)}`,
    read(text) {
      const [, hidden, off, rest = ""] = /^(-(?=~))?(~)?(.*)$/s.exec(text) ?? [];
      const read = readValues(card, rest);
      if (read === null) return null;
      return { ...initialSetting(card), ...read, on: off === undefined, shown: hidden === undefined };
    },
  };
}

function valuesOf(card: Settable, set: Setting): string {
  const numbers = card.numbers.map((parameter, i) => writeParameter(parameter, numberOf(set, card, i)));
  const parts = card.list === null ? numbers : [...numbers, listCodec(card.list).write(set)];
  return parts.join(";");
}

function readValues({ numbers, list }: Settable, text: string): Values | null {
  const parts = text.split(";");
  if (numbers.length === 0 && list === null) return text === "" ? {} : null;
  const nRead = parts.length - (list === null ? 0 : 1);
  const isEarlier = (parameter: NumberParameter, i: number) => i >= nRead && parameter.isLater === true;
  if (nRead > numbers.length || numbers.filter(isEarlier).length !== numbers.length - nRead) return null;
  const read = numbers.map((parameter, i) =>
    isEarlier(parameter, i) ? parameter.initial : readParameter(parameter, parts[i] ?? ""),
  );
  if (read.some((value) => value === null)) return null;
  const values = { numbers: read.flatMap((value) => value ?? []) };
  if (list === null) return values;
  const listed = listCodec(list).read(parts.at(-1) ?? "");
  return listed === null ? null : { ...values, ...listed };
}

const ALL = "all";

function writeParameter({ choices }: NumberParameter, value: number): string {
  if (value === Infinity) return ALL;
  return choices?.find((choice) => choice.value === value)?.word ?? writeNumber(value);
}

function readParameter(parameter: NumberParameter, text: string): number | null {
  if (parameter.hasAll === true && text === ALL) return Infinity;
  const { choices } = parameter;
  if (choices?.some(({ word }) => word !== undefined) === true)
    return choices.find(({ word }) => word === text)?.value ?? null;
  const value = readNumber(text);
  if (value === null || value < parameter.min || value > largest(parameter, MAX_TOKEN + 1)) return null;
  return parameter.digits === 0 && !Number.isInteger(value) ? null : value;
}

/** What is read and written of a list. */
function listCodec({ kind }: ListParameter): {
  write(set: Setting): string;
  read(text: string): Values | null;
} {
  if (kind === "sequences") {
    const read = (text: string) => named("sequences", sequences.read(text));
    return { write: (set) => sequences.write(set.sequences), read };
  }
  const codec = kind === "bias" ? tokenValues : tokensOnly;
  return { write: (set) => codec.write(set.entries), read: (text) => named("entries", codec.read(text)) };
}

function named<K extends "entries" | "sequences">(key: K, read: Setting[K] | null): Values | null {
  return read === null ? null : { [key]: read };
}
