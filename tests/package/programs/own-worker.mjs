// A page's own module worker that imports the package.
import { check, told } from "./check.mjs";
import * as nucleus from "./sampler.mjs";

globalThis.onmessage = async ({ data: choice }) => globalThis.postMessage(await told(check(nucleus, choice)));
