import { beforeAll, describe, expect, test } from "vitest";
import { cardOf } from "../../www/chain/cards";
import { withLogit, withSource } from "../../www/edits";
import { EngineClient } from "../../www/engine/client";
import type { Engine } from "../../www/engine/engine";
import { Playground, type RowState } from "../../www/playground";
import { INITIAL_STATE, type State, withSetting } from "../../www/state";
import { LocalPort, openFromDisk, realEngine, until } from "./support";

let engine: Engine;
beforeAll(async () => {
  engine = await realEngine();
});

async function started(state: State = INITIAL_STATE) {
  const port = new LocalPort(engine);
  const playground = new Playground(new EngineClient(port), openFromDisk, state);
  await playground.start();
  await until(() => playground.picture.value !== null, "the first picture");
  return { playground, port };
}

const withP = (state: State, value: number) => withSetting(state, cardOf("topP"), { numbers: [value] });
const shows = (playground: Playground, state: State) => () => playground.picture.value?.state === state;

test("playground.start() shows the state that it was given", async () => {
  const { playground } = await started();
  expect(playground.picture.value?.after.keptCount).toBe(96);
  expect(playground.subject.value).toBe(playground.picture.value?.after.order[96]);
});

describe("playground.change(state)", () => {
  test("shows the newest of many changes and skips those in between", async () => {
    const { playground, port } = await started();
    const before = port.requests.length;
    let last = INITIAL_STATE;
    for (let i = 1; i <= 50; i++) {
      last = withP(INITIAL_STATE, i / 100);
      playground.change(last);
    }
    await until(shows(playground, last), "the last change");
    expect(playground.picture.value?.after.keptCount).toBe(2);
    const pictures = port.requests.slice(before).filter(({ kind }) => kind === "picture");
    expect(pictures.length).toBeLessThanOrEqual(2);
  });

  test("asks the engine nothing when only a scale changes", async () => {
    const { playground, port } = await started();
    const before = port.requests.length;
    const state: State = { ...INITIAL_STATE, rankScale: "linear" };
    playground.change(state);
    await until(shows(playground, state), "the change");
    expect(port.requests.length).toBe(before);
  });

  test("keeps the last good picture when the engine objects, and says what was wrong", async () => {
    const { playground } = await started();
    const shown = playground.picture.value;
    playground.change(withSetting(INITIAL_STATE, cardOf("allowedTokens"), { on: true, shown: true }));
    await until(() => playground.problem.value !== null, "the problem");
    expect(playground.problem.value).toMatchObject({ code: "empty", option: "allowedTokens" });
    expect(playground.picture.value).toBe(shown);
    const mended = withP(INITIAL_STATE, 0.5);
    playground.change(mended);
    await until(shows(playground, mended), "the next picture");
    expect(playground.problem.value).toBeNull();
  });

  test("shows the later source even when the earlier one takes longer to open", async () => {
    const port = new LocalPort(engine);
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const open = async (state: RowState) => {
      if (state.source === "capital") await gate;
      return openFromDisk(state);
    };
    const playground = new Playground(new EngineClient(port), open, INITIAL_STATE);
    await playground.start();
    playground.change(withSource(INITIAL_STATE, "capital"));
    const later = withSource(INITIAL_STATE, "seven");
    playground.change(later);
    await until(shows(playground, later), "the later source");
    release();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(playground.picture.value?.row.key).toBe("seven");
  });
});

