// The package, imported.
import process from "node:process";
import * as nucleus from "nucleus-sampler";
import { check, told } from "./check.mjs";

console.log(await told(check(nucleus, JSON.parse(process.argv[2]).choice)));
