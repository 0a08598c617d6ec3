import { checkOptions, serverOf } from '#documents';
import type { EvaluationOptions } from '#documents';
import { isJsonObject, readJson } from '#go';
import type { JsonObject } from '#go';
import { minorWords } from '#kube';
import type { Engine } from '#runner';
import { documentsOf } from '../documents/read-documents.ts';
import type { PlacedDocument, PlacedDocuments } from '../documents/read-documents.ts';
import type { InputFile } from '../documents/read-inputs.ts';
import { evaluate } from '../evaluation/evaluate.ts';
import type { PlacedVerdict } from '../evaluation/evaluate.ts';
import type { CaseResult } from './suite.ts';

/**
 * Result of a case of a test suite: undefined if the case passes. Otherwise, it is the difference from the expectation, or the feature that
 * Assay does not support.
 */
export type CaseEnd = undefined | { readonly problem: string } | { readonly notSupported: string };

/** Test case whose verdict Assay computes: a request, and the function that compares its verdict with the expected result. */
interface RequestCase {
  readonly name: string;
  /** Line on which the case begins in the suite, from 1. */
  readonly line?: number | undefined;
  /** JSON of the batch item for this case: an object, or a request with its context. */
  readonly item: string;
  /**
   * Compares a verdict with the expectation. `references` are the verdicts on the objects in {@link RequestBatch.references}, in the same
   * order.
   */
  readonly end: (verdict: PlacedVerdict, references: readonly PlacedVerdict[]) => CaseEnd | Promise<CaseEnd>;
}

/** Case whose verdict is not computed, with the reason. */
interface UnsupportedCase {
  readonly name: string;
  readonly line?: number | undefined;
  readonly notSupported: string;
}

/** Test case of a suite of admission requests: a case whose verdict can be computed, or an unsupported case. */
export type SuiteCase = RequestCase | UnsupportedCase;

/** Cases whose verdicts are computed with the same policies. */
export interface RequestBatch {
  /** Documents of the policies, and of the cluster objects that the policies read. */
  readonly inputs: readonly InputFile[];
  readonly cases: readonly SuiteCase[];
  /** Expected objects as JSON. They are evaluated without policies to find the form in which a server would store them. */
  readonly references?: readonly string[];
  /** True if the batch contains mutating policies, which not all servers support. */
  readonly mutates?: boolean;
  /** True if objects without a definition are accepted unchanged. Test tools that use no server accept such objects. */
  readonly takesAnyKind?: boolean;
}

/** Suite of requests to admission policies, independent of the format of its file. */
export interface RequestSuite {
  readonly kind: 'requests';
  readonly file: string;
  readonly name: string;
  readonly batches: readonly RequestBatch[];
  /** Returns the options of the command line, overridden by the suite's options. The result is not yet checked. */
  readonly optionsOver?: (options: EvaluationOptions) => object;
  /** Files to which the suite refers. */
  readonly files: readonly string[];
  /** Digest of the suite and its files. It changes if one of them changes. */
  readonly digest: string;
}

/**
 * Runs a suite of requests. For each batch it reads the documents, computes the verdicts on all requests in one evaluation, and compares
 * each verdict with its expectation.
 */
export async function* runRequestSuite(suite: RequestSuite, options: EvaluationOptions, host: Engine): AsyncGenerator<CaseResult> {
  const laid = suite.optionsOver?.(options) ?? options;
  const chosen = checkOptions({ ...laid, returnObjects: true, explain: true });
  for (const batch of suite.batches) {
    const started = performance.now();
    const ends = chosen.ok ? await endsOf(suite.file, batch, chosen.value, host) : allEnd(batch, { problem: chosen.status.message });
    const milliseconds = (performance.now() - started) / batch.cases.length;
    for (const [i, { name, line }] of batch.cases.entries()) {
      const end = ends[i];
      yield {
        suite: suite.name,
        file: suite.file,
        ...(line !== undefined && { line }),
        name,
        passed: end === undefined,
        ...end,
        milliseconds,
      };
    }
  }
}

const isRequest = (test: SuiteCase): test is RequestCase => 'item' in test;
const allEnd = ({ cases }: RequestBatch, end: CaseEnd): readonly CaseEnd[] =>
  cases.map((test) => (isRequest(test) ? end : { notSupported: test.notSupported }));

/** Returns the result of each case of a batch. */
async function endsOf(file: string, batch: RequestBatch, options: EvaluationOptions, host: Engine): Promise<readonly CaseEnd[]> {
  const requests = batch.cases.filter(isRequest);
  if (requests.length === 0) return allEnd(batch, undefined);
  if (batch.mutates === true && !serverOf(options).gates.MutatingAdmissionPolicy)
    return allEnd(batch, {
      notSupported: `no mutating policy is in force on ${minorWords(options.kubernetesVersion)} with these feature gates`,
    });
  const documents = await documentsOf(batch.inputs, host);
  if (documents.policies.policies.length === 0) return allEnd(batch, { problem: 'the files of the suite hold no policies' });
  const judged = await verdictsOf({ ...documents, objects: placed(requests, file) }, batch, options, host);
  if (typeof judged === 'string') return allEnd(batch, { problem: judged });
  const references = await referencesOf(documents, batch, options, host);
  const left = [...judged];
  return Promise.all(
    batch.cases.map(async (test): Promise<CaseEnd> => {
      if (!isRequest(test)) return { notSupported: test.notSupported };
      const verdict = left.shift();
      return verdict === undefined ? { problem: 'not judged' } : endOf(test, verdict, references);
    }),
  );
}

