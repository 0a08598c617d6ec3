import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addTally, emptyTally } from '#evaluation';
import type { ChunkResult } from '#evaluation';
import type { EvaluationRecord } from '#queue';
import { knownClientOf } from '../access/client.ts';
import { isWatching } from '../health/watching.ts';
import { whenClosed } from '../http/when-closed.ts';
import { logFields } from '../request-span.ts';
import { RequestValue } from '../request-value.ts';
import { MAX_AUDITED_BODY, summaryOf } from './audit-event.ts';
import type { AuditFacts, RequestEvent } from './audit-event.ts';
import type { AuditLog } from './audit-log.ts';

/** The facts of audited requests. */
const facts = new RequestValue<AuditFacts>('audit facts');

/** Writes an audit event when a request is over, answered or not; probes and scrapes leave none. */
export function auditRequests(fastify: FastifyInstance, audit: AuditLog): void {
  if (audit.level === 'none') return;
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isWatching(request.routeOptions.url ?? '')) return done();
    const received = new Date();
    facts.set(request, {});
    whenClosed(reply, () => audit.write(eventOf(request, reply.raw.headersSent ? reply.statusCode : 0, received, audit)));
    done();
  });
}

/** Remembers what a use case knows of a request, for its audit event. */
function noteForAudit(request: FastifyRequest, more: AuditFacts): void {
  const known = facts.get(request);
  if (known) facts.set(request, { ...known, ...more });
}

/** Notes an evaluation that was accepted. */
export function auditEvaluation(request: FastifyRequest, { id, settings, definitions }: EvaluationRecord): void {
  noteForAudit(request, {
    evaluation: id,
    kubernetesVersion: settings.options.kubernetesVersion,
    definitions: definitions.map(({ name, digest }) => ({ name, digest })),
  });
}

/** Results of an evaluation: arriving or present ones. */
type Results = AsyncIterable<ChunkResult> | readonly ChunkResult[];

/** Passes results on, and where the request is audited notes what they add up to. */
export function auditResults(request: FastifyRequest, results: Results): Results {
  return facts.get(request) ? summedUp(request, results) : results;
}

async function* summedUp(request: FastifyRequest, results: Results): AsyncGenerator<ChunkResult> {
  const sum = emptyTally();
  try {
    for await (const result of results) {
      addTally(sum, result.tally);
      yield result;
    }
  } finally {
    noteForAudit(request, { summary: summaryOf(sum) });
  }
}

function eventOf(request: FastifyRequest, code: number, received: Date, { level }: AuditLog): RequestEvent {
  const { requestId, traceId } = logFields(request);
  const username = knownClientOf(request)?.name;
  const userAgent = request.headers['user-agent'];
  return {
    kind: 'Event',
    apiVersion: 'audit.assay/v1',
    level,
    auditID: requestId,
    ...(traceId !== undefined && { traceID: traceId }),
    stage: 'ResponseComplete',
    verb: request.method,
    requestURI: request.url,
    user: username === undefined ? {} : { username },
    sourceIPs: [request.ip],
    ...(userAgent !== undefined && { userAgent }),
    requestReceivedTimestamp: received.toISOString(),
    stageTimestamp: new Date().toISOString(),
    responseStatus: { code },
    ...facts.get(request),
    ...(level === 'request' && bodyOf(request)),
  };
}

function bodyOf({ body }: FastifyRequest): Pick<RequestEvent, 'requestObject' | 'requestBytes'> {
  if (!Buffer.isBuffer(body)) return {};
  return { requestObject: body.subarray(0, MAX_AUDITED_BODY).toString(), requestBytes: body.length };
}
