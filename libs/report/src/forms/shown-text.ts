/**
 * Matches characters that can control a terminal or a CI system, or that reorder text. Tab and newline are excluded. See Unicode TR 9, and
 * CVE-2021-25743 for an example in kubectl.
 */
export const COMMANDING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/**
 * Matches the beginning of a line that GitHub's runner interprets as a workflow command. The runner skips Unicode white space before a
 * command.
 */
const WORKFLOW_COMMAND = /^([^\S\n]*)::/gm;
/** Matches text that GitHub's runner, Azure Pipelines or TeamCity interprets as a command anywhere in a line. */
const COMMAND_WITHIN = /##(?=[a-z]*\[)/gi;

/**
 * Returns a text that is safe to show. Control characters become escapes such as `\u001b`, and commands of CI systems are made ineffective.
 * Newlines are kept.
 */
export function shownText(text: string): string {
  return shownCharacters(text).replace(WORKFLOW_COMMAND, '$1\\::');
}

/**
 * Returns a text with its control characters and the commands within lines escaped. Newlines are kept, and the beginnings of lines are not
 * changed. Intended for output formats in which no line begins with text from a document.
 */
export function shownCharacters(text: string): string {
  return text.replace(COMMANDING, escaped).replace(COMMAND_WITHIN, '#\\#');
}

/**
 * Returns true if a text can command a terminal or a CI system, wherever a writer breaks the text into lines.
 */
export function canCommand(text: string): boolean {
  return text.search(COMMANDING) !== -1 || text.search(COMMAND_WITHIN) !== -1 || /(?:^|\s)::/.test(text);
}

/**
 * Returns a JSON value as text that commands neither a terminal nor a CI system. Such characters become escapes, so that a parser returns
 * the value unchanged. The text ends without a newline.
 *
 * @param indent number of spaces of each level; 0 writes the value in one line
 */
export function jsonText(value: unknown, indent = 2): string {
  return escapedInQuotes(JSON.stringify(value, null, indent));
}

/**
 * Returns the text of a JSON or YAML document in which each character that {@link commands} finds is an escape. All such characters must
 * stand between double quotes.
 */
export function escapedInQuotes(text: string): string {
  return text.replace(COMMANDING, escaped).replace(COMMAND_WITHIN, `#${escaped('#')}`);
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Returns a text that is safe to show within a line, such as a name. Unlike {@link shownText}, it also escapes newlines, so that the text
 * cannot begin another line.
 */
export function shownInLine(text: string): string {
  return shownText(text.replaceAll('\n', '\\n'));
}

/**
 * Returns a text that is safe to show ({@link shownText}) with all lines indented, for display below a heading. The indent prevents a line
 * from being mistaken for a heading.
 */
export function indented(text: string, indent = '    '): string {
  return shownText(`${indent}${text.replaceAll('\n', `\n${indent}`)}`);
}

/** Returns a text, shortened to at most `width` code points. A shortened text ends with an ellipsis. */
export function cutText(text: string, width: number): string {
  const points = [...text];
  return points.length > width ? `${points.slice(0, width - 1).join('')}…` : text;
}
