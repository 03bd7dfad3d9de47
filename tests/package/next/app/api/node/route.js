import * as nucleus from "nucleus-sampler";
import { check, told } from "../../../check.mjs";
export const dynamic = "force-dynamic";
export async function GET(request) {
  const asked = new URL(request.url).searchParams.get("simd");
  return new Response(await told(check(nucleus, asked === null ? undefined : { simd: asked === "true" })));
}
