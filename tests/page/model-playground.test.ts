// A text that grows token by token: drawn, picked, gone back over, with the real engine and the real model.

import { beforeAll, describe, expect, test } from "vitest";
import { cardOf } from "../../www/chain/cards";
import { withLogit, withPrompt } from "../../www/edits";
import { EngineClient } from "../../www/engine/client";
import type { Engine } from "../../www/engine/engine";
import { Shelf } from "../../www/models/shelf";
import { Playground, type RowState } from "../../www/playground";
import { INITIAL_STATE, type State, withSetting } from "../../www/state";
import { LocalModelPort } from "./model-support";
import { LocalPort, openFromDisk, realEngine, until } from "./support";

let engine: Engine;
beforeAll(async () => {
  engine = await realEngine();
});

const TINY: State = { ...INITIAL_STATE, source: "tiny" };

async function started(state: State = TINY) {
  const port = new LocalPort(engine);
  const shelf = new Shelf(() => new LocalModelPort(), "tiny.gguf");
  const open = (wanted: RowState) => (wanted.source === "tiny" ? shelf.row(wanted) : openFromDisk(wanted));
  const playground = new Playground(new EngineClient(port), open, state);
  await playground.start();
  await until(() => playground.picture.value !== null, "the first picture");
  return { playground, port, shelf };
}

/** Waits until the row on screen is the state's own. */
const settled = (playground: Playground) => until(() => playground.isCurrent.value, "the row");

/** Draws a token and accepts it; the token. */
async function step(playground: Playground): Promise<number> {
  playground.drawing.add(1);
  await until(() => playground.drawing.result.value?.n === 1, "the draw");
  await playground.accept();
  await settled(playground);
  return playground.state.value.output.at(-1) ?? -1;
}

describe("playground.accept(event) with a model", () => {
  test("feeds the drawn token to the model, whose next row is shown", async () => {
    const { playground, shelf } = await started();
    const first = playground.picture.value?.row;
    const token = await step(playground);
    const { row } = playground.picture.value ?? {};
    expect(row?.logits).not.toEqual(first?.logits);
    expect(row).toBe(await shelf.row({ ...TINY, output: [token] }));
    expect(playground.state.value).toMatchObject({ output: [token], from: 1, draws: 0 });
  });

  test("tells penalties of prompt and output", async () => {
    const penalised = withSetting(TINY, cardOf("presencePenalty"), { on: true, shown: true, numbers: [2] });
    const { playground, port } = await started(penalised);
    const token = await step(playground);
    const asked = port.requests.findLast((request) => request.kind === "picture");
    const setup = asked?.kind === "picture" ? asked.setup : null;
    expect(setup?.output).toEqual([token]);
    expect(setup?.prompt).toEqual(playground.picture.value?.row.promptTokens);
  });

  test("drops what was edited in the row before", async () => {
    const { playground } = await started();
    playground.change(withLogit(playground.state.value, 9, 30, 0));
    const token = await step(playground);
    expect(token).toBe(9);
    expect(playground.state.value.edits).toEqual([]);
  });
});

describe("playground.take(token, event)", () => {
  test("adds a picked token, and the next draw goes on in the stream", async () => {
    const { playground } = await started();
    playground.drawing.add(3);
    playground.take(7);
    await settled(playground);
    expect(playground.state.value).toMatchObject({ output: [7], from: 3, draws: 0 });
  });

  test("does nothing while the row on screen is another text's", async () => {
    const { playground } = await started();
    playground.change(withPrompt(TINY, "Another text"));
    playground.take(7);
    await playground.accept();
    expect(playground.state.value.output).toEqual([]);
    await settled(playground);
    expect(playground.picture.value?.row.prompt).toBe("Another text");
  });
});

