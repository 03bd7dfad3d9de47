export * from "nucleus-sampler";
export { default } from "nucleus-sampler";
