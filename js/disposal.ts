/** What `using` asks of an object: `[Symbol.dispose]()`, or nothing where a program's types have no such symbol. */
export type Disposal = SymbolConstructor extends { readonly dispose: infer Dispose extends symbol }
  ? { readonly [Key in Dispose]: () => void }
  : object;

/** Makes `using` free what a class made. */
export function disposeByFreeing(prototype: { free(): void }): void {
  if (typeof Symbol.dispose !== "symbol") return;
  Object.defineProperty(prototype, Symbol.dispose, { value: prototype.free, configurable: true });
}
