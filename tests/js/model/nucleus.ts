// The built package's entry for models, started once for each test file.
import init, * as nucleus from "../../../dist/model-node.js";

await init();

export const { Model, NucleusError, simd } = nucleus;

/** What a call throws: its code and its message. */
export async function thrownBy(call: () => unknown): Promise<{ code: string; message: string }> {
  try {
    await call();
  } catch (error) {
    if (error instanceof NucleusError) return { code: error.code, message: error.message };
    return { code: "not ours", message: String(error) };
  }
  return { code: "nothing thrown", message: "" };
}
