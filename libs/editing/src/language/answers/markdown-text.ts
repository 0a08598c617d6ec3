const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Escapes a text from a user's document for use in Markdown. Images, links and HTML are shown as text. Displaying a definition therefore
 * contacts no host and offers no command. Control characters are shown as `\u001b`. Emphasis, lists and code are kept.
 */
export function markdownText(text: string): string {
  return text.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).replace(/[[\]<!]/g, '\\$&');
}

/** Returns a text from a user's document as inline code in Markdown. */
export function markdownCode(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll('\n', ' ')}\``;
}
