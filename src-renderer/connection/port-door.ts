// The window's way to the gateway: a MessagePort that the preload script hands over on request.
import { PORT_HANDOVER, PORT_REQUEST } from '../../src-shared/protocol/index.ts';
import type { Door, Transport, TransportEvents } from './transport.ts';

function listen(port: MessagePort, events: TransportEvents): void {
  port.addEventListener('message', (message: MessageEvent<unknown>) => {
    if (typeof message.data === 'string') events.onText(message.data);
    else if (message.data instanceof Uint8Array) events.onBytes(message.data);
  });
  port.addEventListener('close', () => events.onEnd('lost'));
  port.start();
}

function openPort(events: TransportEvents): Transport {
  let port: MessagePort | undefined;
  const receive = (message: MessageEvent<unknown>): void => {
    const [handed] = message.ports;
    if (message.source !== window || message.data !== PORT_HANDOVER || handed === undefined) return;
    window.removeEventListener('message', receive);
    port = handed;
    listen(handed, events);
    events.onOpen();
  };
  window.addEventListener('message', receive);
  window.postMessage(PORT_REQUEST, location.origin);
  return {
    send: (text) => port?.postMessage(text),
    close: () => {
      window.removeEventListener('message', receive);
      port?.close();
    },
  };
}

/** The door of the window; nobody needs a token there. */
export const portDoor: Door = { open: openPort, access: () => Promise.resolve('granted') };
