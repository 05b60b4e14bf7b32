// Whether there is a screen for a window: not only named, but served by a program that answers.
import net from 'node:net';
import path from 'node:path';
import { isLinux } from './machine.mjs';

/** A server on another computer may take a moment; one on this computer answers at once. */
const CONNECT_MS = 3000;
const X_PORT = 6000;
const X_FOLDER = '/tmp/.X11-unix';

/** Why no window can be shown, in a few words; undefined where one can. Other systems always count as having a screen. */
export async function reasonAgainstWindow(env = process.env) {
  if (!isLinux) return undefined;
  const { DISPLAY: x, WAYLAND_DISPLAY: wayland } = env;
  if (!x && !wayland) return 'no display: DISPLAY and WAYLAND_DISPLAY are not set';
  if (wayland && (await answers(waylandSocket(wayland, env)))) return undefined;
  if (x && (await anyAnswers(xSockets(x)))) return undefined;
  const named = [x && `DISPLAY is ${x}`, wayland && `WAYLAND_DISPLAY is ${wayland}`].filter(Boolean).join(', ');
  return `no display: ${named}, but nothing answers there`;
}

function waylandSocket(name, env) {
  return path.isAbsolute(name) ? name : path.join(env.XDG_RUNTIME_DIR ?? '/nonexistent', name);
}

/** Where the server of a display listens, in the order in which Xlib tries; none where the name means nothing to us. */
function xSockets(display) {
  const match = /^(?<host>.*?):(?<number>\d+)(\.\d+)?$/.exec(display);
  if (match === null) return [display];
  const { host, number } = match.groups;
  if (host.startsWith('/')) return [host, display];
  const local = [`\0${X_FOLDER}/X${number}`, `${X_FOLDER}/X${number}`];
  const isLocal = host === '' || host === 'unix' || host.endsWith('/unix');
  return isLocal ? local : [{ host, port: X_PORT + Number(number) }];
}

async function anyAnswers(places) {
  for (const place of places) if (await answers(place)) return true;
  return false;
}

function answers(place) {
  return new Promise((resolve) => {
    const socket = net.connect(typeof place === 'string' ? { path: place } : place);
    const settle = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(CONNECT_MS, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
