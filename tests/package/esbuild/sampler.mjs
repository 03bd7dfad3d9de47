import start from "nucleus-sampler";
import { fileOf } from "./files.mjs";

export * from "nucleus-sampler";
export default (choice) => start(fileOf(choice));
