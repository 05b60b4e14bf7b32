// A few choices of which one holds, side by side.
import type { ReactNode } from 'react';

interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: ReactNode; readonly disabled?: boolean }[];
  readonly onChange: (value: Value) => void;
}

/** The choices, as radio buttons to a screen reader. */
export function Segments<Value extends string>({ label, value, choices, onChange }: SegmentsProps<Value>) {
  const move = (by: 1 | -1): void => {
    const open = choices.filter(({ disabled }) => disabled !== true);
    const at = open.findIndex((choice) => choice.value === value);
    const next = open[(at + by + open.length) % open.length];
    if (next !== undefined) onChange(next.value);
  };
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          tabIndex={choice.value === value ? 0 : -1}
          disabled={choice.disabled}
          onClick={() => onChange(choice.value)}
          onKeyDown={(event) => {
            if (event.altKey || event.ctrlKey) return;
            if (event.key === 'ArrowRight') move(1);
            if (event.key === 'ArrowLeft') move(-1);
          }}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
