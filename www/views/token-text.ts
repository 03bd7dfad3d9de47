// A token as people read it: plain text, and glyphs in a quieter colour that a screen reader names.

import { segments, spoken } from "../glyphs";

/** Replaces the element's content with the token. */
export function writeToken(element: HTMLElement, text: string): void {
  element.dataset.token = text;
  const visible = document.createElement("span");
  visible.setAttribute("aria-hidden", "true");
  for (const segment of segments(text)) {
    if (segment.name === null) visible.append(segment.text);
    else {
      const glyph = document.createElement("span");
      glyph.className = "glyph";
      glyph.textContent = segment.text;
      visible.append(glyph);
    }
  }
  const heard = document.createElement("span");
  heard.className = "heard";
  heard.textContent = spoken(text);
  element.replaceChildren(visible, heard);
}
