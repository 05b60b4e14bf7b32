// Finds text in the output of a session.
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { CommandsLayout, CommandsTerminal } from '../../terminal/commands-terminal.ts';
import { usePatchbay } from '../../state/context.ts';
import { IconButton } from '../controls/button.tsx';

function matchWords(matches: CommandsLayout['matches'], text: string): string {
  if (text === '' || matches === null) return '';
  if (matches.count === 0) return 'Not found';
  return matches.index < 0 ? `${matches.count} found` : `${matches.index + 1} of ${matches.count}`;
}

interface FindBarProps {
  readonly terminal: CommandsTerminal;
  readonly matches: CommandsLayout['matches'];
}

/** The bar; Enter goes on, Shift Enter goes back, Escape closes it. */
export function FindBar({ terminal, matches }: FindBarProps) {
  const { stores } = usePatchbay();
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    return () => terminal.endFind();
  }, [terminal]);
  const close = (): void => {
    stores.ui.setState({ findOpen: false });
    terminal.focus();
  };
  return (
    <search className="find-bar">
      <input
        ref={input}
        aria-label="Find in output"
        placeholder="Find in output"
        value={text}
        spellCheck={false}
        onChange={(event) => {
          setText(event.currentTarget.value);
          terminal.find(event.currentTarget.value, 'stay');
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
          if (event.key === 'Enter') terminal.find(text, event.shiftKey ? 'previous' : 'next');
        }}
      />
      <span className="figures" role="status">
        {matchWords(matches, text)}
      </span>
      <IconButton icon={ChevronUp} label="Previous match" onClick={() => terminal.find(text, 'previous')} />
      <IconButton icon={ChevronDown} label="Next match" onClick={() => terminal.find(text, 'next')} />
      <IconButton icon={X} label="Close find" onClick={close} />
    </search>
  );
}
