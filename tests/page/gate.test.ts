// The way to a model file: asked for, opened, given up for another source, and asked for again by an address.

import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { cardOf } from "../../www/chain/cards";
import { withAdded } from "../../www/chain/start";
import { withModelFile, withSource } from "../../www/edits";
import { EngineClient } from "../../www/engine/client";
import type { Engine } from "../../www/engine/engine";
import { ModelGate } from "../../www/models/gate";
import { Playground, type RowState } from "../../www/playground";
import { isModelSource } from "../../www/sources/catalogue";
import { INITIAL_STATE, type State, withSetting } from "../../www/state";
import { LocalModelPort, tinyFile } from "./model-support";
import { LocalPort, openFromDisk, realEngine, until } from "./support";

let engine: Engine;
beforeAll(async () => {
  engine = await realEngine();
});
beforeEach(() => {
  vi.stubGlobal("location", { href: "http://localhost/" });
  vi.stubGlobal("Worker", LocalModelPort);
});
afterEach(() => vi.unstubAllGlobals());

async function started(state: State = INITIAL_STATE) {
  const gate = new ModelGate();
  const open = (wanted: RowState) => (isModelSource(wanted.source) ? gate.row(wanted) : openFromDisk(wanted));
  const playground = new Playground(new EngineClient(new LocalPort(engine)), open, gate.shown(state));
  await playground.start();
  await until(() => playground.picture.value !== null, "the first picture");
  return { gate, playground };
}

const settled = (playground: Playground) => until(() => playground.isCurrent.value, "the row");
const shownRow = (playground: Playground) => playground.picture.value?.row;

describe("gate.open(playground, file)", () => {
  test("goes on with the file", async () => {
    const { gate, playground } = await started();
    await gate.open(playground, tinyFile());
    await settled(playground);
    expect(playground.state.value.source).toBe("file");
    expect(gate.isChoosing.value).toBe(false);
    expect(shownRow(playground)?.reader?.name).toBe("story.gguf");
  });

  test("shows no row of the file before as the new one's, whatever their texts", async () => {
    const { gate, playground } = await started();
    await gate.open(playground, tinyFile("first.gguf"));
    await settled(playground);
    await gate.open(playground, tinyFile("second.gguf"));
    expect(shownRow(playground)?.reader?.name).toBe("first.gguf");
    expect(playground.isCurrent.value).toBe(false);
    playground.take(5);
    await settled(playground);
    expect(shownRow(playground)?.reader?.name).toBe("second.gguf");
    expect(playground.state.value.output).toEqual([]);
  });

  test("does not come back to a file that was given up for another source", async () => {
    const { gate, playground } = await started();
    await gate.choose();
    const opening = gate.open(playground, tinyFile());
    await until(() => gate.shelf.value?.waiting.value?.unit === "bytes", "the loading");
    gate.leave();
    playground.replace(withSource(playground.state.value, "capital"));
    await opening;
    await settled(playground);
    expect(playground.state.value.source).toBe("capital");
    expect(gate.shelf.value?.waiting.value).toBeNull();
    expect(gate.problem.value).toBeNull();
    expect(gate.shelf.value?.hasFile).toBe(false);
  });

  test("nor to one that was given up before its part of the page had come", async () => {
    const { gate, playground } = await started();
    const opening = gate.open(playground, tinyFile());
    gate.leave();
    await opening;
    expect(gate.shelf.value?.hasFile).toBe(false);
    expect(playground.state.value.source).toBe("once");
  });
});

test("a stage about the end of text begins with the tokens that end the model's texts", async () => {
  const { gate, playground } = await started();
  await gate.open(playground, tinyFile());
  await settled(playground);
  const picture = playground.picture.value;
  if (picture?.row.reader === undefined) throw new Error("The row is no model's.");
  const reader = { ...picture.row.reader, ends: Uint32Array.of(7, 9) };
  const of = { ...picture, row: { ...picture.row, reader } };
  const next = withAdded(playground.state.value, cardOf("minNewTokens"), of);
  expect(next.chain.minNewTokens?.entries).toEqual([
    [7, 0],
    [9, 0],
  ]);
});

describe("gate.shown(state)", () => {
  const OF_FILE: State = {
    ...withSetting(
      withSetting(withModelFile(INITIAL_STATE), cardOf("logitBias"), {
        on: true,
        shown: true,
        entries: [[300, 2]],
      }),
      cardOf("topP"),
      { numbers: [0.7] },
    ),
    prompt: "The king",
    output: [300],
    from: 1,
  };

  test("keeps what needs no file, asks for it, and goes on where the address was once it is chosen", async () => {
    const { gate, playground } = await started(OF_FILE);
    expect(playground.state.value).toMatchObject({ source: "once", prompt: "The king", output: [] });
    expect(playground.state.value.chain.topP).toEqual(OF_FILE.chain.topP);
    expect(playground.state.value.chain.logitBias).toMatchObject({ on: false, entries: [] });
    expect(gate.isChoosing.value).toBe(true);
    expect(gate.problem.value).toContain("choose it again");
    await gate.open(playground, tinyFile());
    await settled(playground);
    expect(playground.state.value).toEqual(OF_FILE);
    expect(gate.problem.value).toBeNull();
  });

  test("forgets the address where another source was chosen", async () => {
    const { gate, playground } = await started(OF_FILE);
    gate.leave();
    await gate.open(playground, tinyFile());
    await settled(playground);
    expect(playground.state.value).toMatchObject({ source: "file", output: [] });
  });

  test("is the state itself where the file is open, or none is needed", async () => {
    const { gate, playground } = await started();
    expect(gate.shown(INITIAL_STATE)).toBe(INITIAL_STATE);
    await gate.open(playground, tinyFile());
    expect(gate.shown(OF_FILE)).toBe(OF_FILE);
  });
});
