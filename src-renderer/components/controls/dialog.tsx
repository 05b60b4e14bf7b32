// What floats above the page and has the keyboard until it is closed: the browser's own dialog.
import { X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { usePatchbay } from '../../state/context.ts';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly wide?: boolean;
  /** No heading on screen: the title is only its name. */
  readonly bare?: boolean;
  readonly children: ReactNode;
}

/** Opens it; Escape and a press beside it call `close`. Returns what puts the focus back. */
function show(element: HTMLDialogElement, close: () => void): () => void {
  const before = document.activeElement;
  element.showModal();
  element.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  element.addEventListener('cancel', (event) => {
    event.preventDefault();
    close();
  });
  element.addEventListener('mousedown', (event) => {
    if (event.target === element) close();
  });
  return () => {
    element.close();
    if (before instanceof HTMLElement) before.focus();
  };
}

/** The dialog. Escape and a click beside it close it; typed texts are kept by their owners. */
export function Dialog({ title, wide = false, bare = false, children }: DialogProps) {
  const { stores } = usePatchbay();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const close = (): void => stores.ui.setState({ dialog: null });
  useEffect(() => {
    const element = dialog.current;
    return element === null ? undefined : show(element, () => stores.ui.setState({ dialog: null }));
  }, [stores]);
  return (
    <dialog
      ref={dialog}
      className={`dialog${wide ? ' wide' : ''}${bare ? ' bare' : ''}`}
      aria-labelledby={bare ? undefined : id}
      aria-label={bare ? title : undefined}
    >
      <div className="dialog-inside">
        {!bare && (
          <header>
            <h2 id={id}>{title}</h2>
            <IconButton icon={X} label="Close" onClick={close} />
          </header>
        )}
        {children}
      </div>
    </dialog>
  );
}
