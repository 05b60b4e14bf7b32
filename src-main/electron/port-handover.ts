// Gives the window's page a port to the gateway when it asks for one, and nobody else.
import { MessageChannelMain, ipcMain } from 'electron';
import type { WebFrameMain } from 'electron';
import type { Gateway } from '../gateway/port.ts';
import { PORT_CHANNEL } from './port-channel.ts';

/** Answers requests for ports; those that come before the gateway runs wait for it. */
export function handOverPorts(gateway: Promise<Gateway>, pageOrigin: string): void {
  ipcMain.on(PORT_CHANNEL, (event) => {
    if (!isOurPage(event.senderFrame, pageOrigin)) return;
    const { sender } = event;
    gateway.then(
      (running) => {
        if (sender.isDestroyed()) return;
        const { port1, port2 } = new MessageChannelMain();
        running.attachPort(port1, 'owner');
        sender.postMessage(PORT_CHANNEL, null, [port2]);
      },
      // The start was refused; the program is about to end and has said why.
      () => undefined,
    );
  });
}

function isOurPage(frame: WebFrameMain | null, pageOrigin: string): boolean {
  return frame !== null && frame.parent === null && new URL(frame.url).href.startsWith(`${pageOrigin}/`);
}
