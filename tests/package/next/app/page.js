"use client";
// A page that is rendered on the server, where it imports the package and starts nothing, and asks it in the browser.
import * as nucleus from "nucleus-sampler";
import * as threads from "nucleus-sampler/worker";
import { useEffect } from "react";

export default function Page() {
  useEffect(() => {
    import("../main.mjs");
  }, []);
  return <p>{[...Object.keys(nucleus), ...Object.keys(threads)].join(", ")}</p>;
}
