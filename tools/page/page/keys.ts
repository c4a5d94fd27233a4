// Keys that are pressed.

/** `true` if the browser has a meaning of its own for the keys, such as Alt+Left, which goes back. */
export function isShortcut(event: KeyboardEvent): boolean {
  return event.altKey || event.ctrlKey || event.metaKey;
}
