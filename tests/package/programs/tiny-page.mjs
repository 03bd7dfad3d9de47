// The model that comes with the package, on a page that a bundler built: the address of its file is written so that
// bundlers find it.
import * as models from "nucleus-sampler/model";
import { told } from "./check.mjs";
import { tinyTokens } from "./tiny.mjs";

const file = new URL("nucleus-sampler/tiny.gguf", import.meta.url);
globalThis.outcome = Promise.all([told(tinyTokens(models, fetch(file)))]);
