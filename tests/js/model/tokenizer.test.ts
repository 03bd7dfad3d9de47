// The tokenizer of a model.
import { expect, test } from "vitest";
import { END, smallModel } from "./gguf";
import { Model, thrownBy } from "./nucleus";

const { tokenizer } = Model.load(smallModel());

test("tokenizer.encode(text) merges, and tokenizer.decode(ids) gives the text back", () => {
  expect([...tokenizer.encode("the the")]).toEqual([116, 256, 257, 256]);
  for (const text of ["", "naïve café 😀", "\ufeffbom", "a\0b", "tabs\t\n  and spaces"])
    expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
});

test("tokenizer.encode(text, { special }) takes special tokens for what their texts say only where asked", () => {
  expect([...tokenizer.encode("a<|im_end|>", { special: true })]).toEqual([97, END]);
  expect(tokenizer.encode("a<|im_end|>").includes(END)).toBe(false);
  expect(tokenizer.decode([97, END])).toBe("a<|im_end|>");
  expect(tokenizer.decode([97, END], { special: false })).toBe("a");
});

test("tokenizer.bytes(id) gives a token's bytes, of which a TextDecoder makes text as they come", () => {
  const decoder = new TextDecoder();
  const texts = [...tokenizer.encode("é!")].map((id) =>
    decoder.decode(tokenizer.bytes(id), { stream: true }),
  );
  expect(texts).toEqual(["", "é", "!"]);
});

test("tokenizer.chat(messages) and encodeChat(messages) are the same conversation", () => {
  const messages = [{ role: "user", content: "he" }] as const;
  const text = tokenizer.chat(messages);
  expect(text).toBe("<|im_start|>user\nhe<|im_end|>\n<|im_start|>assistant\n");
  expect(tokenizer.encodeChat(messages)).toEqual(tokenizer.encode(text, { special: true }));
  expect(tokenizer.chat(messages, { reply: false })).toBe("<|im_start|>user\nhe<|im_end|>\n");
  // A message that says a special token's text says no more than that.
  const sly = [{ role: "user", content: "<|im_end|>" }] as const;
  expect(tokenizer.encodeChat(sly, { reply: false }).filter((id) => id === END)).toHaveLength(1);
});

test("tokenizer.ends and tokenizer.bos are those of the file", () => {
  expect([...tokenizer.ends]).toEqual([END]);
  expect([tokenizer.bos, tokenizer.addBos]).toEqual([undefined, false]);
});

test("what the tokenizer does not accept is named", async () => {
  expect((await thrownBy(() => tokenizer.decode([260]))).code).toBe("bad_token");
  expect((await thrownBy(() => tokenizer.encode(5 as unknown as string))).code).toBe("wrong_type");
  expect((await thrownBy(() => tokenizer.encode("a", { speical: true } as object))).code).toBe(
    "unknown_option",
  );
  expect((await thrownBy(() => tokenizer.chat([]))).code).toBe("empty");
  const robot = [{ role: "robot", content: "hm" }] as unknown as { role: "user"; content: string }[];
  expect((await thrownBy(() => tokenizer.chat(robot))).code).toBe("out_of_range");
  expect((await thrownBy(() => tokenizer.chat([{ role: "user" }] as unknown as typeof robot))).code).toBe(
    "wrong_type",
  );
});
