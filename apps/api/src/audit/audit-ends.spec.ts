import { describe, expect, it } from 'vitest';
import type { EndedJob, EvaluationRecord, JobStore } from '#jobs';
import { emptyTally } from '#documents';
import type { StudyState } from '#service';
import { AuditedEnds } from './audit-ends.ts';
import type { AuditEvent, AuditLevel, AuditLog } from './audit-log.ts';

type Read = Pick<JobStore, 'record' | 'progress'>;
const never = new Promise<never>(() => undefined);
const away = (): Promise<never> => Promise.reject(new Error('the storage does not serve'));

const auditOf = (level: AuditLevel, lines: AuditEvent[]): AuditLog =>
  ({ level, write: (event: AuditEvent) => void lines.push(event) }) as unknown as AuditLog;

/**
 * Returns the audit lines for an evaluation that ended, where `results` replaces the storage. Returns undefined if nothing listens for
 * the ends of evaluations.
 */
async function linesOf(results: Read, ended: EndedJob, level: AuditLevel = 'metadata'): Promise<AuditEvent[] | undefined> {
  let tell: ((ended: EndedJob) => void) | undefined;
  const lines: AuditEvent[] = [];
  const onEnded: JobStore['onEnded'] = (listener) => ((tell = listener), () => undefined);
  const audited = new AuditedEnds(auditOf(level, lines));
  audited.ofEvaluations({ onEnded, ...results });
  tell?.(ended);
  await audited.written();
  return tell && lines;
}

describe('the audit line at the end of an asynchronous evaluation', () => {
  const record = { owner: undefined, settings: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' } };
  const tally = { ...emptyTally(), items: 2, accepted: 1, cancelled: 1, celCost: 7, phases: { total: 3 } };
  const readable: Read = {
    record: () => Promise.resolve(record as EvaluationRecord),
    progress: () => Promise.resolve({ phase: 'complete', starts: 1, partsDone: 1, partsTotal: 1, tally }),
  };
  const frame = { kind: 'Event', apiVersion: 'audit.assay/v1', level: 'metadata', stage: 'EvaluationEnded', evaluation: 'e1' };
  const stageTimestamp = expect.stringMatching(/^\d{4}-.*Z$/) as string;

  it('contains all data that the storage has about the evaluation', async () => {
    const { phases: _, ...summary } = tally;
    expect(await linesOf(readable, { id: 'e1', end: 'complete' })).toEqual([
      { ...frame, traceID: '0af7651916cd43dd8448eb211c80319c', user: {}, stageTimestamp, end: 'complete', summary },
    ]);
  });

  it.each([
    ['is unavailable', { record: away, progress: away }],
    ['does not answer', { record: () => never, progress: () => never }],
    ['no longer has the evaluation', { record: () => Promise.resolve(undefined), progress: () => Promise.resolve(undefined) }],
  ])('states how the evaluation ended if the storage %s', async (_, results) => {
    expect(await linesOf(results, { id: 'e1', end: 'lost' })).toEqual([{ ...frame, stageTimestamp, end: 'lost' }]);
  });

  it('contains the readable data if the rest is unreadable', async () => {
    expect(await linesOf({ ...readable, progress: away }, { id: 'e1', end: 'cancelled' })).toMatchObject([{ end: 'cancelled', user: {} }]);
  });

  it('is not written if auditing is off', async () => {
    expect(await linesOf(readable, { id: 'e1', end: 'complete' }, 'none')).toBeUndefined();
  });
});

describe('the audit line at the end of a study', () => {
  const record = { id: 's1', owner: 'team', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  const state = { record, phase: 'failed', threadMs: 7 } as StudyState;
  const frame = { kind: 'Event', apiVersion: 'audit.assay/v1', level: 'metadata', stage: 'StudyEnded', benchmark: 's1' };
  const stageTimestamp = expect.stringMatching(/^\d{4}-.*Z$/) as string;

  async function linesOfStudy(end: EndedJob['end'], ended: () => Promise<StudyState | undefined>): Promise<AuditEvent[]> {
    let tell: ((job: EndedJob) => void) | undefined;
    const lines: AuditEvent[] = [];
    const audited = new AuditedEnds(auditOf('metadata', lines));
    audited.ofStudies({ onEnded: (listener) => void (tell = listener), find: ended });
    tell?.({ id: 's1', end });
    await audited.written();
    return lines;
  }

  it('contains the owner, the kind of end and the thread time', async () => {
    const known = { traceID: '0af7651916cd43dd8448eb211c80319c', user: { username: 'team' }, threadMs: 7 };
    expect(await linesOfStudy('complete', () => Promise.resolve(state))).toEqual([{ ...frame, stageTimestamp, ...known, end: 'failed' }]);
  });

  it.each([
    ['lost', 'failed'],
    ['cancelled', 'cancelled'],
  ] as const)('contains the kind of end even if the storage lost the study: %s', async (end, phase) => {
    expect(await linesOfStudy(end, away)).toEqual([{ ...frame, stageTimestamp, end: phase }]);
  });
});
