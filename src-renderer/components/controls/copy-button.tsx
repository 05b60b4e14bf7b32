// A button that copies a text, and shows for a moment that it has.
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { usePatchbay } from '../../state/context.ts';
import { sayFault } from '../../state/toasts-store.ts';

const SHOWN_MS = 1600;

interface CopyButtonProps {
  /** What it copies, as part of its name: "Copy command". */
  readonly label: string;
  readonly text: () => string | Promise<string>;
  readonly words?: boolean;
}

/** The button. */
export function CopyButton({ label, text, words = false }: CopyButtonProps) {
  const { stores } = usePatchbay();
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(await text());
      setDone(true);
      setTimeout(() => setDone(false), SHOWN_MS);
    } catch (error) {
      sayFault(stores.toasts, error);
    }
  };
  const Icon = done ? Check : Copy;
  return (
    <button
      type="button"
      className={words ? 'button line' : 'icon-button'}
      aria-label={done ? `${label}: copied` : label}
      title={label}
      onClick={() => void copy()}
    >
      <Icon size={words ? 16 : 14} strokeWidth={1.6} aria-hidden />
      {words && (done ? 'Copied' : label)}
    </button>
  );
}