describe("playground.back(n, event)", () => {
  test("finds a text as it was left: the same row, the same next token, mirostat's mu", async () => {
    const { playground } = await started(withSetting(TINY, cardOf("mirostat"), { on: true, shown: true }));
    const first = await step(playground);
    const left = playground.state.value;
    const second = await step(playground);
    playground.back(1);
    await settled(playground);
    expect(playground.state.value).toEqual(left);
    expect(left.controllers.mu).not.toBeNull();
    expect(await step(playground)).toBe(second);
    playground.back(0);
    await settled(playground);
    expect(playground.state.value).toMatchObject({ output: [], from: 0 });
    expect(await step(playground)).toBe(first);
  });

  test("can be undone", async () => {
    const { playground } = await started();
    await step(playground);
    await step(playground);
    const { output } = playground.state.value;
    playground.back(0);
    playground.undo();
    expect(playground.state.value.output).toEqual(output);
    await settled(playground);
  });
});

describe("a prompt that is typed", () => {
  test("shows the newest text's row alone, and takes what followed the old one away", async () => {
    const { playground } = await started();
    await step(playground);
    const pictures: (string | null)[] = [];
    playground.picture.subscribe((picture) => pictures.push(picture?.row.prompt ?? null));
    for (const end of ["T", "Th", "The", "The k", "The king"])
      playground.change(withPrompt(playground.state.value, end), { gesture: "prompt" });
    await until(() => playground.picture.value?.row.prompt === "The king", "the newest text");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(pictures.at(-1)).toBe("The king");
    expect(playground.state.value).toMatchObject({ output: [], from: 0, draws: 0 });
    playground.undo();
    expect(playground.state.value.prompt).toBe(TINY.prompt);
  });

  test("that is too long is a problem, and the last good picture stays", async () => {
    const { playground } = await started();
    const shown = playground.picture.value;
    playground.change(withPrompt(TINY, "and on and on ".repeat(2000)));
    await until(() => playground.problem.value !== null, "the problem");
    expect(playground.problem.value?.message).toMatch(/^The text has [\d,]+ tokens: this model reads/);
    expect(playground.picture.value).toBe(shown);
    playground.change(withPrompt(TINY, "Well"));
    await settled(playground);
    await until(() => playground.problem.value === null, "the end of the problem");
  });
});

test("a cancelled model leaves the page where it was", async () => {
  const { playground, shelf } = await started(INITIAL_STATE);
  playground.replace(TINY);
  await until(() => shelf.waiting.value !== null, "the waiting");
  shelf.waiting.value?.cancel();
  await until(() => playground.state.value.source === "once", "the way back");
  expect(playground.notice.value).toBeNull();
  expect(playground.picture.value?.row.key).toBe("once");
});

test("an address of a file on somebody's disk says so, and the page starts fresh", async () => {
  const port = new LocalPort(engine);
  const shelf = new Shelf(() => new LocalModelPort(), "tiny.gguf");
  const open = (wanted: RowState) => (wanted.source === "file" ? shelf.row(wanted) : openFromDisk(wanted));
  const playground = new Playground(new EngineClient(port), open, {
    ...INITIAL_STATE,
    source: "file",
  });
  await playground.start();
  await until(() => playground.picture.value !== null, "the first picture");
  expect(playground.state.value).toBe(INITIAL_STATE);
  expect(playground.notice.value).toContain("choose the file again");
});

test("a source that cannot be opened leaves the page where it was, and says why", async () => {
  const port = new LocalPort(engine);
  const open = (wanted: RowState) => {
    if (wanted.source === "tiny") return Promise.reject(new Error("The network is gone."));
    return openFromDisk(wanted);
  };
  const playground = new Playground(new EngineClient(port), open, INITIAL_STATE);
  await playground.start();
  await until(() => playground.picture.value !== null, "the first picture");
  playground.replace(TINY);
  await until(() => playground.notice.value !== null, "the notice");
  expect(playground.notice.value).toBe("The network is gone.");
  expect(playground.state.value.source).toBe("once");
  expect(playground.isCurrent.value).toBe(true);
});
