/**
 * What a terminal or a CI system may take for a command, though it stands in somebody's object: control characters but tab and newline, and those
 * that reorder text (Unicode TR 9; CVE-2021-25743 was such a case of kubectl).
 */
const COMMANDING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/** A line that GitHub's runner takes for a workflow command: it passes over all Unicode white space before one. */
const WORKFLOW_COMMAND = /^([^\S\n]*)::/gm;
/** Text that GitHub's runner, Azure Pipelines or TeamCity takes for a command anywhere in a line. */
const COMMAND_WITHIN = /##(?=[a-z]*\[)/gi;

/** Text for people: what could command a terminal or a CI system is shown as what it is, `\u001b`. Lines stay lines. */
export function shownText(text: string): string {
  return shownCharacters(text).replace(WORKFLOW_COMMAND, '$1\\::').replace(COMMAND_WITHIN, '#\\#');
}

/** Returns a text whose characters command no terminal, for a form of its own that says where a line begins. */
export function shownCharacters(text: string): string {
  return text.replace(COMMANDING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for what is a part of a line, such as a name: it cannot begin another one. */
export function shownInLine(text: string): string {
  return shownText(text.replaceAll('\n', '\\n'));
}

/** Text of several lines below a heading: all of it is indented, so that none of it looks like one. */
export function indented(text: string, indent = '    '): string {
  return `${indent}${text.replaceAll('\n', `\n${indent}`)}`;
}
