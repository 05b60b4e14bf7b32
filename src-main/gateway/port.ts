// What the gateway is given and what it offers: the contract with the assembly of the programs and with the window.
import type * as z from 'zod';
import type { Endpoints } from '../../src-shared/model/index.ts';
import type { Role, settingValueSchema } from '../../src-shared/protocol/index.ts';
import type { Settings } from '../../src-shared/settings/index.ts';
import type { Core, Log } from '../core/core.ts';
import type { HttpMount } from '../core/http-mount.ts';

/** One row of the Settings page. */
export type SettingValue = z.infer<typeof settingValueSchema>;

/** What only the person at the window may see and change. */
export interface OwnerServices {
  /** Effective settings, secrets without value, and the path of the file. */
  settings(): { readonly settings: SettingValue[]; readonly file: string };
  /** Checks and writes one setting; rejects with INVALID_PARAMS. `restart`: it takes effect at the next start. */
  setSetting(name: string, value: unknown): Promise<{ readonly restart: boolean }>;
  /** Entries for the settings of MCP clients, as JSON text. */
  clientEntry(): Promise<{ readonly claudeDesktop: string; readonly claudeCode: string }>;
  tokens(): { readonly viewer: string; readonly operator: string; readonly mcp: string };
  /** Makes new tokens; from the next look at {@link ViewTokens} on only these count. */
  renewTokens(): Promise<void>;
}

/** The tokens of browser pages as they are now. */
export interface ViewTokens {
  readonly viewer: string;
  readonly operator: string;
}

/** What startGateway gets. */
export interface GatewayOptions {
  readonly core: Core;
  readonly settings: Pick<Settings, 'WEB_PORT' | 'WEB_HOST' | 'WEB_ALLOWED_HOSTS'>;
  /** The person set WEB_PORT: when it is taken, start-up fails instead of trying the next one. */
  readonly portIsExplicit: boolean;
  /** Port of the TCP listener for MCP, to be shown in views. */
  readonly mcpTcpPort: number;
  readonly tokens: () => ViewTokens;
  /** Served below their prefixes, after the Host and Origin checks. */
  readonly mounts: readonly HttpMount[];
  /** Folder with monitor.html, window.html and assets/. */
  readonly assetsDir: string;
  readonly log: Log;
  readonly owner: OwnerServices;
  /** Milliseconds between pings to a page; a page that answers none is cut. Default 15,000. */
  readonly pingMs?: number;
}

/** One end of a message channel; Electron's MessagePortMain is one. */
export interface PortLike {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  close(): void;
}

/** The running gateway. */
export interface Gateway {
  readonly endpoints: Endpoints;
  readonly links: {
    /** Address where a person can watch this session, good until it closes. */
    sessionUrl(name: string): string;
  };
  /** Attaches a view that came through the window. */
  attachPort(port: PortLike, role: Role): void;
  /** Views that are attached now, window and pages. */
  readonly viewCount: number;
  close(): Promise<void>;
}
