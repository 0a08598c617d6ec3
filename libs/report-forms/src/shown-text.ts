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

/** Returns a text whose characters command no terminal, for a form of its own that says where a line begins. */
export function shownCharacters(text: string): string {
  return text.replace(COMMANDING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns the same for what is a part of a line, such as a name: it cannot begin another one. */
export function shownInLine(text: string): string {
  return shownText(text.replaceAll('\n', '\\n'));
}

/** Returns text of several lines below a heading: all of it is indented, so that none of it looks like one. */
export function indented(text: string, indent = '    '): string {
  return `${indent}${text.replaceAll('\n', `\n${indent}`)}`;
}
