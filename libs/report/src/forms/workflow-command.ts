import { shownCharacters } from './shown-text.ts';

/** Problem or note that GitHub shows beside a line of a file because of a workflow command. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly file: string;
  /** Line of the file. Line and column are counted from 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly title: string;
  readonly message: string;
}

/** Returns a GitHub workflow command that shows a problem beside a line of a file. */
export function workflowCommand({ level, file, line, column, title, message }: Annotation): string {
  const place = [...(line === undefined ? [] : [`line=${line}`]), ...(column === undefined ? [] : [`col=${column}`])];
  const properties = [`file=${escapeProperty(file)}`, ...place, `title=${escapeProperty(title)}`];
  return `::${level} ${properties.join(',')}::${escapeData(message)}\n`;
}

/** Escapes text for the message of a GitHub workflow command. Also escapes what would command a terminal. */
const escapeData = (value: string): string => shownCharacters(value).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (value: string): string => escapeData(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
