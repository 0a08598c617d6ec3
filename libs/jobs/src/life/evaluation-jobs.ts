import { chunkBytes, verdictBytes } from '#documents';
import type { ChunkResult } from '#documents';
import { DEFAULT_FLOW_LIMITS } from '#runner/flow';
import type { EvaluationForms, EvaluationRecord, JobPart } from '../ports.ts';
import type { JobKind } from './job-kind.ts';
import { packedPart, packedResult, unpackedPart, unpackedResult } from './packed-forms.ts';
import type { PackedPart, PackedResult } from './packed-forms.ts';

/** Kind of jobs that evaluate objects. */
export const EVALUATION_JOBS: JobKind<EvaluationForms> = {
  name: 'evaluation',
  isLimited: true,
  record: { content: 'record', field: 'settings', pack: (record) => record, unpack: (plain) => withFlow(plain as EvaluationRecord) },
  body: { content: 'chunk', field: 'firstItem', pack: packedPart, unpack: partOf },
  result: { content: 'result', field: 'tally', pack: packedResult, unpack: resultOf },
  note: { content: 'record', field: '', pack: () => ({}), unpack: () => undefined },
  bodyOf: (items, firstItem) => ({ firstItem, items }),
  sizeOf: (items) => ({ items: items.length, bytes: chunkBytes(items) }),
  bytesOf: ({ items }) => chunkBytes(items),
  chargeOf: (result) => ({ bytes: verdictBytes(result), celCharge: result.celCharge, tally: result.tally }),
  percentOf: () => 0,
  deadlineOf: ({ settings }) => settings.deadlineAt,
  due: (record, deadlineAt) => ({ ...record, settings: { ...record.settings, deadlineAt } }),
  definitionsOf: ({ settings: { definitions } }) => definitions.map(({ digest }) => digest),
};

/** Unpacks a part. Journals of form 1 contain its items in another form. */
function partOf(plain: object): JobPart {
  const part = plain as PackedPart | JobPart;
  return 'items' in part ? { firstItem: part.firstItem, items: part.items } : unpackedPart(part);
}

/** Unpacks a result. Journals of form 1 contain its verdicts in another form. */
function resultOf(plain: object): ChunkResult {
  const result = plain as PackedResult | ChunkResult;
  return 'verdicts' in result ? result : unpackedResult(result);
}

/**
 * Adds missing fields to a record from an older journal. Journals that predate flow control contain only the name of a flow, or no flow.
 * Journals that predate the limits of results lack these limits.
 */
function withFlow(record: EvaluationRecord): EvaluationRecord {
  const flow: unknown = record.flow;
  if (typeof flow === 'object') return { ...record, flow: { ...record.flow, limits: { ...DEFAULT_FLOW_LIMITS, ...record.flow.limits } } };
  const name = typeof flow === 'string' ? flow : '';
  return { ...record, flow: { level: 'normal', name, division: '', weight: 1, limits: DEFAULT_FLOW_LIMITS } };
}