describe("playground.undo()", () => {
  const edited = (state: State, logit: number) => withLogit(state, 5, logit, 0);

  test("go back one edit at a time", async () => {
    const { playground } = await started();
    playground.change(edited(INITIAL_STATE, 20));
    playground.change(edited(playground.state.value, 30));
    expect(playground.undoable.value.length).toBe(2);
    playground.undo();
    expect(playground.state.value.edits).toEqual([[5, 20]]);
    playground.undo();
    expect(playground.state.value.edits).toEqual([]);
    playground.undo();
    expect(playground.state.value.edits).toEqual([]);
    await until(shows(playground, playground.state.value), "the picture after undo");
    expect(playground.picture.value?.after.keptCount).toBe(96);
  });

  test("take all the steps of one gesture together", async () => {
    const { playground } = await started();
    for (const logit of [1, 2, 3])
      playground.change(edited(playground.state.value, logit), { gesture: "bar 5" });
    playground.endGesture();
    playground.change(edited(playground.state.value, 4), { gesture: "bar 5" });
    expect(playground.undoable.value.length).toBe(2);
    playground.undo();
    expect(playground.state.value.edits).toEqual([[5, 3]]);
  });

  test("take back changes of the chain, a slider's whole movement at once", async () => {
    const { playground } = await started();
    playground.change(edited(INITIAL_STATE, 20));
    for (const p of [0.8, 0.7, 0.6]) playground.change(withP(playground.state.value, p), { gesture: "topP" });
    playground.undo();
    expect(playground.state.value.chain).toEqual(INITIAL_STATE.chain);
    expect(playground.state.value.edits).toEqual([[5, 20]]);
    playground.undo();
    expect(playground.state.value).toEqual(INITIAL_STATE);
  });

  test("leave alone what is not an edit", async () => {
    const { playground } = await started();
    playground.change(edited(INITIAL_STATE, 20));
    playground.change({ ...playground.state.value, seed: "7" });
    playground.undo();
    expect(playground.state.value).toMatchObject({ seed: "7", edits: [] });
  });
});

describe("playground.subject", () => {
  const girl = 8180;
  const town = 3102;

  test("is what is pointed at, else what was found, else what was drawn, else the first that is cut", async () => {
    const { playground } = await started();
    const cow = playground.picture.value?.after.order[96];
    expect(playground.subject.value).toBe(cow);
    playground.drawing.add(1);
    await until(() => playground.drawing.result.value?.last === town, "the draw");
    expect(playground.subject.value).toBe(town);
    playground.found.value = 555;
    expect(playground.subject.value).toBe(555);
    playground.point(girl);
    expect(playground.subject.value).toBe(girl);
    playground.point(null);
    expect(playground.subject.value).toBe(555);
  });

  test("is the first that is cut while the handle is held, whatever lies under the pointer", async () => {
    const { playground } = await started();
    const cow = playground.picture.value?.after.order[96];
    playground.point(girl);
    playground.hold(true);
    playground.point(town);
    expect([playground.subject.value, playground.highlight.value]).toEqual([cow, null]);
    playground.hold(false);
    playground.point(town);
    expect(playground.subject.value).toBe(town);
  });
});

describe("playground.drawing", () => {
  test("draws the same tokens again after a reset, and others with another seed", async () => {
    const { playground } = await started();
    const { drawing } = playground;
    drawing.add(100);
    await until(() => drawing.result.value?.n === 100, "100 draws");
    const first = drawing.result.value?.counts;
    drawing.reset();
    expect(drawing.result.value).toBeNull();
    drawing.add(100);
    await until(() => drawing.result.value?.n === 100, "100 draws again");
    expect(drawing.result.value?.counts).toEqual(first);
    playground.change({ ...playground.state.value, seed: "43" });
    await until(() => drawing.result.value?.counts.join() !== first?.join(), "the draws of another seed");
    expect(drawing.result.value?.n).toBe(100);
  });

  test("follows the chain: the same seed under another chain", async () => {
    const { playground } = await started({ ...INITIAL_STATE, draws: 50 });
    const { drawing } = playground;
    await until(() => drawing.result.value?.n === 50, "the draws of the address");
    playground.change(withSetting(playground.state.value, cardOf("greedy"), { on: true, shown: true }));
    await until(() => drawing.result.value?.kept.length === 1, "the draws under greedy");
    expect(drawing.result.value?.counts.reduce((sum, count) => Math.max(sum, count))).toBe(50);
  });

  test("runs until it is stopped", async () => {
    const { playground } = await started();
    const { drawing } = playground;
    drawing.run();
    await until(() => (drawing.result.value?.n ?? 0) >= 30, "some draws");
    drawing.stop();
    const { draws } = playground.state.value;
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(playground.state.value.draws).toBe(draws);
    await until(() => drawing.result.value?.n === draws, "the last draws");
  });
});

test("an address that the engine rejects starts fresh, with a notice", async () => {
  const impossible = withSetting(INITIAL_STATE, cardOf("allowedTokens"), { on: true, shown: true });
  const { playground } = await started(impossible);
  expect(playground.state.value).toEqual(INITIAL_STATE);
  expect(playground.notice.value).toContain("starts fresh");
});
