/** Values on their way to another thread: typed arrays are moved there, not copied a second time. */

type View = ArrayBufferView & { slice(): View };

const isShared = ({ buffer }: ArrayBufferView) =>
  Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]";

const isView = (value: unknown): value is View => ArrayBuffer.isView(value) && "slice" in value;

/** Whether a list may hold arrays: one of numbers, however long, is left to the engine. */
const holdsObjects = (list: readonly unknown[]) => list.some((entry) => typeof entry === "object");

const isRecord = (value: unknown): value is object =>
  Object.prototype.toString.call(value) === "[object Object]" && !(Symbol.iterator in (value as object));

/** Every typed array in a value, one after the other through `each`; the value with what `each` made of them. */
function mapViews(value: unknown, each: (view: View) => View): unknown {
  if (isView(value)) return each(value);
  if (Array.isArray(value)) return holdsObjects(value) ? value.map((entry) => mapViews(entry, each)) : value;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapViews(entry, each)]));
}

/** A value to be sent and what moves with it. */
export interface Parcel<T> {
  readonly value: T;
  readonly moved: ArrayBuffer[];
}

/** The caller keeps its arrays: copies of them travel, of a view no more than the view; shared memory stays where it is. */
export function copied<T>(value: T): Parcel<T> {
  const moved: ArrayBuffer[] = [];
  const each = (view: View) => {
    if (isShared(view)) return view;
    const copy = view.slice();
    moved.push(copy.buffer as ArrayBuffer);
    return copy;
  };
  return { value: mapViews(value, each) as T, moved };
}

/** The arrays themselves travel: nobody here looks at them again. */
export function given<T>(value: T): Parcel<T> {
  const moved = new Set<ArrayBuffer>();
  mapViews(value, (view) => {
    moved.add(view.buffer as ArrayBuffer);
    return view;
  });
  return { value, moved: [...moved] };
}
