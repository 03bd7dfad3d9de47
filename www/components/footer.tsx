// Where the numbers come from, and that nothing leaves the page.

export function Footer() {
  return (
    <footer class="page-footer">
      <p>
        Every number comes from the Nucleus sampler, compiled to WebAssembly and running in this tab. Nothing
        you do here leaves it.
      </p>
      <p>
        The recorded logits and the vocabulary are those of SmolLM2-135M-Instruct by Hugging Face, used under
        the Apache License 2.0.
      </p>
    </footer>
  );
}
