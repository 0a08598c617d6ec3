import { ADVICE_IDS } from '#documents';
import { briefMessage } from '#editing';
import type { FileLines, Finding } from '#editing';
import { indented, shownInLine, shownText } from '#report';
import { coloured } from './colours.ts';

/** Finding about a document, with the data that a report also shows: the file, the lines of the file, and the name of the object. */
export interface ShownFinding {
  readonly finding: Finding;
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
const isMereNote = ({ severity, reason = '' }: Finding): boolean =>
  severity === 'note' && !(ADVICE_IDS as readonly string[]).includes(reason);

/** Returns the line of the file, cut around the location of the finding, and a line with a mark below that location. */
function excerptLines({ location, severity }: Finding, lines: FileLines): string[] {
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
