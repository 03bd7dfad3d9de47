// What is asked of a person who opens a model file, how far loading has come, and why a file cannot be used.

import { useEffect, useRef } from "preact/hooks";
import { formatCount, formatMegabytes } from "../format";
import type { Playground } from "../playground";
import type { ModelGate } from "./gate";
import type { Waiting } from "./shelf";

interface PanelProps {
  readonly playground: Playground;
  readonly gate: ModelGate;
}

export function ModelPanel({ playground, gate }: PanelProps) {
  const waiting = gate.shelf.value?.waiting.value ?? null;
  const problem = gate.problem.value;
  return (
    <div class="model-panel">
      {gate.isChoosing.value && waiting?.unit !== "bytes" && <Chooser playground={playground} gate={gate} />}
      <p class="message" role="alert">
        {problem}
      </p>
      {waiting !== null && <WaitingLine waiting={waiting} />}
    </div>
  );
}

function Chooser({ playground, gate }: PanelProps) {
  const button = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => button.current?.focus(), []);
  const open = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined) void gate.open(playground, file);
  };
  const dismiss = () => {
    gate.isChoosing.value = false;
    gate.problem.value = null;
    // The button that has the focus goes: back to where it came from.
    document.querySelector<HTMLSelectElement>(".source select")?.focus();
  };
  return (
    <div class="chooser">
      <button ref={button} type="button" onClick={() => input.current?.click()}>
        Choose a model file
      </button>
      <input
        ref={input}
        class="heard"
        type="file"
        accept=".gguf"
        aria-label="model file"
        tabIndex={-1}
        onChange={(event) => open(event.currentTarget.files)}
      />
      <button type="button" class="plain" onClick={dismiss}>
        not now
      </button>
      <p class="hint">
        Or drop it anywhere on the page: a GGUF file of the llama, qwen2 or qwen3 kind. It is read in this tab
        and sent nowhere; SmolLM2-135M, for one, has 98 MB.
      </p>
    </div>
  );
}

function WaitingLine({ waiting: { what, unit, done, total, cancel } }: { readonly waiting: Waiting }) {
  const amount = unit === "bytes" ? formatMegabytes : formatCount;
  const unitName = unit === "bytes" ? "MB" : "tokens";
  const far = total === null ? "" : `: ${amount(done)} of ${amount(total)} ${unitName}`;
  return (
    <p class="waiting" role="status">
      <span>
        {what}
        {far}
      </span>
      <progress aria-label={what} {...(total === null ? {} : { value: done, max: total })} />
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </p>
  );
}
