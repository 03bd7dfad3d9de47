// Light, dark, or as the system has it: kept in this browser, never in the address.

import { type Signal, signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The same name as in public/theme.js, which sets the theme before the first paint. */
const STORED_AS = "nucleus-theme";

export const theme: Signal<Theme> = signal(storedTheme());

function storedTheme(): Theme {
  const stored = typeof document === "undefined" ? null : document.documentElement.dataset.theme;
  return THEMES.find((candidate) => candidate === stored) ?? "system";
}

export function chooseTheme(next: Theme): void {
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(STORED_AS, next);
  } catch {
    // A browser that keeps nothing still shows the chosen theme until the page is left.
  }
  theme.value = next;
}

/** Calls back when colours change, now and whenever the system's do; returns how to stop. */
export function onThemeChange(callback: () => void): () => void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", callback);
  const stop = theme.subscribe(callback);
  return () => {
    system.removeEventListener("change", callback);
    stop();
  };
}
