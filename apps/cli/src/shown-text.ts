/**
 * What a terminal or a CI system may take for a command, though it stands in somebody's object: control characters but tab and newline, and those
 * that reorder text (Unicode TR 9; CVE-2021-25743 was such a case of kubectl).
 */
const COMMANDING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/** A line that GitHub's runner takes for a workflow command, and what it and Azure Pipelines take for one anywhere in a line. */
const WORKFLOW_COMMAND = /^([ \t]*)::/gm;
const OLD_WORKFLOW_COMMAND = /##(?=\[|vso)/g;

/** Text for people: what could command a terminal or a CI system is shown as what it is, `\u001b`. Lines stay lines. */
export function shownText(text: string): string {
  return text
    .replace(COMMANDING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(WORKFLOW_COMMAND, '$1\\::')
    .replace(OLD_WORKFLOW_COMMAND, '#\\#');
}

/** The same for what is a part of a line, such as a name: it cannot begin another one. */
export function shownInLine(text: string): string {
  return shownText(text.replaceAll('\n', '\\n'));
}

/** Text of several lines below a heading: all of it is indented, so that none of it looks like one. */
export function indented(text: string, indent = '    '): string {
  return `${indent}${text.replaceAll('\n', `\n${indent}`)}`;
}
