// A number typed by a person: a comma is accepted, and what cannot be used is reverted with a message.

import { useId, useState } from "preact/hooks";
import { formatSetting, parseNumber } from "../format";

const ARROW_STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Decimals that are always written; 0 accepts integers only. */
  readonly digits: number;
  /** Whether minus infinity may be typed. */
  readonly allowsMinusInfinity?: boolean;
  /** Whether "all" may be typed, which is Infinity. */
  readonly allowsAll?: boolean;
}

export interface NumberFieldProps extends NumberRange {
  readonly label: string;
  readonly value: number;
  onValue(value: number, event: Event): void;
  /** Presses of an arrow key: up is positive. */
  onNudge?(steps: number, event: Event): void;
}

export function NumberField(props: NumberFieldProps) {
  const { label, value, digits, onValue, onNudge } = props;
  const [message, setMessage] = useState<string | null>(null);
  const id = useId();
  const written = value === -Infinity ? "-∞" : formatSetting(value, digits);

  const commit = (event: Event) => {
    const input = event.currentTarget;
    if (!(input instanceof HTMLInputElement)) return;
    const read = input.value === written ? value : readNumber(input.value, props);
    setMessage(read === null ? `${complaint(input.value, props)}, so ${written} stays.` : null);
    if (read === null) input.value = written;
    else if (read !== value) onValue(read, event);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") commit(event);
    const steps = ARROW_STEPS[event.key];
    if (steps === undefined || onNudge === undefined) return;
    event.preventDefault();
    onNudge(event.shiftKey ? steps * 10 : steps, event);
  };
  return (
    <span class="number-field">
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        aria-describedby={id}
        aria-invalid={message !== null}
        value={written}
        onChange={commit}
        onKeyDown={onKeyDown}
      />
      <span id={id} class="message" role="status">
        {message}
      </span>
    </span>
  );
}

/** The typed number where it can be used, else null. */
function readNumber(text: string, range: NumberRange): number | null {
  const { min, max, digits, allowsMinusInfinity, allowsAll } = range;
  if (allowsAll === true && /^\s*all\s*$/i.test(text)) return Infinity;
  const read = parseNumber(text);
  if (read === -Infinity && allowsMinusInfinity === true) return read;
  if (read === null || read < min || read > max) return null;
  return digits > 0 || Number.isInteger(read) ? read : null;
}

function complaint(text: string, { min, max, digits, allowsAll }: NumberRange): string {
  const typed = text.trim() === "" ? "Nothing" : `"${text.trim().slice(0, 20)}"`;
  const kind = digits === 0 ? "an integer" : "a number";
  const range = `${kind} from ${min} to ${max.toLocaleString("en")}`;
  return `${typed} is not ${range}${allowsAll === true ? ', nor "all"' : ""}`;
}
