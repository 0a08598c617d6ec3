import { styleText } from 'node:util';
import { ADVICE_IDS } from '#documents';
import type { PolicyReport } from '#documents';
import { briefMessage } from '#editing';
import type { FileLines, EditorFinding } from '#editing';
import { indented, shownInLine, shownText } from '#report';

/** Finding about a document, with the data that a report also shows: the file, the lines of the file, and the name of the object. */
export interface ShownFinding {
  readonly finding: EditorFinding;
  /** Path of the file as the report shows it. */
  readonly file: string;
  /** Lines of the file; undefined if the text is not available. */
  readonly lines: FileLines | undefined;
  /** Name of the object or definition that the finding is about, such as `Widget "a"`. */
  readonly about: string;
}

/** Maximum number of columns of a file's line that are shown around the location of a finding. */
const SHOWN_COLUMNS = 100;
/** Maximum number of columns that are shown before the location of a finding if the line is cut. */
const SHOWN_BEFORE = 60;
const COLOURS = { error: 'red', warning: 'yellow', note: 'cyan' } as const;

/**
 * Returns a finding (error, warning or note) as text lines in the form of compiler messages: `file:line:column: error: …`, the line of the
 * file, and a mark below the location.
 */
export function findingLines({ finding, file, lines, about }: ShownFinding): string[] {
  const { severity, field, location } = finding;
  const [first = '', ...others] = briefMessage(finding).split('\n');
  const place = location === undefined ? file : `${file}:${location.line}:${location.column}`;
  const words = [about, ...(field === undefined ? [] : [field]), first].join(': ');
  return [
    `${shownInLine(place)}: ${coloured(COLOURS[severity], severity)}: ${shownInLine(words)}`,
    ...others.map((line) => indented(line)),
    ...(location === undefined || lines === undefined || isMereNote(finding) ? [] : excerptLines(finding, lines)),
  ];
}

/**
 * Returns true for a note of the server, which has no location to show. Advice is also a note but has a location, so the result is false
 * for advice.
 */
const isMereNote = ({ severity, reason = '' }: EditorFinding): boolean =>
  severity === 'note' && !(ADVICE_IDS as readonly string[]).includes(reason);

/** Returns the line of the file, cut around the location of the finding, and a line with a mark below that location. */
function excerptLines({ location, severity }: EditorFinding, lines: FileLines): string[] {
  if (location === undefined) return [];
  const { line, column, endLine, endColumn } = location;
  const text = lines.charactersOf(line);
  if (text.every((character) => character.trim() === '')) return [];
  const from = text.length <= SHOWN_COLUMNS ? 0 : Math.max(0, column - 1 - SHOWN_BEFORE);
  const before = shownPart(text.slice(from, column - 1));
  const length = Math.min(endLine === line ? endColumn - column : 1, from + SHOWN_COLUMNS - column + 1);
  const marked = shownPart(text.slice(column - 1, column - 1 + length));
  const after = shownPart(text.slice(column - 1 + length, from + SHOWN_COLUMNS));
  const cut = [from > 0 ? '…' : '', from + SHOWN_COLUMNS < text.length ? '…' : ''] as const;
  const number = String(line).padStart(6);
  const mark = ' '.repeat(columnsOf(cut[0] + before)) + coloured(COLOURS[severity], '^'.repeat(Math.max(1, columnsOf(marked))));
  return [`${number} | ${cut[0]}${before}${marked}${after}${cut[1]}`, `${' '.repeat(number.length)} | ${mark}`];
}

const shownPart = (characters: readonly string[]): string => shownText(characters.join('').replaceAll('\t', ' '));
const columnsOf = (text: string): number => [...text].length;

/** Terminal colour. */
type Colour = 'red' | 'yellow' | 'green' | 'cyan';

/**
 * Returns a word in colour if standard output is a terminal and the user has not disabled colours (https://no-color.org), or if colour is
 * forced. Otherwise returns the word unchanged.
 */
function coloured(colour: Colour, word: string): string {
  return wantsColour() ? styleText(colour, word, { validateStream: false }) : word;
}

function wantsColour(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return process.stdout.isTTY && (NO_COLOR ?? '') === '' && TERM !== 'dumb' && FORCE_COLOR === undefined;
}

/**
 * Returns a server's answer to the creation of a policy or a binding, as lines of text. Returns no lines if the server stores the document
 * without warnings.
 */
export function policyReportLines({ kind, name, accepted, status, warnings, hints = [], typeChecking = [] }: PolicyReport): string[] {
  const what = shownInLine(`${kind} "${name}"`);
  return [
    ...(accepted
      ? []
      : [
          `${what} would be refused when it is written; objects are judged ${status?.code === 404 ? 'without it' : 'as if it were stored'}`,
          indented(status?.message ?? ''),
        ]),
    ...hints.map((hint) => `${what}: note: ${shownInLine(hint)}`),
    ...warnings.map((warning) => `${what}: warning: ${shownInLine(warning)}`),
    ...typeChecking.flatMap(({ fieldRef, warning, suggestions = [] }) => [
      `${what}: status.typeChecking warns of ${shownInLine(fieldRef)}`,
      indented(warning.trimEnd()),
      ...suggestions.map(({ field, name }) => indented(`did you mean ${name} instead of ${field}?`)),
    ]),
  ];
}
