import type { PolicyReport } from '#evaluation';
import { indented, shownInLine } from '#report-forms';

/** Returns the answer of a server when a policy or a binding is created, as lines for people; none if it stores it without a word. */
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
    ...typeChecking.flatMap(({ fieldRef, warning }) => [
      `${what}: status.typeChecking warns of ${shownInLine(fieldRef)}`,
      indented(warning.trimEnd()),
    ]),
  ];
}
