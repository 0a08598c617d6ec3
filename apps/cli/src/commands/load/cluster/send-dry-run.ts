import type { ApiWriter } from '#cluster';
import type { SentWrite } from '../../../../../../loadtests/src/load/send-writes.ts';
import type { LoadedWrite } from './workload.ts';

/** Codes after which every further write would fail, too. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 404, 409]);

/** Sends a write once, as a dry run. Compares the answer with Assay's verdict. */
export async function sendDryRun(writer: ApiWriter, write: LoadedWrite | undefined, signal: AbortSignal): Promise<SentWrite> {
  if (write === undefined) return { kind: 'unanswered', reason: 'no write', problem: 'there is no write' };
  const { path, priced } = write;
  const outcome = await writer.write({ method: 'POST', path, body: Buffer.from(priced.object) }, signal);
  switch (outcome.kind) {
    case 'answered': {
      const { code, ms, retryAfter, body } = outcome;
      const isExpected = code === (priced.isAccepted ? 201 : 422) && isJsonDocument(body);
      const problem = isExpected ? undefined : problemOf(writer, write, outcome);
      return { kind: 'answered', status: code, ms, retryAfter, problem, isFinal: FINAL.has(code) };
    }
    case 'stopped':
      return { kind: 'unanswered', reason: 'stopped', problem: 'the write was stopped' };
    case 'broken':
      return { kind: 'unanswered', reason: outcome.reason, problem: outcome.problem.sentence };
    case 'tooLarge':
    case 'unsent':
      return { kind: 'unanswered', reason: outcome.problem.kind, problem: outcome.problem.sentence };
  }
}

/** Returns true if a body looks like a JSON document. Parsing it would delay the writes that are due. */
const isJsonDocument = (body: Buffer): boolean =>
  /^\s*\{/.test(body.subarray(0, 16).toString()) && /\}\s*$/.test(body.subarray(-16).toString());

/** Returns the problem of an answer that Assay does not expect. */
function problemOf(
  writer: ApiWriter,
  { path, priced, source }: LoadedWrite,
  answer: { readonly code: number; readonly body: Buffer },
): string {
  if (answer.code === 201 && !priced.isAccepted && isJsonDocument(answer.body))
    return `${source}: the server accepts an object that Assay refuses`;
  if (answer.code < 300)
    return `${writer.address.name}: the server answered a create with something that is no JSON object (${answer.code})`;
  const { sentence } = writer.refusal(path, answer);
  if (answer.code === 422) return `${source}: the server refuses an object that Assay accepts. ${sentence}`;
  if (answer.code === 404) return `${sentence}. Does the server have this definition and this namespace?`;
  if (answer.code === 409)
    return `${sentence}. The object keeps its own name because its rules demand it, and the server stores an object of this name`;
  return sentence;
}
