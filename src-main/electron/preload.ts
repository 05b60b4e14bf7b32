// Runs before the window's page and hands it a port to the gateway; nothing else crosses.
import { ipcRenderer } from 'electron';
import { PORT_HANDOVER, PORT_REQUEST } from '../../src-shared/protocol/window-port.ts';
import { PORT_CHANNEL } from './port-channel.ts';

// The main process is compiled without the names of a page; these are the ones that exist here.
declare const location: { readonly origin: string };
declare const window: {
  addEventListener(
    type: 'message',
    listener: (message: { readonly source: unknown; readonly data: unknown }) => void,
  ): void;
  postMessage(message: string, targetOrigin: string, transfer: readonly object[]): void;
};

window.addEventListener('message', (message) => {
  if (message.source === window && message.data === PORT_REQUEST) ipcRenderer.send(PORT_CHANNEL);
});

ipcRenderer.on(PORT_CHANNEL, ({ ports }) => window.postMessage(PORT_HANDOVER, location.origin, ports));
