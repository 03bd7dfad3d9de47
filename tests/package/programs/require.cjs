// The package, required: Node loads a module without top-level await like any other.
const process = require("node:process");
const nucleus = require("nucleus-sampler");

import("./check.mjs").then(async ({ check, told }) => {
  console.log(await told(check(nucleus, JSON.parse(process.argv[2]).choice)));
});
