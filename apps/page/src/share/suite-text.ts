import { stringify } from 'yaml';
import type { Evaluation } from '../judge/judge-client.ts';

/** Test case for a suite that the page writes: the text of one document from the page, with the report on this document. */
export interface WrittenCase {
  readonly title: string;
  readonly text: string;
  /** Text of the stored object; absent if the case is not an update. */
  readonly old?: string;
  readonly report: Evaluation['objects'][number];
}

/**
 * Returns a suite for `assay test` that expects the current verdicts, in the format of openshift/api. The definition must be in a file
 * `crd.yaml` beside the suite.
 */
export function suiteText(name: string, cases: readonly WrittenCase[]): string {
  const expected = ({ report }: WrittenCase) =>
    report.outcome === 'accepted'
      ? report.stored === undefined
        ? {}
        : { expected: stringify(JSON.parse(report.stored)) }
      : { expectedError: wordsOf(report) };
  const numbered = cases.map((one, i) => ({ name: `${i + 1}: ${one.title}`, one }));
  const onCreate = numbered
    .filter(({ one }) => one.old === undefined)
    .map(({ name, one }) => ({ name, initial: one.text, ...expected(one) }));
  const onUpdate = numbered
    .filter(({ one }) => one.old !== undefined)
    .map(({ name, one }) => ({ name, initial: one.old, updated: one.text, ...expected(one) }));
  return stringify(
    { name, tests: { ...(onCreate.length > 0 && { onCreate }), ...(onUpdate.length > 0 && { onUpdate }) } },
    { lineWidth: 0 },
  );
}

/** Returns the part of the server's message that a case expects: the message of its first error. */
function wordsOf({ findings, message = '' }: Evaluation['objects'][number]): string {
  return findings.find(({ severity }) => severity === 'error')?.message ?? message;
}
