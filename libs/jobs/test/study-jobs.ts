import { emptyTally } from '#documents';
import type { JobKind } from '../src/life/job-kind.ts';
import type { JobRecord } from '../src/ports.ts';
import { flowOf } from './evaluations.ts';

/** Types of the data of a study in tests: texts in place of orders, reports and notes. */
export interface TextForms {
  readonly record: JobRecord;
  readonly part: string;
  readonly body: string;
  readonly result: string;
  readonly note: string;
}

const text = {
  content: 'study',
  field: 'text',
  pack: (value: string) => ({ text: value }),
  unpack: (plain: object) => Object.values(plain)[0] as string,
} as const;

/** Studies whose orders, reports and notes are texts. */
export const TEXT_STUDIES: JobKind<TextForms> = {
  name: 'study',
  isLimited: false,
  record: { content: 'study', field: 'createdAt', pack: (record) => record, unpack: (plain) => plain as JobRecord },
  body: text,
  result: text,
  note: text,
  bodyOf: (order) => order,
  sizeOf: (order) => ({ items: 1, bytes: order.length }),
  bytesOf: (order) => order.length,
  chargeOf: (report) => ({ bytes: report.length, celCharge: 0, tally: emptyTally() }),
  percentOf: (_, note) => note.length,
  deadlineOf: ({ createdAt }) => createdAt + 86_400_000,
  due: (record) => record,
  definitionsOf: () => [],
};

/** Returns the record of a study of the flow `name`. */
export const studyOf = (id: string, name = 'batch'): JobRecord => ({
  id,
  createdAt: Date.now(),
  owner: 'alpha',
  flow: flowOf(name, { level: 'low' }),
});
