import type { PolicyReport } from '#documents';
import { indented, shownInLine } from '#report';

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
