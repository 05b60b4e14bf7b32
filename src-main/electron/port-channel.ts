// The one channel between preload script and main process: a request for a port, and the port.

export const PORT_CHANNEL = 'patchbay.port';
