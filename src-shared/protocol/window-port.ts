// The words by which the window's page gets its port; free of packages, because the preload script holds them, too.

/**
 * The window's way: the page posts {@link PORT_REQUEST} to its own window; the preload script answers with
 * {@link PORT_HANDOVER} and one MessagePort. Text on the port is JSON (messages.ts), a Uint8Array is a frame. When the
 * port closes (`close` event), the page asks again.
 */
export const PORT_REQUEST = 'patchbay:want-port';
export const PORT_HANDOVER = 'patchbay:port';
