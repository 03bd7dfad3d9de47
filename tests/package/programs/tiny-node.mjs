// The model that comes with the package, from the file system.
import { readFile } from "node:fs/promises";
import * as models from "nucleus-sampler/model";
import { told } from "./check.mjs";
import { tinyTokens } from "./tiny.mjs";

const file = readFile(new URL(import.meta.resolve("nucleus-sampler/tiny.gguf")));
console.log(await told(tinyTokens(models, file)));
