import { z } from 'zod';
import { definitionText, definitionWrite, readParts, serverOf } from '#documents';
import type { DocumentSlice, Envelope, EvaluationOptions, Verdict, WantedParts } from '#documents';
import type { Status } from '#kube';
import { evaluateUnqueued } from '../evaluate/evaluate-unqueued.ts';
import type { Engine } from '../ports.ts';
import { judgeChange } from '../what-if/what-if.ts';

/** Parts of an object in a review. */
const written = z.looseObject({ metadata: z.looseObject({}).nullish(), spec: z.unknown().optional() });

/** Schema of the parts of an AdmissionReview that the admission webhook reads. Source: k8s.io/api v0.37, admission/v1/types.go. */
const review = z.object({
  apiVersion: z.literal('admission.k8s.io/v1'),
  kind: z.literal('AdmissionReview'),
  request: z.object({
    uid: z.string().min(1),
    kind: z.object({ group: z.string(), version: z.string(), kind: z.string() }),
    name: z.string().default(''),
    operation: z.enum(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']),
    userInfo: z.object({ username: z.string().optional() }).default({}),
    object: z.instanceof(Buffer).optional(),
    oldObject: z.instanceof(Buffer).optional(),
  }),
});
const REVIEW_PARTS: WantedParts = {
  apiVersion: 'value',
  kind: 'value',
  request: {
    uid: 'value',
    kind: { group: 'value', version: 'value', kind: 'value' },
    name: 'value',
    operation: 'value',
    userInfo: { username: 'value' },
    object: 'bytes',
    oldObject: 'bytes',
  },
};

/** Largest AdmissionReview, in bytes. It is enough for a definition of the largest size, its old state, and the rest of the review. */
export const MAX_REVIEW_BYTES = 8 * 1024 * 1024;

/** Request of an AdmissionReview that an API server sends to a webhook. */
export type ReviewedRequest = Omit<z.infer<typeof review>['request'], 'object' | 'oldObject'> & {
  /** The wanted parts of the object and of the old object. */
  readonly object: z.infer<typeof written> | undefined;
  readonly oldObject: z.infer<typeof written> | undefined;
  /**
   * Bytes of the object and of the old object, as sent in the review. Creations and updates have an object. Updates have an old object, and
   * so do deletions of a single object.
   */
  readonly slices: { readonly object: DocumentSlice | undefined; readonly oldObject: DocumentSlice | undefined };
};

const NO_REVIEW = 'the body is no AdmissionReview of admission.k8s.io/v1';

/**
 * Reads an AdmissionReview. It reads only the parts in `wanted` of the objects; {@link ReviewedRequest.slices} has their bytes. Resolves with
 * an error text if the bytes are not a valid review, or if the object that the operation needs is missing.
 */
export async function readReview(bytes: Buffer, wanted: WantedParts = {}): Promise<ReviewedRequest | string> {
  if (bytes.length > MAX_REVIEW_BYTES) return `an AdmissionReview has at most ${MAX_REVIEW_BYTES} bytes`;
  const reading = await readParts(bytes, REVIEW_PARTS);
  if (!reading.ok) return `the body is no JSON: ${reading.problem}`;
  const parsed = review.safeParse(reading.parts);
  if (!parsed.success) return `${NO_REVIEW}: ${parsed.error.issues[0]?.path.join('.') ?? ''}`;
  const { request } = parsed.data;
  const { operation } = request;
  const slices = {
    object: operation === 'CREATE' || operation === 'UPDATE' ? sliceOf(request.object) : undefined,
    oldObject: operation === 'UPDATE' || operation === 'DELETE' ? sliceOf(request.oldObject) : undefined,
  };
  // A request to delete a collection has no old object.
  const needed = { CREATE: ['object'], UPDATE: ['object', 'oldObject'], DELETE: [], CONNECT: [] } as const;
  const missing = needed[operation].find((key) => slices[key] === undefined);
  if (missing !== undefined) return `${NO_REVIEW}: request.${missing}`;
  const [object, oldObject] = await Promise.all([partsOf(slices.object, wanted), partsOf(slices.oldObject, wanted)]);
  return { ...request, object, oldObject, slices };
}

async function partsOf(slice: ReviewSlice | undefined, wanted: WantedParts): Promise<z.infer<typeof written> | undefined> {
  const reading = slice && (await readParts(slice.bytes, wanted));
  return reading?.ok === true ? written.safeParse(reading.parts).data : undefined;
}

/** Object of a review, in its bytes. */
type ReviewSlice = DocumentSlice & { readonly bytes: Buffer };

const sliceOf = (bytes: Buffer | undefined): ReviewSlice | undefined =>
  bytes === undefined || bytes.toString('latin1', 0, 5) === 'null' ? undefined : { bytes, notation: 'json' };

/** Assay's decision on the request in an AdmissionReview, if Assay is called as an admission webhook. */
export interface ReviewAnswer {
  readonly allowed: boolean;
  /** Reason for the refusal; absent if the request is allowed. */
  readonly message?: string;
  /** Complete Status of the refusal, if a server itself would refuse the request. */
  readonly status?: Status;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** AdmissionReview that a webhook returns as the answer to a request. */
export interface AnsweredReview {
  apiVersion: 'admission.k8s.io/v1';
  kind: 'AdmissionReview';
  response: {
    uid: string;
    allowed: boolean;
    status?: Partial<Status>;
    warnings?: string[];
    auditAnnotations?: Readonly<Record<string, string>>;
  };
}

/** Returns the AdmissionReview that answers a request. */
export function answeredReview(
  uid: string,
  { allowed, message, status: refusal, warnings = [], auditAnnotations }: ReviewAnswer,
): AnsweredReview {
  const status = message === undefined ? {} : { status: refusal ?? { code: 403, reason: 'Forbidden' as const, message } };
  const extras = { ...(warnings.length > 0 && { warnings: [...warnings] }), ...(auditAnnotations && { auditAnnotations }) };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed, ...status, ...extras } };
}

