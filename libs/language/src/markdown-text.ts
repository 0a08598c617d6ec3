const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Returns somebody's text for use within Markdown. Images, links and HTML show as text, so that looking at a definition reaches no other host and
 * offers no command. Control characters show as `\u001b`. Emphasis, lists and code stay.
 */
export function markdownText(text: string): string {
  return text.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).replace(/[[\]<!]/g, '\\$&');
}

/** Returns somebody's text as code within a line of Markdown. */
export function markdownCode(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll('\n', ' ')}\``;
}
