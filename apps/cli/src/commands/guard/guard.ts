import { pathOfObjects, servedDefinition } from '#cluster';
import type { Cluster } from '#cluster';
import { isPolicyType, readParts, readSlice } from '#documents';
import type { DocumentSlice, EvaluationOptions, WantedParts } from '#documents';
import type { Engine } from '#runner';
import { isJsonObject } from '#go';
import { guardDefinition, GuardFindings, guardPolicy, guardPolicyChange } from '#service';
import type { GuardCheck, ReviewAnswer, ReviewedRequest } from '#service';
import { EXEMPT_LABEL, GUARD_MODES, MODE_ANNOTATION } from './guard-settings.ts';
import type { GuardMode, GuardSettings } from './guard-settings.ts';
import { readPolicyChange } from './read-policy-change.ts';

/** Parts of a definition, a policy or a binding that the guard reads on its own thread. The engine reads the whole object. */
export const GUARDED_PARTS: WantedParts = {
  metadata: { name: 'value', labels: { [EXEMPT_LABEL]: 'value' }, annotations: { [MODE_ANNOTATION]: 'value' } },
  spec: {
    group: 'value',
    scope: 'value',
    names: { plural: 'value', kind: 'value' },
    versions: [{ name: 'value', served: 'value', storage: 'value' }],
  },
};

/** Decision of the guard (the admission webhook of Assay) about one change of a definition or policy, with the reasons for it. */
export interface GuardDecision {
  readonly answer: ReviewAnswer;
  /** Outcome of the decision. `exempt` means that the change was not examined. */
  readonly outcome: 'allowed' | 'denied' | 'warned' | 'audited' | 'exempt';
  readonly findings: readonly string[];
  /** Number of stored objects for which the guard computed verdicts. */
  readonly objects: number;
  /**
   * CEL cost, in cost units, of writing the stored objects under the policies before and after the change. Undefined if the guard did not
   * try such writes.
   */
  readonly policyCost?: { readonly before: number; readonly after: number } | undefined;
  readonly late: boolean;
}

/**
 * Logic of an admission webhook for definitions and admission policies. It allows or denies a create or update of such an object by the
 * effects on a cluster.
 */
export class Guard {
  readonly #cluster: Cluster;
  readonly #engine: Engine;
  readonly #options: EvaluationOptions;
  readonly #settings: GuardSettings;

  constructor(cluster: Cluster, engine: Engine, options: EvaluationOptions, settings: GuardSettings) {
    this.#cluster = cluster;
    this.#engine = engine;
    this.#options = options;
    this.#settings = settings;
  }

