// Plays the part of a desktop's tray on a session bus of the test's own: sees the app's icon, its menu, and clicks on them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import dbus from 'dbus-next';

const WATCHER = 'org.kde.StatusNotifierWatcher';
const ITEM = 'org.kde.StatusNotifierItem';
const MENU = 'com.canonical.dbusmenu';
const PROPERTIES = 'org.freedesktop.DBus.Properties';

/** A bus for one test run. */
export interface TestBus {
  /** For DBUS_SESSION_BUS_ADDRESS. */
  readonly address: string;
  close(): Promise<void>;
}

/** Starts a session bus of its own. */
export async function startBus(): Promise<TestBus> {
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface(daemon.stdout);
  const [address] = (await once(lines, 'line')) as [string];
  return {
    address,
    async close() {
      lines.close();
      if (daemon.exitCode !== null) return;
      daemon.kill('SIGTERM');
      await once(daemon, 'exit');
    },
  };
}

class WatcherInterface extends dbus.interface.Interface {
  readonly names: string[] = [];
  readonly #hasHost: boolean;

  constructor(hasHost: boolean) {
    super(WATCHER);
    this.#hasHost = hasHost;
  }

  RegisterStatusNotifierItem(name: string): void {
    this.names.push(name);
  }

  RegisterStatusNotifierHost(): void {}

  get RegisteredStatusNotifierItems(): string[] {
    return this.names;
  }

  get IsStatusNotifierHostRegistered(): boolean {
    return this.#hasHost;
  }

  get ProtocolVersion(): number {
    return 0;
  }
}

WatcherInterface.configureMembers({
  methods: {
    RegisterStatusNotifierItem: { inSignature: 's' },
    RegisterStatusNotifierHost: { inSignature: 's' },
  },
  properties: {
    RegisteredStatusNotifierItems: { signature: 'as', access: 'read' },
    IsStatusNotifierHostRegistered: { signature: 'b', access: 'read' },
    ProtocolVersion: { signature: 'i', access: 'read' },
  },
});

/** The tray of the test's desktop. */
export interface TestTray {
  /** The icons that registered, by the name they gave. */
  readonly registered: readonly string[];
  /** The icon that registered last. */
  icon(): TrayIconView;
  close(): Promise<void>;
}

/** One icon, as a desktop would use it. */
export interface TrayIconView {
  tooltip(): Promise<string>;
  /** Labels of the menu's entries, in order. */
  labels(): Promise<string[]>;
  /** Clicks the entry with this label. */
  choose(label: string): Promise<void>;
  click(): Promise<void>;
}

/** Puts a tray on the bus; `hasHost` false: a watcher that nobody draws icons for. */
export async function startTray(address: string, hasHost = true): Promise<TestTray> {
  const bus = dbus.sessionBus({ busAddress: address });
  const watcher = new WatcherInterface(hasHost);
  bus.export('/StatusNotifierWatcher', watcher);
  await bus.requestName(WATCHER, 0);
  return {
    registered: watcher.names,
    icon: () => iconView(bus, watcher.names.at(-1) ?? ''),
    close: () => leave(bus, WATCHER),
  };
}

/** The next test may start at once, so the name is given back before the line is. */
async function leave(bus: dbus.MessageBus, name: string): Promise<void> {
  await bus.releaseName(name);
  bus.disconnect();
}

interface Entry {
  readonly id: number;
  readonly label: string;
}

function iconView(bus: dbus.MessageBus, name: string): TrayIconView {
  const slash = name.indexOf('/');
  const destination = slash < 0 ? name : name.slice(0, slash);
  const path = slash < 0 ? '/StatusNotifierItem' : name.slice(slash);
  const call = async (to: { path: string; interface: string; member: string }, signature: string, body: unknown[]) => {
    const reply = await bus.call(new dbus.Message({ destination, ...to, signature, body }));
    return (reply?.body ?? []) as unknown[];
  };
  const property = async (member: string): Promise<unknown> => {
    const [variant] = await call({ path, interface: PROPERTIES, member: 'Get' }, 'ss', [ITEM, member]);
    return (variant as dbus.Variant).value;
  };
  const menuPath = async () => String(await property('Menu'));
  const entries = async (): Promise<Entry[]> => {
    const layout = await call({ path: await menuPath(), interface: MENU, member: 'GetLayout' }, 'iias', [0, -1, []]);
    return childrenOf(layout[1]).map(entryOf);
  };
  return {
    tooltip: async () => String(((await property('ToolTip')) as unknown[])[2]),
    labels: async () => (await entries()).map(({ label }) => label).filter((label) => label !== ''),
    choose: async (label) => {
      // Ids change with every new menu, so it is read anew.
      const found = (await entries()).find((entry) => entry.label === label);
      if (found === undefined) throw new Error(`the tray menu has no entry ${label}`);
      const to = { destination, path: await menuPath(), interface: MENU, member: 'Event' };
      // A click on Quit ends the program, which then answers no more.
      const flags = dbus.MessageFlag.NO_REPLY_EXPECTED;
      const body = [found.id, 'clicked', new dbus.Variant('s', ''), 0];
      bus.send(new dbus.Message({ ...to, flags, signature: 'isvu', body }));
    },
    click: async () => {
      await call({ path, interface: ITEM, member: 'Activate' }, 'ii', [0, 0]);
    },
  };
}

/** What the app told the person. */
export interface TestNotifications {
  readonly shown: readonly { readonly title: string; readonly body: string }[];
  close(): Promise<void>;
}

class NotificationsInterface extends dbus.interface.Interface {
  readonly shown: { readonly title: string; readonly body: string }[] = [];

  Notify(...args: [string, number, string, string, string]): number {
    this.shown.push({ title: args[3], body: args[4] });
    return this.shown.length;
  }

  CloseNotification(): void {}

  GetCapabilities(): string[] {
    return ['body', 'actions'];
  }

  GetServerInformation(): string[] {
    return ['test', 'test', '1', '1.2'];
  }
}

NotificationsInterface.configureMembers({
  methods: {
    Notify: { inSignature: 'susssasa{sv}i', outSignature: 'u' },
    CloseNotification: { inSignature: 'u' },
    GetCapabilities: { outSignature: 'as' },
    GetServerInformation: { outSignature: 'ssss' },
  },
});

/** Puts a desktop's notification service on the bus. */
export async function startNotifications(address: string): Promise<TestNotifications> {
  const bus = dbus.sessionBus({ busAddress: address });
  const service = new NotificationsInterface('org.freedesktop.Notifications');
  bus.export('/org/freedesktop/Notifications', service);
  await bus.requestName('org.freedesktop.Notifications', 0);
  return { shown: service.shown, close: () => leave(bus, 'org.freedesktop.Notifications') };
}

type Layout = [number, Record<string, dbus.Variant | undefined>, dbus.Variant[]];

const childrenOf = (layout: unknown): unknown[] => (layout as Layout)[2].map(({ value }): unknown => value);

function entryOf(layout: unknown): Entry {
  const [id, properties] = layout as Layout;
  return { id, label: String(properties['label']?.value ?? '').replaceAll('_', '') };
}
