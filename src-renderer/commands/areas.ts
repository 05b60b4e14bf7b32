// The areas of the window, and the one key that goes from each to the next: the way out of a terminal without a mouse.

/** The attribute that marks an area; its element can have focus. */
const AREA = '[data-area]';

const visible = (element: HTMLElement): boolean => element.getClientRects().length > 0;

/** Takes the focus off a row of the session list, so that what appears for typing can have it. */
export function leaveSessionRow(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement.matches('.session-row')) activeElement.blur();
}

/** Focuses the area after the one that has focus: in it, what it marks with `data-area-focus`, else itself. */
export function focusNextArea(): void {
  const areas = [...document.querySelectorAll<HTMLElement>(AREA)].filter(visible);
  const now = areas.findIndex((area) => area.contains(document.activeElement));
  const next = areas[(now + 1) % areas.length];
  const target = next?.querySelector<HTMLElement>('[data-area-focus]') ?? next;
  target?.focus();
}
