import { previewsAmong } from '#kube';
import type { Minor } from '#kube';
import { inSteps } from '#documents';
import type { Envelope, VerdictCauses } from '#documents';
import { findAdditions } from '../causes/find-additions.ts';
import { findCauses } from '../causes/find-causes.ts';
import { findObjectCauses } from '../causes/object-causes.ts';
import type { JudgedTexts } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';
import { compareDefinition, compareObject, comparePolicy, withReasons } from './compare-minors.ts';
import type { DefinitionRow, ObjectRow, PolicyMinors, Reasons, RowContent } from './compare-minors.ts';
import { judgeByMinors } from './judge-by-minors.ts';
import { judgeInMinor } from './judge-in-minor.ts';
import type { MinorJudgement } from './judge-in-minor.ts';

/** Verdicts of several Kubernetes minor versions on definitions, policies and objects. */
export interface VersionMatrix {
  readonly minors: readonly Minor[];
  /** Pre-releases of the minor versions that Kubernetes has not released yet, such as `1.38.0-beta.0`; absent if all are released. */
  readonly previews?: Readonly<Partial<Record<Minor, string>>>;
  readonly definitions: readonly DefinitionRow[];
  /** Verdicts of the minor versions on policies and bindings, in input order; absent if there are none. */
  readonly policies?: readonly PolicyMinors[];
  readonly objects: readonly ObjectRow[];
}

/** Options for computing a version matrix. */
export interface MatrixRequest extends RowContent {
  readonly signal?: AbortSignal | undefined;
  /** True if each definition is judged as created by itself, also if an earlier one has its name. */
  readonly alone?: boolean;
}

/** Computes the verdicts of several Kubernetes minor versions on the same definitions and objects under the same admission policies. */
export async function versionMatrix(
  engine: Engine,
  documents: Envelope,
  minors: readonly Minor[],
  { signal, alone, ...content }: MatrixRequest = {},
): Promise<VersionMatrix> {
  const columns: MinorJudgement[] = [];
  const known = await judgeByMinors(engine, documents, minors, { signal, alone });
  for (const [i, minor] of minors.entries())
    columns.push(await judgeInMinor(engine, documents, { minor, known: known[i] as JudgedTexts }, signal));
  const { definitions, options } = documents;
  const causes = await findCauses(engine, { columns: known, options }, signal);
  const additions = await findAdditions(engine, { definitions, causes, columns: known }, { minors, options, signal });
  const ofObjects = await findObjectCauses(
    engine,
    columns.map(({ minor, verdicts }, i) => ({ minor, verdicts, ...(known[i] as JudgedTexts) })),
    documents,
    signal,
  );
  return inSteps(compareColumns(columns, documents, { ...content, reasons: { causes, additions }, ofObjects }));
}

/** Why the compared versions differ: on each definition, and on objects by their positions. */
interface FoundReasons {
  readonly reasons: Reasons;
  readonly ofObjects: ReadonlyMap<number, readonly VerdictCauses[]>;
}

function* compareColumns(
  columns: readonly MinorJudgement[],
  documents: Envelope,
  { reasons, ofObjects, ...content }: RowContent & FoundReasons,
): Generator<undefined, VersionMatrix> {
  const definitions: DefinitionRow[] = [];
  for (const i of documents.definitions.keys()) {
    const row = yield* compareDefinition(columns, i, content);
    definitions.push(withReasons(row, reasons, i));
  }
  const policies = documents.policies.flatMap((_, i) => comparePolicy(columns, i, content.withStatuses) ?? []);
  const minors = columns.map(({ minor }) => minor);
  const previews = previewsAmong(minors);
  return {
    minors,
    ...(previews && { previews }),
    definitions,
    ...(policies.length > 0 && { policies }),
    objects: documents.objects.map((_, i) => {
      const causes = ofObjects.get(i);
      return { ...compareObject(columns, i, content.withStatuses), ...(causes && { causes }) };
    }),
  };
}
