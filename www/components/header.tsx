// The page's header: its name, the source of the logits, the preset, sharing, the theme.

import { useState } from "preact/hooks";
import { MAX_LENGTH } from "../address";
import { PRESETS } from "../chain/presets";
import { withPreset } from "../chain/start";
import { withSource } from "../edits";
import type { ModelGate } from "../models/gate";
import type { Playground } from "../playground";
import { FILE_SOURCE, SOURCES } from "../sources/catalogue";
import { chooseTheme, THEMES, theme } from "../theme";

interface HeaderProps {
  readonly playground: Playground;
  readonly gate: ModelGate;
  /** The address of the page as it is now. */
  address(): string;
}

export function Header({ playground, gate, address }: HeaderProps) {
  return (
    <header class="page-header">
      <p class="brand">Nucleus</p>
      <SourceMenu playground={playground} gate={gate} />
      <PresetMenu playground={playground} />
      <div class="page-actions">
        <Share address={address} />
        <label class="menu">
          <span>theme</span>
          <select
            value={theme.value}
            onChange={(event) => chooseTheme(THEMES[event.currentTarget.selectedIndex] ?? "system")}
          >
            {THEMES.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
    </header>
  );
}

function SourceMenu({ playground, gate }: Omit<HeaderProps, "address">) {
  const { source } = playground.state.value;
  const groups = [...new Set(SOURCES.map(({ group }) => group))];
  const choose = (id: string) => {
    if (id === FILE_SOURCE && source !== FILE_SOURCE) {
      void gate.choose();
      return;
    }
    gate.leave();
    if (id !== source) playground.replace(withSource(playground.state.peek(), id));
  };
  return (
    <label class="menu source">
      <span>source</span>
      <select
        value={gate.isChoosing.value ? FILE_SOURCE : source}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {groups.map((group) => (
          <optgroup key={group} label={group}>
            {SOURCES.filter((entry) => entry.group === group).map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

function PresetMenu({ playground }: { playground: Playground }) {
  const { preset } = playground.state.value;
  const choose = (select: HTMLSelectElement, event: Event) => {
    const { key } = PRESETS[select.selectedIndex] ?? { key: preset };
    playground.change(withPreset(playground.state.peek(), key), { event, glide: true });
  };
  return (
    <label class="menu preset">
      <span>preset</span>
      <select value={preset} onChange={(event) => choose(event.currentTarget, event)}>
        {PRESETS.map(({ key, title }) => (
          <option key={key} value={key}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

function Share({ address }: { address(): string }) {
  const [message, setMessage] = useState<string | null>(null);
  const share = async () => {
    const link = address();
    if (link.length > MAX_LENGTH) {
      setMessage("There is more on the page than an address can hold.");
      return;
    }
    try {
      await navigator.clipboard.writeText(link);
      setMessage("The address is copied.");
    } catch {
      setMessage("Copy the address from the browser's own bar: it holds everything.");
    }
  };
  return (
    <span class="share">
      <span class="quiet" role="status">
        {message}
      </span>
      <button type="button" onClick={() => void share()} onBlur={() => setMessage(null)}>
        Share
      </button>
    </span>
  );
}
