// A labelled text field with help and fault below it.
import { useEffect, useId, useRef } from 'react';
import type { HTMLAttributes } from 'react';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly help?: string | undefined;
  readonly fault?: string | null | undefined;
  readonly secret?: boolean;
  readonly mono?: boolean;
  readonly placeholder?: string;
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  /** The first field: it has the focus when it appears. */
  readonly first?: boolean;
}

/** The field. */
export function Field(props: FieldProps) {
  const { label, value, onChange, help, fault, secret = false, mono = false, placeholder, inputMode, first } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (first === true) input.current?.focus();
  }, [first]);
  const note = fault ?? help;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        className={mono ? 'mono' : undefined}
        type={secret ? 'password' : 'text'}
        value={value}
        placeholder={placeholder}
        inputMode={inputMode}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        data-autofocus={first === true ? '' : undefined}
        aria-invalid={fault != null}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={fault == null ? 'help' : 'help fault'}>
          {note}
        </p>
      )}
    </div>
  );
}
