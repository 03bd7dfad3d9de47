// The package's worker, asked from a program's own thread.
import process from "node:process";
import * as threads from "nucleus-sampler/worker";
import { checkWorker, told } from "./check.mjs";

console.log(await told(checkWorker(threads, JSON.parse(process.argv[2]).choice)));
