// Buttons: plain, for an action of the registry, and with an icon alone.
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { commandById, runCommand } from '../../commands/registry.ts';
import { shortcutAria, shortcutText } from '../../commands/shortcut.ts';
import { useCommandContext } from '../../state/command-context.ts';
import { usePatchbay } from '../../state/context.ts';

/** How loud a button is. `accent`: the one thing to do here. `bad`: takes something away. */
export type ButtonKind = 'plain' | 'line' | 'accent' | 'bad';

interface ButtonProps {
  readonly kind?: ButtonKind;
  readonly icon?: LucideIcon;
  readonly small?: boolean;
  readonly disabled?: boolean;
  readonly submit?: boolean;
  readonly title?: string;
  readonly children: ReactNode;
  readonly onClick?: () => void;
}

/** A button with words. */
export function Button(props: ButtonProps) {
  const {
    kind = 'line',
    icon: Icon,
    small = false,
    disabled = false,
    submit = false,
    title,
    children,
    onClick,
  } = props;
  return (
    <button
      type={submit ? 'submit' : 'button'}
      className={`button ${kind}${small ? ' small' : ''}`}
      disabled={disabled}
      title={title}
      onClick={onClick}
    >
      {Icon !== undefined && <Icon size={small ? 14 : 16} strokeWidth={1.6} aria-hidden />}
      {children}
    </button>
  );
}

interface IconButtonProps {
  readonly icon: LucideIcon;
  /** Its name for everybody: tooltip and screen reader. */
  readonly label: string;
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

/** A button that is only an icon. */
export function IconButton({ icon: Icon, label, pressed, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      aria-pressed={pressed}
      title={label}
      onClick={onClick}
    >
      <Icon size={16} strokeWidth={1.6} aria-hidden />
    </button>
  );
}

interface CommandButtonProps {
  readonly id: string;
  readonly kind?: ButtonKind;
  /** Shorter words than the action's own. */
  readonly short?: string;
  readonly withKey?: boolean;
  readonly withIcon?: boolean;
}

/** A button for an action of the registry: its words, its shortcut, and nothing when it makes no sense now. */
export function CommandButton({ id, kind = 'line', short, withKey = false, withIcon = false }: CommandButtonProps) {
  const patchbay = usePatchbay();
  const context = useCommandContext();
  const command = commandById(id);
  if (!command.when(context)) return null;
  const label = command.label(context);
  const { shortcut } = command;
  const keys = shortcut === undefined ? '' : ` (${shortcutText(shortcut)})`;
  return (
    <button
      type="button"
      className={`button ${kind}`}
      title={label + keys}
      aria-label={short === undefined ? undefined : label}
      aria-keyshortcuts={shortcut === undefined ? undefined : shortcutAria(shortcut)}
      onClick={() => runCommand(patchbay, id)}
    >
      {withIcon && <command.icon size={16} strokeWidth={1.6} aria-hidden />}
      {short ?? label}
      {withKey && shortcut !== undefined && <kbd>{shortcutText(shortcut)}</kbd>}
    </button>
  );
}
