// What edge bundlers make of a module that is imported with this suffix.
declare module "*.wasm?module" {
  const module: import("./source.js").CompiledModule;
  export default module;
}
