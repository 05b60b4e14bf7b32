// The app as a whole: version, role of this view, endpoints, pause, connected assistants.
import { createStore } from 'zustand/vanilla';
import type { ConnectedClient, Endpoints, PauseState } from '../../src-shared/model/index.ts';
import { roleAllows } from '../../src-shared/protocol/index.ts';
import type { AppState, Role } from '../../src-shared/protocol/index.ts';

export interface AppInfo {
  readonly version: string;
  readonly mode: AppState['mode'];
  readonly role: Role;
  readonly onlySession: string | null;
  readonly endpoints: Endpoints;
  readonly pause: PauseState;
  readonly clients: readonly ConnectedClient[];
}

/** Makes the store; until the first state the view may do nothing. */
export const createAppStore = () =>
  createStore<AppInfo>(() => ({
    version: '',
    mode: 'app',
    role: 'viewer',
    onlySession: null,
    endpoints: { monitorUrl: '', mcpHttpUrl: '', mcpTcpPort: 0 },
    pause: 'off',
    clients: [],
  }));

/** True when this view may act. */
export const mayOperate = (app: AppInfo): boolean => roleAllows(app.role, 'operator');
/** True when this view may see settings and tokens. */
export const mayOwn = (app: AppInfo): boolean => roleAllows(app.role, 'owner');