/** Default time in ms for which a server waits for a webhook. Source: kubernetes v1.37, pkg/apis/admissionregistration/v1/defaults.go. */
const DEFAULT_TIMEOUT_MS = 10_000;
/**
 * Longest time in ms for which a server waits for a webhook. Source: kubernetes v1.37,
 * pkg/apis/admissionregistration/validation/validation.go.
 */
export const MAX_REVIEW_MS = 30_000;
/** Part of the server's waiting time, in ms, that is reserved for writing and transmitting the answer. */
const MARGIN_MS = 500;

/**
 * Returns the time in ms that is left for an answer. `text` is the request's parameter `timeout`: the time for which the server waits, as a
 * Go duration such as 10s, or null. `passedMs` is the time in ms since the request arrived. A server never waits longer than 30 s.
 */
export function reviewTimeout(text: string | null, passedMs: number): number {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(text ?? '')?.[1];
  const whole = seconds === undefined ? DEFAULT_TIMEOUT_MS : Math.min(MAX_REVIEW_MS, Number(seconds) * 1000);
  return Math.max(0, Math.floor(whole - MARGIN_MS - passedMs));
}

/**
 * Outcome for the object of an AdmissionReview.
 *
 * - `judged`: the request is allowed, or refused as a server would refuse it.
 * - `unknown`: there is no definition by which the object could be validated.
 * - `unjudged`: the evaluation was stopped, or it broke the engine.
 */
export type ReviewOutcome =
  | { readonly kind: 'judged'; readonly answer: ReviewAnswer }
  | { readonly kind: 'unknown' | 'unjudged'; readonly why: string };

/**
 * Computes the verdict on the object of an AdmissionReview, as a validating webhook does. The given definitions and policies may be
 * stricter than the cluster's definitions and policies. Only policies apply to deletions and connections.
 */
export async function judgeReviewedObject(
  engine: Engine,
  rules: Omit<Envelope, 'objects'>,
  review: Uint8Array,
  signal: AbortSignal,
): Promise<ReviewOutcome> {
  const objects = [{ bytes: Buffer.from(review), notation: 'json' as const }];
  const outcome = await evaluateUnqueued(engine, { ...rules, objects }, signal);
  if (outcome.kind !== 'answered') return { kind: 'unknown', why: outcome.status.message };
  const [first] = (await Array.fromAsync(outcome.answer.results)).flatMap(({ verdicts }) => verdicts);
  if (first === undefined) return { kind: 'unknown', why: 'the request holds no object' };
  const { outcome: verdict, status, warnings } = JSON.parse(first) as Verdict;
  if (verdict === 'accepted') return { kind: 'judged', answer: { allowed: true, warnings } };
  if (verdict === 'rejected')
    return { kind: 'judged', answer: { allowed: false, message: status?.message ?? 'refused', ...(status && { status }), warnings } };
  const isStopped = verdict === 'cancelled' || signal.aborted;
  return { kind: isStopped ? 'unjudged' : 'unknown', why: status?.message ?? 'it was not judged in time' };
}

/**
 * Computes the verdict on the creation or update of a CustomResourceDefinition in an AdmissionReview. The verdict equals the verdict of a
 * server with the Kubernetes minor version in `options`.
 */
export async function judgeReviewedDefinition(
  engine: Engine,
  { slices: { object, oldObject } }: ReviewedRequest,
  options: EvaluationOptions,
  signal: AbortSignal,
): Promise<ReviewOutcome> {
  if (object === undefined) return { kind: 'judged', answer: { allowed: true } };
  const to = definitionText(object, serverOf(options));
  const report =
    oldObject === undefined
      ? await judgeCreation(engine, to, options, signal)
      : await judgeChange(engine, { from: definitionText(oldObject, serverOf(options)), to, options }, signal);
  if (report === undefined) return { kind: 'unjudged', why: 'it was not judged in time' };
  const { accepted, status, warnings } = report;
  if (accepted) return { kind: 'judged', answer: { allowed: true, warnings } };
  return { kind: 'judged', answer: { allowed: false, message: status?.message ?? 'refused', ...(status && { status }), warnings } };
}

async function judgeCreation(
  engine: Engine,
  definition: ReturnType<typeof definitionText>,
  options: EvaluationOptions,
  signal: AbortSignal,
): ReturnType<typeof judgeChange> {
  const answer = await engine.run({ kind: 'judge', definition, rules: false, ...definitionWrite(definition, options) }, { signal });
  return answer.kind === 'done' ? answer.result.report : undefined;
}
