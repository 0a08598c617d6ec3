import { parentPort, workerData } from 'node:worker_threads';
import { Cancelled } from '#go';
import { packDocuments } from '../pack-items.ts';
import type { DocumentList, PackedDocuments, ThreadReply, ThreadRequest, Work, WorkResult } from '../protocol.ts';
import { SharedCancellationFlag } from '../shared-cancellation-flag.ts';
import { cutDocuments } from './cut-documents.ts';
import { WorkPerformer } from './perform.ts';

/** The only place where the engine is loaded: one piece of work after the other, stoppable through the shared flag. */
const token = new SharedCancellationFlag((workerData as { flag: SharedArrayBuffer }).flag);
const performer = new WorkPerformer();
let pending: Work | undefined;

const tell = (reply: ThreadReply): void => parentPort?.postMessage(reply);

parentPort?.on('message', (request: ThreadRequest) => {
  try {
    if (request.type === 'work') begin(request.work);
    else if (request.type === 'end') parentPort?.close();
    else {
      for (const text of request.definitions) performer.compile(text, token);
      if (pending) finish(pending);
    }
  } catch (error) {
    pending = undefined;
    tell(error instanceof Cancelled ? { type: 'stopped' } : { type: 'error', detail: whereItFailed(error) });
  }
});
tell({ type: 'ready' });

/** Kind and place of an error, for the log. Not its words: V8's quote keys and values of what was judged. */
function whereItFailed(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames].join('\n');
}

/** Starts work; definitions that the cache lacks are asked for first. */
function begin(work: Work): void {
  const missing = performer.missing(work);
  if (missing.length === 0) return finish(work);
  pending = work;
  tell({ type: 'need', digests: missing });
}

function finish(work: Work): void {
  pending = undefined;
  const result: WorkResult =
    work.kind === 'documents' ? packed(cutDocuments(work.bytes, work.lines, work.limits, token)) : performer.perform(work, token);
  tell({ type: 'done', result });
}

function packed({ status, ...lists }: DocumentList): PackedDocuments {
  const { definitions, policies, objects, types } = lists;
  return {
    definitions: packDocuments(definitions),
    policies: packDocuments(policies),
    objects: packDocuments(objects),
    types,
    ...(status && { status }),
  };
}
