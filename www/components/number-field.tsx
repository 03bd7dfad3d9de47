// A number typed by a person: a comma is accepted, and what cannot be used is reverted with a message.

import { useId, useRef, useState } from "preact/hooks";
import { formatSetting, parseNumber } from "../format";

export interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly digits: number;
  /** Whether minus infinity may be typed. */
  readonly allowsMinusInfinity?: boolean;
  onValue(value: number, event: Event): void;
  /** One press of an arrow key, up or down. */
  onNudge?(steps: number, event: Event): void;
}

export function NumberField(props: NumberFieldProps) {
  const { label, value, min, max, digits, allowsMinusInfinity = false, onValue, onNudge } = props;
  const [message, setMessage] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const written = value === -Infinity ? "-∞" : formatSetting(value, digits);

  const commit = (event: Event) => {
    const input = field.current;
    if (input === null || input.value === written) return setMessage(null);
    const read = parseNumber(input.value);
    const isInteger = digits > 0 || Number.isInteger(read);
    const isForbidding = allowsMinusInfinity && read === -Infinity;
    if (read !== null && isInteger && (isForbidding || (read >= min && read <= max))) {
      setMessage(null);
      onValue(read, event);
      return;
    }
    const kind = digits === 0 ? "an integer" : "a number";
    const typed = input.value.trim() === "" ? "Nothing" : `"${input.value.trim().slice(0, 20)}"`;
    setMessage(`${typed} is not ${kind} from ${min} to ${max.toLocaleString("en")}, so ${written} stays.`);
    input.value = written;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") commit(event);
    const steps = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (steps === 0 || onNudge === undefined) return;
    event.preventDefault();
    onNudge(event.shiftKey ? steps * 10 : steps, event);
  };

  return (
    <span class="number-field">
      <input
        ref={field}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        aria-describedby={message === null ? undefined : id}
        aria-invalid={message !== null}
        value={written}
        onChange={commit}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.currentTarget.select()}
      />
      <span id={id} class="message" role="status">
        {message}
      </span>
    </span>
  );
}
