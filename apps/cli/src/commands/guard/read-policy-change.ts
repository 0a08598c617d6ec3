import { z } from 'zod';
import { pathOfObjects, servedDefinition } from '#cluster';
import type { Cluster, ServedDefinition } from '#cluster';
import { readSlice } from '#documents';
import type { DocumentSlice, EvaluationOptions } from '#documents';
import type { GuardedPolicyChange, ReviewedRequest } from '#service';

/** Schema of the parts of a policy or a binding that determine which objects they apply to. */
const scoped = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
  spec: z
    .object({
      policyName: z.string().optional(),
      paramKind: z.object({ apiVersion: z.string(), kind: z.string() }).nullish(),
      matchConstraints: z
        .object({
          resourceRules: z
            .array(
              z.object({ apiGroups: z.array(z.string()), resources: z.array(z.string()), operations: z.array(z.string()).default([]) }),
            )
            .default([]),
        })
        .nullish(),
    })
    .default({}),
});
type Scoped = z.infer<typeof scoped> & { readonly slice: DocumentSlice };
type ResourceRule = NonNullable<NonNullable<Scoped['spec']['matchConstraints']>['resourceRules']>[number];

/**
 * Result of reading a cluster for a requested change of admission policies. It contains the policies before and after the change, and the
 * stored objects to which they may apply.
 */
export interface ReadPolicyChange {
  /**
   * Change of the policies. Undefined if no custom resource needs to be read: the policies match no definition of the cluster, or its
   * definitions could not be read. `problems` names the second case.
   */
  readonly change: GuardedPolicyChange | undefined;
  /** Sentences about resources that could not be read. The list grows while objects are being read. */
  readonly problems: readonly string[];
}

/**
 * Reads the cluster state that is needed to judge the creation, update or deletion of a policy or a binding. The state consists of all
 * policies with their parameters and Namespaces, and of some stored custom resources. A custom resource is read if a changed policy matches
 * its group and resource.
 */
export async function readPolicyChange(cluster: Cluster, request: ReviewedRequest, options: EvaluationOptions): Promise<ReadPolicyChange> {
  const problems: string[] = [];
  const reportProblem = (sentence: string): void => void problems.push(sentence);
  const stored = await cluster.policies();
  for (const { sentence } of stored.problems) reportProblem(sentence);
  const { object, oldObject } = request.slices;
  const [before, after] = [oldObject, object].map((slice) => slice && scopedIn(slice));
  const others = stored.documents.flatMap((slice) => scopedIn(slice) ?? []).filter((one) => !isSame(one, after ?? before));
  const sideWith = (one: Scoped | undefined): readonly Scoped[] => (one === undefined ? others : [...others, one]);
  const [from, to] = [sideWith(before), sideWith(after)];
  const rules = [...aboutOf(before, from), ...aboutOf(after, to)].flatMap(({ spec }) => spec.matchConstraints?.resourceRules ?? []);
  const definitions = await matchedDefinitions(cluster, rules, reportProblem);
  if (definitions.length === 0) return { change: undefined, problems };
  const beside = await besidePolicies(cluster, [...from, ...to], reportProblem);
  const sideOf = (policies: readonly Scoped[]) => ({
    policies: policies.map(({ slice }) => slice),
    definitions: definitions.map(({ slice }) => slice),
    cluster: beside,
  });
  // If the policy applies to updates, the comparison writes each stored object as an update, and otherwise as a create.
  const asUpdates = rules.some(({ operations }) => operations.includes('*') || operations.includes('UPDATE'));
  const objects = storedObjects(cluster, definitions, { asUpdates, reportProblem });
  return { change: { from: sideOf(from), to: sideOf(to), options, objects }, problems };
}

const isSame = (one: Scoped, other: Scoped | undefined): boolean => one.kind === other?.kind && one.metadata.name === other.metadata.name;

/** Returns the policies that a change concerns: the changed policy, or the policy that a changed binding names. */
function aboutOf(changed: Scoped | undefined, all: readonly Scoped[]): readonly Scoped[] {
  if (changed === undefined) return [];
  if (!changed.kind.endsWith('Binding')) return [changed];
  const kind = changed.kind.slice(0, -'Binding'.length);
  return all.filter((one) => one.kind === kind && one.metadata.name === changed.spec.policyName);
}

interface MatchedDefinition {
  readonly slice: DocumentSlice;
  readonly served: ServedDefinition;
}

async function matchedDefinitions(
  cluster: Cluster,
  rules: readonly ResourceRule[],
  reportProblem: (sentence: string) => void,
): Promise<readonly MatchedDefinition[]> {
  const reading = await cluster.definitions();
  if (!reading.ok) {
    reportProblem(reading.problem.sentence);
    return [];
  }
  return reading.value.flatMap((slice) => {
    const served = valueIn(slice, servedDefinition);
    return served !== undefined && rules.some((rule) => isAbout(rule, served)) ? [{ slice, served }] : [];
  });
}

function isAbout({ apiGroups, resources }: ResourceRule, { spec }: ServedDefinition): boolean {
  const isGroup = apiGroups.some((group) => group === '*' || group === spec.group);
  return isGroup && resources.some((resource) => ['*', '*/*', spec.names.plural].includes(resource));
}

/**
 * Reads the Namespaces, and the parameter objects that the policies may refer to. Resources that cannot be read are reported and left out.
 */
async function besidePolicies(
  cluster: Cluster,
  policies: readonly Scoped[],
  reportProblem: (sentence: string) => void,
): Promise<DocumentSlice[]> {
  const kinds = new Map(
    policies.flatMap(({ spec }) => (spec.paramKind ? [[`${spec.paramKind.apiVersion} ${spec.paramKind.kind}`, spec.paramKind]] : [])),
  );
  const readings = [cluster.namespaces(), ...[...kinds.values()].map(({ apiVersion, kind }) => cluster.objectsOfKind(apiVersion, kind))];
  return (await Promise.all(readings)).flatMap((reading) => {
    if (reading.ok) return reading.value;
    if (reading.problem.kind !== 'missing') reportProblem(reading.problem.sentence);
    return [];
  });
}

async function* storedObjects(
  cluster: Cluster,
  definitions: readonly MatchedDefinition[],
  { asUpdates, reportProblem }: { readonly asUpdates: boolean; readonly reportProblem: (sentence: string) => void },
): AsyncGenerator<readonly DocumentSlice[]> {
  for (const { served } of definitions) {
    const path = pathOfObjects(served);
    if (path === undefined) continue;
    const list = cluster.list(path);
    for await (const page of list) yield asUpdates ? page.map(writtenAgain) : page;
    if (list.problem !== undefined) reportProblem(`not all stored objects could be judged: ${list.problem.sentence}`);
  }
}

/** Returns the batch item for an update that leaves an object unchanged. */
function writtenAgain({ bytes }: DocumentSlice): DocumentSlice {
  const parts = ['{"operation":"UPDATE","object":', bytes, ',"oldObject":', bytes, '}'];
  return { bytes: Buffer.concat(parts.map((part) => Buffer.from(part))), notation: 'json' };
}

function scopedIn(slice: DocumentSlice): Scoped | undefined {
  const parsed = valueIn(slice, (value) => scoped.safeParse(value).data);
  return parsed && { ...parsed, slice };
}

function valueIn<Found>(slice: DocumentSlice, find: (value: unknown) => Found | undefined): Found | undefined {
  const reading = readSlice(slice);
  return reading.ok ? find(reading.value) : undefined;
}
