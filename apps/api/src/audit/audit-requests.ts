import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addTally, emptyTally } from '#documents';
import type { ChunkResult } from '#documents';
import type { EvaluationHead } from '#service';
import { knownClientOf } from '../access/client.ts';
import { isWatching } from '../health/watching.ts';
import { whenClosed } from '../http/when-closed.ts';
import { logFields, RequestValue } from '../request-span.ts';
import { MAX_AUDITED_BODY, summaryOf } from './audit-log.ts';
import type { AuditFacts, RequestEvent, AuditLog } from './audit-log.ts';

/** Facts that use cases recorded for each audited request. */
const facts = new RequestValue<AuditFacts>('audit facts');

/**
 * Writes an audit event for each request when it is complete, whether or not it was answered. Health probes and metrics scrapes are not
 * audited.
 */
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

/** Adds facts that a use case knows about a request to the audit event of the request. */
function noteForAudit(request: FastifyRequest, more: AuditFacts): void {
  const known = facts.get(request);
  if (known) facts.set(request, { ...known, ...more });
}

/** Adds the id, the Kubernetes version and the definitions of an accepted evaluation to the audit event of its request. */
export function auditEvaluation(request: FastifyRequest, { id, settings, definitions }: EvaluationHead): void {
  noteForAudit(request, {
    evaluation: id,
    kubernetesVersion: settings.options.kubernetesVersion,
    definitions: definitions.map(({ name, digest }) => ({ name, digest })),
  });
}

/** Results of an evaluation, either as a stream or as a complete list. */
type Results = AsyncIterable<ChunkResult> | readonly ChunkResult[];

/**
 * Passes the results of an evaluation through unchanged. If the request is audited, adds up the tallies (counts in each result) and adds
 * the sum to the audit event of the request.
 */
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