async function endOf(test: RequestCase, verdict: PlacedVerdict, references: readonly PlacedVerdict[]): Promise<CaseEnd> {
  const { outcome, status } = verdict;
  if (outcome !== 'accepted' && outcome !== 'rejected') return { problem: `not judged: ${status?.message ?? ''}` };
  return test.end(verdict, references);
}

const placed = (requests: readonly RequestCase[], file: string): PlacedDocument[] =>
  requests.map(({ item }, i) => ({ source: `${file}#${i + 1}`, slice: { bytes: Buffer.from(item), notation: 'json' } }));

/** Returns the verdicts on all objects, or the reason why no verdict could be computed. */
async function verdictsOf(
  documents: Omit<PlacedDocuments, 'files'>,
  { takesAnyKind = false }: Pick<RequestBatch, 'takesAnyKind'>,
  options: EvaluationOptions,
  host: Engine,
): Promise<readonly PlacedVerdict[] | string> {
  const { definitions, items } = await evaluate(documents, options, host);
  const refused = definitions.find(({ accepted }) => !accepted);
  if (refused) return `the definition is refused: ${refused.status?.message ?? refused.name}`;
  const unknown = items.flatMap(({ missing }, i) => (missing === true ? (documents.objects[i] ?? []) : []));
  if (!takesAnyKind || unknown.length === 0) return items;
  const opened = openDefinitions(unknown);
  return opened.length === 0 ? items : verdictsOf({ ...documents, definitions: [...documents.definitions, ...opened] }, {}, options, host);
}

/** Returns the verdicts on the reference objects of a batch. These verdicts are computed without the policies of the batch. */
async function referencesOf(
  documents: PlacedDocuments,
  { references = [], takesAnyKind }: RequestBatch,
  options: EvaluationOptions,
  host: Engine,
): Promise<readonly PlacedVerdict[]> {
  if (references.length === 0) return [];
  const objects = references.map((item) => ({ source: 'expected', slice: { bytes: Buffer.from(item), notation: 'json' } as const }));
  const policies = { policies: [{ bytes: Buffer.from(UNBOUND), notation: 'json' } as const], cluster: [] };
  const verdicts = await verdictsOf({ ...documents, objects, policies }, { takesAnyKind: takesAnyKind ?? false }, options, host);
  return typeof verdicts === 'string' ? [] : verdicts;
}

/**
 * Policy that is never in force, because no binding refers to it. It is needed because verdicts on objects of built-in kinds are computed
 * only if the input contains a policy.
 */
const UNBOUND = JSON.stringify({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'unbound' },
  spec: { validations: [{ expression: 'true' }] },
});

/**
 * Returns definitions for objects whose kinds have no definition. The definitions are namespaced and allow any field, because a tool
 * without a server accepts these objects unchanged. Plurals are guessed with the rules of k8s.io/apimachinery (`UnsafeGuessKindToResource`,
 * 1.37). Groups that no custom definition can have are left out.
 */
function openDefinitions(items: readonly PlacedDocument[]): PlacedDocument[] {
  const types = new Map<string, { readonly group: string; readonly version: string; readonly kind: string }>();
  for (const { slice } of items) {
    const reading = readJson(slice.bytes);
    const written = reading.ok && isJsonObject(reading.value) ? objectIn(reading.value) : undefined;
    const [group = '', version] = String(written?.['apiVersion']).split('/');
    const kind = written?.['kind'];
    if (version !== undefined && typeof kind === 'string' && group.includes('.'))
      types.set(`${group} ${version} ${kind}`, { group, version, kind });
  }
  const byKind = Map.groupBy(types.values(), ({ group, kind }) => `${group} ${kind}`);
  return [...byKind.values()].flatMap((versions) => {
    const [first] = versions;
    if (first === undefined) return [];
    const definition = openDefinition(
      first.group,
      first.kind,
      versions.map(({ version }) => version),
    );
    return { source: `definition of ${first.kind}`, slice: { bytes: Buffer.from(JSON.stringify(definition)), notation: 'json' as const } };
  });
}

/** Returns a definition of a kind whose objects may have any fields. */
export function openDefinition(group: string, kind: string, versions: readonly string[]): unknown {
  const singular = kind.toLowerCase();
  const plural = singular.endsWith('s') ? `${singular}es` : singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(/\.k8s\.io$|^k8s\.io$|\.kubernetes\.io$/.test(group) && {
        annotations: { 'api-approved.kubernetes.io': 'unapproved, for a suite' },
      }),
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular, kind, listKind: `${kind}List` },
      versions: versions.map((name, i) => ({ name, served: true, storage: i === 0, schema })),
    },
  };
}

/** Returns the object that a batch item writes: its `object` or `oldObject`, or the item itself. */
function objectIn(item: JsonObject): JsonObject {
  const object = item['object'] ?? item['oldObject'];
  return item['kind'] === undefined && isJsonObject(object) ? object : item;
}
