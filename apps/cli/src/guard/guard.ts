import { pathOfObjects, servedDefinition } from '#cluster';
import type { Cluster } from '#cluster';
import { isPolicyType } from '#evaluation';
import type { DocumentSlice, EvaluationOptions } from '#evaluation';
import type { Engine } from '#runner';
import { guardDefinition, GuardFindings, guardPolicy } from '#service';
import { EXEMPT_LABEL, GUARD_MODES, MODE_ANNOTATION } from './guard-settings.ts';
import type { GuardMode, GuardSettings } from './guard-settings.ts';
import type { ReviewAnswer, ReviewedRequest } from './admission-review.ts';

/** What a guard decided, and why. */
export interface Decision {
  readonly answer: ReviewAnswer;
  /** Exempt: it was not looked at. */
  readonly outcome: 'allowed' | 'denied' | 'warned' | 'audited' | 'exempt';
  readonly findings: readonly string[];
  /** Stored objects that were judged. */
  readonly objects: number;
  readonly late: boolean;
}

/** Decides about writes of definitions and admission policies, by what they would do to a cluster. */
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

  /** PLOT of a decision: exempt? → what is there against it, as far as it is found out in time → what the mode makes of that. */
  async decide(request: ReviewedRequest, deadline: AbortSignal): Promise<Decision> {
    const { object } = request.slices;
    const metadata = request.object?.metadata ?? {};
    if (object === undefined || !isGuarded(request) || textIn(metadata['labels'], EXEMPT_LABEL) === 'true' || keepsSpec(request))
      return { answer: { allowed: true }, outcome: 'exempt', findings: [], objects: 0, late: false };
    const findings = new GuardFindings(this.#settings.limits.breaking);
    const problems: string[] = [];
    const late = Promise.withResolvers<boolean>();
    const onLate = (): void => late.resolve(true);
    deadline.addEventListener('abort', onLate, { once: true });
    if (deadline.aborted) onLate();
    const isLate = await Promise.race([
      this.#find(request, object, { findings, problems, deadline }).then(() => deadline.aborted),
      late.promise,
    ]);
    deadline.removeEventListener('abort', onLate);
    const wanted = textIn(metadata['annotations'], MODE_ANNOTATION);
    const mode = GUARD_MODES.find((one) => one === wanted) ?? this.#settings.mode;
    const { sentences, objects } = findings;
    const told = isLate ? [`the guard ran out of time: ${objects} stored objects were judged`] : problems;
    return { ...outcomeOf(sentences, told, mode, this.#settings.whenLate), findings: [...sentences, ...told], objects, late: isLate };
  }

  async #find(
    request: ReviewedRequest,
    object: DocumentSlice,
    { findings, problems, deadline }: { readonly findings: GuardFindings; readonly problems: string[]; readonly deadline: AbortSignal },
  ): Promise<void> {
    const { limits } = this.#settings;
    if (request.kind.group !== 'apiextensions.k8s.io') return guardPolicy(this.#engine, object, this.#options, limits, findings, deadline);
    const [from, to] = [request.oldObject, request.object].map((document) => servedDefinition(document));
    const path = from && pathOfObjects(from, to);
    const list = path === undefined ? undefined : this.#cluster.list(path, deadline);
    const write = { from: request.slices.oldObject, to: object, objects: list ?? noObjects(), options: this.#options };
    await guardDefinition(this.#engine, write, limits, findings, deadline);
    if (list?.problem) problems.push(`not all stored objects could be judged: ${list.problem.sentence}`);
  }
}

async function* noObjects(): AsyncGenerator<readonly DocumentSlice[]> {
  // Of a new definition nothing is stored.
}

/** What is there against the change, and what keeps the guard from knowing; a change about which it does not know enough is late. */
function outcomeOf(
  findings: readonly string[],
  unknown: readonly string[],
  mode: GuardMode,
  whenLate: GuardSettings['whenLate'],
): Pick<Decision, 'answer' | 'outcome'> {
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

/** Writes that a guard has something to say about. */
function isGuarded({ kind, operation }: ReviewedRequest): boolean {
  if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
  return kind.kind === 'CustomResourceDefinition' || isPolicyType(`${kind.group}/${kind.version}`, kind.kind);
}

/** Whether only metadata or status change. */
function keepsSpec({ object, oldObject }: ReviewedRequest): boolean {
  return oldObject?.spec !== undefined && JSON.stringify(object?.spec) === JSON.stringify(oldObject.spec);
}

function textIn(texts: unknown, key: string): unknown {
  return typeof texts === 'object' && texts !== null ? (texts as Readonly<Record<string, unknown>>)[key] : undefined;
}
