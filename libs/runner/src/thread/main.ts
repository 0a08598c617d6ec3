import { parentPort, workerData } from 'node:worker_threads';
import { Cancelled } from '#go';
import type { ChunkSettings, ObjectEffect } from '#evaluation';
import { packDocuments, unpackItems } from '../pack-items.ts';
import type { DocumentList, PackedDocuments, ThreadReply, ThreadRequest, Work, WorkResult } from '../protocol.ts';
import { SharedCancellationFlag } from '../shared-cancellation-flag.ts';
import { cutDocuments } from './cut-documents.ts';
import { DefinitionCache } from './definition-cache.ts';
import { evaluateItems } from './evaluate-items.ts';
import { explainText } from './explain-definition.ts';
import { growLists } from './grow-lists.ts';
import { judgeText } from './judge-definition.ts';
import { measureItems } from './measure-items.ts';
import { objectEffect } from './object-effect.ts';
import { PolicyCache } from './policy-cache.ts';
import { reviewPolicies } from './review-policies.ts';

/** The only place where the engine is loaded: one piece of work after the other, stoppable through the shared flag. */
const token = new SharedCancellationFlag((workerData as { flag: SharedArrayBuffer }).flag);
const cache = new DefinitionCache();
const policies = new PolicyCache();
let pending: Work | undefined;

const tell = (reply: ThreadReply): void => parentPort?.postMessage(reply);

parentPort?.on('message', (request: ThreadRequest) => {
  try {
    if (request.type === 'work') begin(request.work);
    else if (request.type === 'end') parentPort?.close();
    else {
      for (const text of request.definitions) {
        if (text.holds === 'policies') policies.compile(text, token);
        else cache.compile(text);
      }
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
  const missing = work.kind === 'evaluate' || work.kind === 'grow' ? missingTexts(work.settings) : [];
  if (missing.length === 0) return finish(work);
  pending = work;
  tell({ type: 'need', digests: missing });
}

function missingTexts({ definitions, policies: digest }: ChunkSettings): string[] {
  const missing = cache.missing(definitions.map((definition) => definition.digest));
  return digest === undefined || policies.get(digest) ? missing : [...missing, digest];
}

function finish(work: Work): void {
  pending = undefined;
  tell({ type: 'done', result: perform(work) });
}

function perform(work: Work): WorkResult {
  switch (work.kind) {
    case 'evaluate':
      return evaluateItems(work, { definitions: cache, policies }, token);
    case 'judge':
      return judgeText(work.definition, work);
    case 'judge-update':
      return judgeText(work.to, { ...work, rules: false }, work.from);
    case 'what-if':
      return effectsOf(work);
    case 'explain':
      return explainText(work.definition, work.asSent);
    case 'measure':
      return measureItems(work.definition, unpackItems(work.items), work.firstItem, work.options, cache, token);
    case 'grow':
      return growLists(work, { definitions: cache, policies }, token);
    case 'review-policies':
      return reviewPolicies(work.policies, work.typeChecking, token);
    case 'documents':
      return packed(cutDocuments(work.bytes, work.lines, work.limits, token));
  }
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

/** The effects on a chunk's objects, as far as it came before it was stopped. */
function effectsOf(work: Extract<Work, { kind: 'what-if' }>): ObjectEffect[] {
  const from = cache.compile(work.from);
  const to = cache.compile(work.to);
  if (!from.ok || !to.ok) throw new Error('a definition that was judged cannot be compiled');
  const change = { from: from.definition, to: to.definition, options: work.options };
  const effects: ObjectEffect[] = [];
  for (const [i, item] of unpackItems(work.items).entries()) {
    const effect = token.cancelled ? undefined : objectEffect(item, work.firstItem + i, change, token);
    if (!effect) break;
    effects.push(effect);
  }
  return effects;
}
