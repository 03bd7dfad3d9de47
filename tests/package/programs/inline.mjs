// The entry that neither reads nor fetches: there is nothing here to do either with.
import process from "node:process";
import { check, told } from "./check.mjs";

globalThis.fetch = () => {
  throw new Error("something was fetched");
};
const nucleus = await import("nucleus-sampler/inline");
console.log(await told(check(nucleus, JSON.parse(process.argv[2]).choice)));
