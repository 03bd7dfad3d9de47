// A worker of an edge platform: it answers with what the package says.
import * as nucleus from "nucleus-sampler";
import { check, told } from "./check.mjs";

export default {
  async fetch(request) {
    const { choice } = await request.json();
    return new Response(await told(check(nucleus, choice)));
  },
};
