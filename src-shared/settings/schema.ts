// Every setting once: name, default, allowed values, help. The page, the validation and the README table come from it.
import * as z from 'zod';

/** Where a setting stands on the Settings page. */
export type SettingSection = 'general' | 'monitor' | 'sessions' | 'labs' | 'places';

/** One setting. In the environment and in the file it has the same name. */
export interface SettingDefinition<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  readonly default: z.infer<Schema>;
  readonly label: string;
  /** One or two sentences, with the unit. */
  readonly help: string;
  /** What is allowed, in words, as error lines and documents say it. */
  readonly allowed: string;
  readonly section: SettingSection;
  /** Never shown, logged or sent to a view. */
  readonly secret?: true;
  /** Only the environment can set it (it says where the file is). */
  readonly environmentOnly?: true;
}

function setting<Schema extends z.ZodType>(definition: SettingDefinition<Schema>): SettingDefinition<Schema> {
  return definition;
}

const port = z.number().int().min(1).max(65_535);

/** The settings in the order of the page. */
export const SETTINGS = {
  WEB_PORT: setting({
    schema: port,
    default: 8080,
    label: 'Monitor port',
    section: 'monitor',
    allowed: 'a whole number from 1 to 65535',
    help: 'TCP port of the monitor page and of MCP over HTTP. When it is not set and 8080 is taken, the next free port is used.',
  }),
  WEB_HOST: setting({
    schema: z.string().min(1).max(255),
    default: '127.0.0.1',
    label: 'Monitor address',
    section: 'monitor',
    allowed: 'an IP address or host name of this computer',
    help: 'Address on which the monitor page and MCP over HTTP listen. Leave it on loopback unless a TLS proxy stands in front.',
  }),
  WEB_ALLOWED_HOSTS: setting({
    schema: z.array(z.string().min(1)),
    default: [],
    label: 'Allowed host names',
    section: 'monitor',
    allowed: 'host names, separated by commas',
    help: 'Names under which requests from beyond this computer are answered, in addition to loopback names.',
  }),
  MCP_PORT: setting({
    schema: z.number().int().min(0).max(65_535),
    default: 0,
    label: 'MCP port',
    section: 'general',
    allowed: 'a whole number from 0 to 65535; 0 means any free port',
    help: 'TCP port on loopback that the bridge connects to.',
  }),
  SSH_TIMEOUT: setting({
    schema: z.number().int().min(1).max(600),
    default: 30,
    label: 'SSH time-out',
    section: 'sessions',
    allowed: 'a whole number of seconds from 1 to 600',
    help: 'Seconds within which a connection has to be made, login included.',
  }),
  MAX_SESSIONS: setting({
    schema: z.number().int().min(1).max(1000),
    default: 10,
    label: 'Most sessions',
    section: 'sessions',
    allowed: 'a whole number from 1 to 1000',
    help: 'How many SSH sessions may be open at once.',
  }),
  HOST_KEY_POLICY: setting({
    schema: z.enum(['default', 'ask', 'accept-new']),
    default: 'default',
    label: 'Unknown host keys',
    section: 'sessions',
    allowed: 'default, ask or accept-new',
    help: 'What happens with a host key that is not on file. default: ask in the app, accept-new when headless. A changed key is always refused.',
  }),
  KEEPALIVE_SECONDS: setting({
    schema: z.number().int().min(1).max(3600),
    default: 15,
    label: 'Keep-alive',
    section: 'sessions',
    allowed: 'a whole number of seconds from 1 to 3600',
    help: 'Seconds between keep-alive messages; three without an answer end the connection as lost.',
  }),
  SPOOL_LIMIT: setting({
    schema: z.number().int().min(0),
    default: 0,
    label: 'Output limit',
    section: 'sessions',
    allowed: 'a whole number of bytes; 0 means none',
    help: 'Most bytes of output that one command may produce before it is stopped. 0: no limit but the disk.',
  }),
  LOG_LEVEL: setting({
    schema: z.enum(['debug', 'info', 'warn', 'error']),
    default: 'info',
    label: 'Log level',
    section: 'general',
    allowed: 'debug, info, warn or error',
    help: 'How much is written to the log file (and to stderr when headless).',
  }),
  IDLE_EXIT_MINUTES: setting({
    schema: z.number().min(0.01).max(10_080),
    default: 10,
    label: 'Idle exit',
    section: 'general',
    allowed: 'a number of minutes from 0.01 to 10080',
    help: 'Minutes without client, session or view after which a headless Patchbay that a bridge started ends.',
  }),
  PATCHBAY_DATA_DIR: setting({
    schema: z.string(),
    default: '',
    label: 'Data folder',
    section: 'places',
    allowed: 'an absolute path',
    environmentOnly: true,
    help: 'Folder for run file, log, journal and output. Default: the usual place of the operating system.',
  }),
  PATCHBAY_CONFIG: setting({
    schema: z.string(),
    default: '',
    label: 'Settings file',
    section: 'places',
    allowed: 'an absolute path',
    environmentOnly: true,
    help: 'The settings file. Default: settings.json in the data folder.',
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** All settings with their values. */
export type Settings = { readonly [Name in SettingName]: z.infer<(typeof SETTINGS)[Name]['schema']> };

/** Where a value came from. */
export type SettingSource = 'environment' | 'file' | 'default';

/** The names in order. */
export const SETTING_NAMES: readonly SettingName[] = z
  .array(z.custom<SettingName>((name) => typeof name === 'string' && name in SETTINGS))
  .parse(Object.keys(SETTINGS));
