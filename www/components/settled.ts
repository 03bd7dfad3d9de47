// A value as it is once it has stood still for a while: for what need not follow every step of a drag.

import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";

const STILL_MS = 300;

export function useSettled<T>(source: ReadonlySignal<T>): ReadonlySignal<T> {
  return useMemo(() => {
    const settled = signal(source.peek());
    let timer: ReturnType<typeof setTimeout> | undefined;
    effect(() => {
      const value = source.value;
      clearTimeout(timer);
      timer = setTimeout(() => {
        settled.value = value;
      }, STILL_MS);
    });
    return settled;
  }, [source]);
}
