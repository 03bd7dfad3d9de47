export * from "nucleus-sampler/worker";
