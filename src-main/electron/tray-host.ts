// Finds out whether this desktop shows tray icons, so that closing the window never hides it where nobody finds it.
import { variantBoolean } from './dbus-messages.ts';
import { askSessionBus } from './session-bus.ts';

const WATCHER = 'org.kde.StatusNotifierWatcher';

/** True when a tray icon of ours can be seen. On Linux: when the desktop's watcher says that somebody draws the icons. */
export async function hasTrayHost(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  if (platform !== 'linux') return true;
  try {
    const reply = await askSessionBus(
      {
        destination: WATCHER,
        path: '/StatusNotifierWatcher',
        interface: 'org.freedesktop.DBus.Properties',
        member: 'Get',
        args: [WATCHER, 'IsStatusNotifierHostRegistered'],
      },
      environment,
    );
    return reply.ok && variantBoolean(reply.body);
  } catch {
    // No bus, no watcher, no answer: to the person it is all the same, there is no tray.
    return false;
  }
}
