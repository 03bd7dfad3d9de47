export * from "nucleus-sampler/inline";
export { default } from "nucleus-sampler/inline";
