// The grip beside a card: drag it, or lift it with Space and use the arrow keys. One grip at a time is a stop for Tab.

import type { Card } from "../chain/cards";
import type { Reorder } from "./reorder";

interface GripProps {
  readonly card: Card;
  /** "2 of 4". */
  readonly place: string;
  readonly reorder: Reorder;
}

export function Grip({ card, place, reorder }: GripProps) {
  return (
    <button
      type="button"
      class="grip"
      data-grip={card.key}
      aria-label={`order of ${card.title}, ${place}`}
      aria-describedby="grip-help"
      aria-pressed={reorder.isLifted(card)}
      tabIndex={reorder.isStop(card) ? 0 : -1}
      onFocus={() => reorder.stopAt(card)}
      onBlur={() => reorder.left(card)}
      onKeyDown={(event) => reorder.key(card, event)}
      onPointerDown={(event) => reorder.take(card, event)}
      onPointerMove={(event) => reorder.drag(event)}
      onPointerUp={(event) => reorder.release(event)}
      onPointerCancel={() => reorder.cancel()}
    >
      <svg viewBox="0 0 8 14" width="8" height="14" aria-hidden="true">
        <path d="M2 2h0M6 2h0M2 7h0M6 7h0M2 12h0M6 12h0" />
      </svg>
    </button>
  );
}

/** How the grips are used without a pointer, for those who hear it. */
export function GripHelp() {
  return (
    <p id="grip-help" class="heard">
      Arrow keys go to other stages; Space lifts this one, arrow keys then move it, Space drops it, Escape
      puts it back.
    </p>
  );
}
