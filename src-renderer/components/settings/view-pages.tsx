// Settings that belong to this view: appearance, shortcuts, about.
import { COMMANDS } from '../../commands/registry.ts';
import { shortcutText } from '../../commands/shortcut.ts';
import { useCommandContext } from '../../state/command-context.ts';
import { useApp, usePatchbay, usePreferences } from '../../state/context.ts';
import { FONT_SIZE } from '../../state/preferences-store.ts';
import type { Preferences } from '../../state/preferences-store.ts';
import { Brand } from '../controls/jack.tsx';
import { Segments } from '../controls/segments.tsx';

const THEMES: readonly { readonly value: Preferences['theme']; readonly label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

function FontSize() {
  const { stores } = usePatchbay();
  const fontSize = usePreferences((preferences) => preferences.fontSize);
  return (
    <div className="setting">
      <div className="setting-words">
        <label htmlFor="font-size">Terminal text</label>
        <p className="help">Size in pixels, for Commands and Terminal.</p>
      </div>
      <div className="setting-value range">
        <input
          id="font-size"
          type="range"
          min={FONT_SIZE.least}
          max={FONT_SIZE.most}
          step={0.5}
          value={fontSize}
          onChange={(event) => stores.preferences.setState({ fontSize: Number(event.currentTarget.value) })}
        />
        <output className="figures">{fontSize} px</output>
      </div>
    </div>
  );
}

/** Settings, Appearance. */
export function AppearancePage() {
  const { stores } = usePatchbay();
  const { theme, screenReader, fontSize } = usePreferences((preferences) => preferences);
  return (
    <>
      <h1>Appearance</h1>
      <p className="dim">Kept by this window or browser.</p>
      <div className="settings-box">
        <div className="setting">
          <b className="setting-words">Colours</b>
          <div className="setting-value">
            <Segments
              label="Colours"
              value={theme}
              choices={THEMES}
              onChange={(value) => stores.preferences.setState({ theme: value })}
            />
          </div>
        </div>
        <FontSize />
        <div className="setting">
          <div className="setting-words">
            <label htmlFor="screen-reader">Screen reader mode</label>
            <p className="help">Terminals tell their text to a screen reader. Slower with much output.</p>
          </div>
          <div className="setting-value">
            <input
              id="screen-reader"
              type="checkbox"
              checked={screenReader}
              onChange={(event) => stores.preferences.setState({ screenReader: event.currentTarget.checked })}
            />
          </div>
        </div>
      </div>
      <pre className="sample mono" style={{ fontSize }} aria-hidden>
        {'deploy@web-1:/srv/app$ git status --short\n M conf.d/upload.conf\n?? notes.txt'}
      </pre>
    </>
  );
}

/** Settings, Shortcuts: the registry as a table. */
export function ShortcutsPage() {
  const context = useCommandContext();
  return (
    <>
      <h1>Shortcuts</h1>
      <p className="dim">
        While you type into a terminal, only those with a dot are Patchbay’s; all others go to the host.
      </p>
      <table className="plain-table">
        <thead>
          <tr>
            <th>Action</th>
            <th>Keys</th>
          </tr>
        </thead>
        <tbody>
          {COMMANDS.map((command) =>
            command.shortcut === undefined ? null : (
              <tr key={command.id}>
                <td>{command.label(context)}</td>
                <td>
                  <kbd>{shortcutText(command.shortcut)}</kbd>
                  {command.shortcut.overTerminal === true && <span title="Also over a terminal"> •</span>}
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </>
  );
}

/** Settings, About. */
export function AboutPage() {
  const { version, mode, role } = useApp((app) => app);
  return (
    <>
      <h1>About</h1>
      <div className="about">
        <Brand size={48} />
        <div>
          <b>Patchbay {version}</b>
          <p className="dim">
            {mode === 'app' ? 'Desktop app' : 'Running without a screen'}, this view is{' '}
            {role === 'viewer' ? 'a viewer' : role === 'operator' ? 'an operator' : 'the owner’s window'}.
          </p>
          <p className="dim">MIT licence. Inter and JetBrains Mono are under the SIL Open Font License.</p>
        </div>
      </div>
    </>
  );
}