  /**
   * Decides about a write in these steps: check exemption → collect findings until the deadline → apply the mode (`deny`, `warn` or
   * `audit`). Writes that keep the `spec` are exempt too.
   */
  async decide(request: ReviewedRequest, deadline: AbortSignal): Promise<GuardDecision> {
    const metadata = (request.object ?? request.oldObject)?.metadata ?? {};
    if (!isGuarded(request) || textIn(metadata['labels'], EXEMPT_LABEL) === 'true' || (await keepsSpec(request)))
      return { answer: { allowed: true }, outcome: 'exempt', findings: [], objects: 0, late: false };
    const cluster = this.#cluster.until(deadline);
    const findings = new GuardFindings(this.#settings.limits);
    const problems: string[] = [];
    const late = Promise.withResolvers<boolean>();
    const onLate = (): void => late.resolve(true);
    deadline.addEventListener('abort', onLate, { once: true });
    if (deadline.aborted) onLate();
    const isLate = await Promise.race([
      this.#find(request, { cluster, findings, problems, deadline }).then(() => deadline.aborted),
      late.promise,
    ]);
    deadline.removeEventListener('abort', onLate);
    const wanted = textIn(metadata['annotations'], MODE_ANNOTATION);
    const mode = GUARD_MODES.find((one) => one === wanted) ?? this.#settings.mode;
    const { sentences, objects } = findings;
    const reported = isLate ? [`the guard ran out of time: ${objects} stored objects were judged`] : problems;
    const outcome = outcomeOf(sentences, reported, mode, this.#settings.whenLate);
    return { ...outcome, findings: [...sentences, ...reported], objects, policyCost: findings.policyCost, late: isLate };
  }

  async #find(request: ReviewedRequest, found: Found): Promise<void> {
    const isDefinition = request.kind.group === 'apiextensions.k8s.io';
    if (!isDefinition) return this.#findOfPolicy(request, found);
    const { object } = request.slices;
    return object === undefined ? this.#findOfDeletion(request, found) : this.#findOfDefinition(request, object, found);
  }

  async #findOfDefinition(
    request: ReviewedRequest,
    object: DocumentSlice,
    { cluster, findings, problems, deadline }: Found,
  ): Promise<void> {
    const [from, to] = [request.oldObject, request.object].map((document) => servedDefinition(document));
    const path = from && pathOfObjects(from, to);
    const list = path === undefined ? undefined : cluster.list(path);
    const write = { from: request.slices.oldObject, to: object, objects: list ?? noObjects(), options: this.#options };
    await guardDefinition(this.#guarding(findings, deadline), write);
    if (list?.problem) problems.push(`not all stored objects could be judged: ${list.problem.sentence}`);
  }

  /** Collects findings about the deletion of a definition. The API server deletes all objects of a definition together with it. */
  async #findOfDeletion(request: ReviewedRequest, { cluster, findings, problems }: Found): Promise<void> {
    const served = servedDefinition(request.oldObject);
    const path = served && pathOfObjects(served);
    if (path === undefined) return;
    const list = cluster.list(path);
    const first = await list[Symbol.asyncIterator]().next();
    if (list.problem) problems.push(`stored objects could not be counted: ${list.problem.sentence}`);
    if (first.done === true) return;
    const count = first.value.length + (list.remaining ?? 0);
    const example = first.value.map(nameOf).find((name) => name !== undefined);
    findings.add(`${count} stored objects would be deleted with it${example === undefined ? '' : `, such as ${example}`}`);
  }

  async #findOfPolicy(request: ReviewedRequest, { cluster, findings, problems, deadline }: Found): Promise<void> {
    const { object } = request.slices;
    const guarding = this.#guarding(findings, deadline);
    if (object !== undefined) await guardPolicy(guarding, object, this.#options);
    const read = await readPolicyChange(cluster, request, this.#options);
    if (read.change !== undefined) await guardPolicyChange(guarding, read.change);
    problems.push(...read.problems);
  }

  #guarding(findings: GuardFindings, signal: AbortSignal): GuardCheck {
    return { engine: this.#engine, limits: this.#settings.limits, findings, signal };
  }
}

/** State of one examination: the findings so far, the reasons why information is missing, and the deadline. */
interface Found {
  /** The cluster, whose reads end at the deadline. */
  readonly cluster: Cluster;
  readonly findings: GuardFindings;
  /** Reasons why the guard lacks information for a decision, one sentence each. */
  readonly problems: string[];
  readonly deadline: AbortSignal;
}

function nameOf(slice: DocumentSlice): string | undefined {
  const reading = readSlice(slice);
  const name =
    reading.ok && isJsonObject(reading.value) && isJsonObject(reading.value['metadata']) ? reading.value['metadata']['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

async function* noObjects(): AsyncGenerator<readonly DocumentSlice[]> {
  // A new definition has no stored objects.
}

/**
 * Returns the answer and outcome for a change. If there are findings, `mode` determines whether the change is denied, allowed with
 * warnings, or allowed with an audit annotation. If there are no findings, the change is allowed, and the sentences in `unknown` are its
 * warnings. If `whenLate` is `deny`, sentences in `unknown` count as findings.
 *
 * @param unknown reasons why the guard could not examine the change completely
 */
function outcomeOf(
  findings: readonly string[],
  unknown: readonly string[],
  mode: GuardMode,
  whenLate: GuardSettings['whenLate'],
): Pick<GuardDecision, 'answer' | 'outcome'> {
  const warnings = [...findings, ...unknown].map((sentence) => `assay guard: ${sentence}`);
  const isBad = findings.length > 0 || (unknown.length > 0 && whenLate === 'deny');
  if (!isBad) return { answer: { allowed: true, warnings }, outcome: warnings.length > 0 ? 'warned' : 'allowed' };
  if (mode === 'deny') {
    const message = `assay guard: ${[...findings, ...unknown].join('; ')}. The annotation ${MODE_ANNOTATION}: warn permits it`;
    return { answer: { allowed: false, message }, outcome: 'denied' };
  }
  if (mode === 'warn') return { answer: { allowed: true, warnings }, outcome: 'warned' };
  return { answer: { allowed: true, auditAnnotations: { findings: warnings.join('; ') } }, outcome: 'audited' };
}

/** Returns true if the guard examines a write: a write of a definition, a policy or a binding, except for `CONNECT`. */
function isGuarded({ kind, operation }: ReviewedRequest): boolean {
  if (operation === 'CONNECT') return false;
  return kind.kind === 'CustomResourceDefinition' || isPolicyType(`${kind.group}/${kind.version}`, kind.kind);
}

/**
 * Returns true if a write keeps the `spec`, so that only metadata or status change. For a deletion it returns false. It compares the bytes:
 * an API server writes equal objects equally, and JavaScript numbers would hide the difference of two large integers.
 */
async function keepsSpec({ slices: { object, oldObject } }: ReviewedRequest): Promise<boolean> {
  if (object === undefined || oldObject === undefined) return false;
  const [before, after] = await Promise.all([specOf(oldObject), specOf(object)]);
  return before !== undefined && after !== undefined && before.equals(after);
}

async function specOf({ bytes }: DocumentSlice): Promise<Buffer | undefined> {
  const reading = await readParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), { spec: 'bytes' });
  const spec = reading.ok ? (reading.parts as { readonly spec?: unknown } | null)?.spec : undefined;
  return Buffer.isBuffer(spec) ? spec : undefined;
}

function textIn(texts: unknown, key: string): unknown {
  return typeof texts === 'object' && texts !== null ? (texts as Readonly<Record<string, unknown>>)[key] : undefined;
}
