// Settings: the list of its pages and the one on screen.
import { assertNever } from '../../../src-shared/assert-never.ts';
import { mayOwn } from '../../state/app-store.ts';
import { useApp, usePatchbay, useUi } from '../../state/context.ts';
import type { SettingsPage } from '../../state/ui-store.ts';
import { AssistantsPage } from './assistants-page.tsx';
import { MonitorPage } from './monitor-page.tsx';
import { SchemaRows } from './schema-page.tsx';
import { AboutPage, AppearancePage, ShortcutsPage } from './view-pages.tsx';

const PAGES: readonly { readonly page: SettingsPage; readonly label: string; readonly owner: boolean }[] = [
  { page: 'general', label: 'General', owner: true },
  { page: 'appearance', label: 'Appearance', owner: false },
  { page: 'sessions', label: 'Sessions', owner: true },
  { page: 'assistants', label: 'Assistants', owner: true },
  { page: 'monitor', label: 'Monitor page', owner: true },
  { page: 'shortcuts', label: 'Shortcuts', owner: false },
  { page: 'about', label: 'About', owner: false },
];

function Page({ page }: { readonly page: SettingsPage }) {
  switch (page) {
    case 'general':
      return (
        <>
          <h1>General</h1>
          <SchemaRows sections={['general', 'places']} />
        </>
      );
    case 'sessions':
      return (
        <>
          <h1>Sessions</h1>
          <SchemaRows sections={['sessions']} />
        </>
      );
    case 'appearance':
      return <AppearancePage />;
    case 'assistants':
      return <AssistantsPage />;
    case 'monitor':
      return <MonitorPage />;
    case 'shortcuts':
      return <ShortcutsPage />;
    case 'about':
      return <AboutPage />;
    default:
      return assertNever(page);
  }
}

/** Settings. What only the owner may see is not offered to others. */
export function Settings() {
  const { stores } = usePatchbay();
  const owner = useApp(mayOwn);
  const wanted = useUi((ui) => ui.settingsPage);
  const pages = PAGES.filter((one) => owner || !one.owner);
  const page = pages.some((one) => one.page === wanted) ? wanted : 'appearance';
  return (
    <div className="settings" data-area tabIndex={-1}>
      <nav aria-label="Settings">
        {pages.map((one) => (
          <button
            key={one.page}
            type="button"
            aria-current={one.page === page ? 'page' : undefined}
            onClick={() => stores.ui.setState({ settingsPage: one.page })}
          >
            {one.label}
          </button>
        ))}
      </nav>
      <main className="settings-page">
        <Page key={page} page={page} />
      </main>
    </div>
  );
}
