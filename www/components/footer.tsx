// Where the numbers come from, and that nothing leaves the page.

import { offline } from "../offline/keep";

const READY = {
  nothing: null,
  page: "Ready offline: this page and its first row.",
  all: "Ready offline: this page, its rows and the tiny model.",
};

export function Footer() {
  return (
    <footer class="page-footer">
      <p>
        Every number comes from the Nucleus sampler, compiled to WebAssembly and running in this tab. Nothing
        you do here leaves it.
      </p>
      <p>
        The tiny model is the project's own, trained on children's books that are in the public domain. The
        recorded logits and the vocabulary are those of SmolLM2-135M-Instruct by Hugging Face, used under the
        Apache License 2.0.
      </p>
      <p role="status">{READY[offline.value]}</p>
    </footer>
  );
}
