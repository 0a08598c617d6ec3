import type { Minor } from '#kube';
import { definitionText, definitionTexts, inMinor, runInSteps, serverOf } from '#documents';
import type { DocumentSlice, Envelope, EvaluationOptions, ObjectEffect, PolicyReport } from '#documents';
import { findAdditions } from '../causes/find-bounds.ts';
import { findCauses } from '../causes/find-causes.ts';
import { causesBetween } from '../causes/object-causes.ts';
import { judgeRun, prepareBatch, reviewPolicies } from '../judge/prepared-batch.ts';
import type { PreparedBatch } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';
import { cutRuns, runsInOrder } from '../evaluate/cut-runs.ts';
import { effectsOfRun } from '../what-if/what-if.ts';
import type { DefinitionChange } from '../what-if/what-if.ts';
import { compareDefinition, compareObject, withReasons } from './compare-minors.ts';
import type { DefinitionRow, ObjectRow } from './compare-minors.ts';

/** Verdicts of the minor versions before and after an upgrade on the creation of one policy or binding. */
export interface PolicyRow {
  readonly kind: string;
  readonly name: string;
  /** Reports of the minor versions before and after the upgrade, in this order. A report is undefined if it could not be determined. */
  readonly reports: readonly (PolicyReport | undefined)[];
  readonly changes: boolean;
}

/**
 * Verdicts of the minor versions before and after an upgrade on the creation of one stored object. `next` is the effect of the upgrade on
 * the writes that can follow; absent if it could not be determined.
 */
export interface UpgradedObject extends ObjectRow {
  readonly next?: Omit<ObjectEffect, 'becauseOf'>;
}

/** Stored objects of one definition, with the options for evaluating them. */
export interface StoredKind {
  readonly definition: DocumentSlice;
  readonly objects: AsyncIterable<readonly DocumentSlice[]>;
  readonly options: EvaluationOptions;
}

/**
 * Result of checking definitions and policies in two Kubernetes minor versions: before and after an upgrade. It contains the verdicts of
 * both minor versions, and the data for evaluating objects next.
 */
export interface UpgradeCheck {
  readonly minors: readonly [Minor, Minor];
  readonly definitions: readonly DefinitionRow[];
  readonly policies: readonly PolicyRow[];
  /**
   * One batch for each of the two minor versions, with its verdicts on the definitions, ready for evaluating objects. The batches are in
   * the order of `minors`.
   */
  readonly prepared: readonly PreparedBatch[];
}

/**
 * Computes whether servers would accept the creation of definitions and policies. Returns the verdicts of two Kubernetes minor versions:
 * before and after an upgrade.
 */
export async function upgradeCheck(
  engine: Engine,
  documents: Omit<Envelope, 'objects'>,
  minors: readonly [Minor, Minor],
  signal?: AbortSignal,
): Promise<UpgradeCheck> {
  const prepared: PreparedBatch[] = [];
  const reviews: (readonly PolicyReport[] | undefined)[] = [];
  for (const minor of minors) {
    const options = { ...inMinor(documents.options, minor), returnObjects: false, explain: false };
    const batch = await prepareBatch(engine, { ...documents, options }, { rules: true, signal });
    prepared.push(batch);
    const how = { typeChecking: false, fieldValidation: options.fieldValidation, signal };
    reviews.push(batch.policies && (await reviewPolicies(engine, batch.policies, how)));
  }
  const texts = await Promise.all(
    minors.map((minor) => definitionTexts(documents.definitions, serverOf(inMinor(documents.options, minor)))),
  );
  const columns = prepared.map(({ judged }, m) => ({ judged, texts: texts[m] ?? [] }));
  const causes = await findCauses(engine, { columns, options: documents.options }, signal);
  const additions = await findAdditions(engine, { ...documents, causes, columns }, { minors, options: documents.options, signal });
  const rows = await runInSteps(definitionRows(prepared, documents, minors));
  const definitions = rows.map((row, i) => withReasons(row, { causes, additions }, i));
  const policies = documents.policies.flatMap((_, i) => policyRow(reviews.map((reports) => reports?.[i])) ?? []);
  return { minors, definitions, policies, prepared };
}

/**
 * Yields the verdicts of both minor versions on the creation of the objects of one definition, in order. Each verdict comes with the effect
 * of the upgrade on the writes that can follow. Objects are read as they arrive, so memory use is bounded.
 */
export function upgradedObjects(
  engine: Engine,
  { minors, prepared }: UpgradeCheck,
  { definition, objects, options }: StoredKind,
  signal?: AbortSignal,
): AsyncGenerator<readonly UpgradedObject[]> {
  const [from, to] = minors;
  const textIn = (minor: Minor) => definitionText(definition, serverOf(inMinor(options, minor)));
  const change: DefinitionChange = { from: textIn(from), to: textIn(to), options };
  return runsInOrder(cutRuns(objects), engine.threads, async (run) => {
    const verdicts = await Promise.all(prepared.map((batch) => judgeRun(engine, batch, run, signal)));
    const effects = await effectsOfRun(engine, change, run, signal);
    const columns = minors.map((minor, i) => ({ minor, judged: [], verdicts: verdicts[i] ?? [] }));
    return run.items.map((_, i) => {
      const [row, effect] = [compareObject(columns, i), effects[i]];
      if (effect === undefined) return { ...row, index: run.firstItem + i };
      const { becauseOf, ...next } = effect;
      const changes = row.changes || !SAME.includes(next.effect);
      return {
        ...row,
        index: run.firstItem + i,
        changes,
        next,
        ...(becauseOf && { causes: [causesBetween(minors, row.outcome[from] !== row.outcome[to], becauseOf)] }),
      };
    });
  });
}

/** Effects with which an upgrade changes nothing for an object. */
const SAME: readonly ObjectEffect['effect'][] = ['unaffected', 'invalidBefore', 'notJudged'];

function* definitionRows(
  prepared: readonly PreparedBatch[],
  { definitions }: Pick<Envelope, 'definitions'>,
  minors: readonly Minor[],
): Generator<undefined, DefinitionRow[]> {
  const columns = prepared.flatMap(({ judged }, i) => {
    const minor = minors[i];
    return minor === undefined ? [] : [{ minor, judged, verdicts: [] }];
  });
  const rows: DefinitionRow[] = [];
  for (const i of definitions.keys()) rows.push(yield* compareDefinition(columns, i));
  return rows;
}

/** Returns the verdicts of both minor versions on one policy or binding; undefined if its reports could not be determined. */
function policyRow(reports: readonly (PolicyReport | undefined)[]): PolicyRow | undefined {
  const known = reports.find((report) => report !== undefined);
  if (known === undefined) return undefined;
  const verdicts = reports.map((report) => report && JSON.stringify([report.accepted, report.status?.message, report.warnings]));
  return { kind: known.kind, name: known.name, reports, changes: new Set(verdicts).size > 1 };
}
