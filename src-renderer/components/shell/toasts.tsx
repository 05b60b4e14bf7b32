// Short messages at the lower edge.
import { Check, CircleAlert, X } from 'lucide-react';
import { usePatchbay, useToasts } from '../../state/context.ts';
import { dismissToast } from '../../state/toasts-store.ts';
import { IconButton } from '../controls/button.tsx';

/** All that are shown now. */
export function Toasts() {
  const { stores } = usePatchbay();
  const toasts = useToasts((state) => state.toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, tone, text, hint }) => (
        <div key={id} className={`toast ${tone}`}>
          {tone === 'done' ? (
            <Check size={16} strokeWidth={1.6} aria-hidden />
          ) : (
            <CircleAlert size={16} strokeWidth={1.6} aria-hidden />
          )}
          <div>
            {text}
            {hint !== null && <p className="help">{hint}</p>}
          </div>
          <IconButton icon={X} label="Dismiss" onClick={() => dismissToast(stores.toasts, id)} />
        </div>
      ))}
    </div>
  );
}
