import { parentPort, workerData } from 'node:worker_threads';
import { Cancelled } from '#go';
import type { ObjectEffect } from '#evaluation';
import { unpackItems } from '../pack-items.ts';
import type { ThreadReply, ThreadRequest, Work, WorkResult } from '../protocol.ts';
import { SharedCancellationFlag } from '../shared-cancellation-flag.ts';
import { cutDocuments } from './cut-documents.ts';
import { DefinitionCache } from './definition-cache.ts';
import { evaluateItems } from './evaluate-items.ts';
import { explainText } from './explain-definition.ts';
import { judgeText } from './judge-definition.ts';
import { measureItems } from './measure-items.ts';
import { objectEffect } from './object-effect.ts';

/** The only place where the engine is loaded: one piece of work after the other, stoppable through the shared flag. */
const token = new SharedCancellationFlag((workerData as { flag: SharedArrayBuffer }).flag);
const cache = new DefinitionCache();
let pending: Work | undefined;

const tell = (reply: ThreadReply): void => parentPort?.postMessage(reply);

parentPort?.on('message', (request: ThreadRequest) => {
  try {
    if (request.type === 'work') begin(request.work);
    else {
      for (const text of request.definitions) cache.compile(text);
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
  const missing = work.kind === 'evaluate' ? cache.missing(work.settings.definitions.map(({ digest }) => digest)) : [];
  if (missing.length === 0) return finish(work);
  pending = work;
  tell({ type: 'need', digests: missing });
}

function finish(work: Work): void {
  pending = undefined;
  tell({ type: 'done', result: perform(work) });
}

function perform(work: Work): WorkResult {
  switch (work.kind) {
    case 'evaluate':
      return evaluateItems(work, cache, token);
    case 'judge':
      return judgeText(work.definition, work.rules);
    case 'judge-update':
      return judgeText(work.to, false, work.from);
    case 'what-if':
      return effectsOf(work);
    case 'explain':
      return explainText(work.definition);
    case 'measure':
      return measureItems(work.definition, unpackItems(work.items), work.firstItem, work.options, cache, token);
    case 'documents':
      return cutDocuments(work.bytes, work.lines, token);
  }
}

/** The effects on a chunk's objects, as far as it came before it was stopped. */
function effectsOf(work: Extract<Work, { kind: 'what-if' }>): ObjectEffect[] {
  const from = cache.compile(work.from);
  const to = cache.compile(work.to);
  if (!from.ok || !to.ok) throw new Error('a definition that was judged cannot be compiled');
  const effects: ObjectEffect[] = [];
  for (const [i, item] of unpackItems(work.items).entries()) {
    const effect = token.cancelled
      ? undefined
      : objectEffect(item, work.firstItem + i, from.definition, to.definition, work.options, token);
    if (!effect) break;
    effects.push(effect);
  }
  return effects;
}
