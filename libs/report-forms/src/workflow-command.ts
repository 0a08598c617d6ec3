/** A note that a workflow command shows beside a file. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly file: string;
  /** From 1, as columns are. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly title: string;
  readonly message: string;
}

/** Returns a workflow command of GitHub, which shows a problem beside the line that it is about. */
export function workflowCommand({ level, file, line, column, title, message }: Annotation): string {
  const place = [...(line === undefined ? [] : [`line=${line}`]), ...(column === undefined ? [] : [`col=${column}`])];
  const properties = [`file=${escapeProperty(file)}`, ...place, `title=${escapeProperty(title)}`];
  return `::${level} ${properties.join(',')}::${escapeData(message)}\n`;
}

/** Escapes of GitHub's workflow commands. */
const escapeData = (value: string): string => value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (value: string): string => escapeData(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
