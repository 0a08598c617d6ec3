/**
 * Control characters that a terminal or a CI system may obey, except tab and newline, and characters that reorder text.
 * See Unicode TR 9, and CVE-2021-25743 for an example in kubectl.
 */
const COMMANDING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/** A line that GitHub's runner takes for a workflow command: it passes over all Unicode white space before one. */
const WORKFLOW_COMMAND = /^([^\S\n]*)::/gm;
/** Text that GitHub's runner, Azure Pipelines or TeamCity takes for a command anywhere in a line. */
const COMMAND_WITHIN = /##(?=[a-z]*\[)/gi;

/**
 * Returns a text that is safe to show: control characters become escapes such as `\u001b`, and commands of CI systems
 * lose their effect. Newlines stay.
 */
export function shownText(text: string): string {
  return shownCharacters(text).replace(WORKFLOW_COMMAND, '$1\\::').replace(COMMAND_WITHIN, '#\\#');
}

/**
 * Returns a text with its control characters escaped, so that they cannot control a terminal. Commands of CI systems are not changed.
 * Intended for output formats that mark the beginnings of lines themselves.
 */
export function shownCharacters(text: string): string {
  return text.replace(COMMANDING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Returns a text that is safe to show within a line, such as a name. In addition to {@link shownText}, newlines are escaped so that the
 * text cannot begin another line.
 */
export function shownInLine(text: string): string {
  return shownText(text.replaceAll('\n', '\\n'));
}

/** Returns a text with all its lines indented for use below a heading. The indent prevents a line from looking like a heading. */
export function indented(text: string, indent = '    '): string {
  return `${indent}${text.replaceAll('\n', `\n${indent}`)}`;
}
