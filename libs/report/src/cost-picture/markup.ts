/** Characters that XML 1.0 cannot contain, not even escaped: most control characters, halves of surrogate pairs, U+FFFE and U+FFFF. */
const NOT_IN_XML =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** Characters that reorder or hide text (Unicode TR 9). They are escaped, because a picture must show the true text of a rule. */
const REORDERING = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Escapes text for the content and the attributes of HTML and SVG. Characters that could reorder the surrounding text are shown as their
 * code number. Words that a CI system interprets as commands are written as entities, because a page may be written to a log.
 */
export function escapedMarkup(text: string): string {
  return text
    .replace(NOT_IN_XML, '\ufffd')
    .replace(REORDERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replaceAll('::', '&#58;:')
    .replaceAll('##', '#&#35;');
}
