// A choice between a few words, as radio buttons in one line.

import { useId } from "preact/hooks";

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly options: readonly T[];
  readonly chosen: T;
  onChoose(option: T, event: Event): void;
}

export function Choice<T extends string>({ label, options, chosen, onChoose }: ChoiceProps<T>) {
  const id = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option}>
          <input
            type="radio"
            name={id}
            value={option}
            checked={option === chosen}
            onChange={(event) => onChoose(option, event)}
          />
          <span>{option}</span>
        </label>
      ))}
    </fieldset>
  );
}
