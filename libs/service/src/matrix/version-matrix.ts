import { previewsAmong } from '#kube';
import type { Minor } from '#kube';
import { runInSteps, definitionTexts, definitionWrite, inMinor, serverOf } from '#documents';
import type { Envelope, MatrixAnswer, VerdictCauses, DefinitionText } from '#documents';
import { findAdditions } from '../causes/find-bounds.ts';
import { findCauses } from '../causes/find-causes.ts';
import { findObjectCauses } from '../causes/object-causes.ts';
import type { JudgedTexts } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';
import { compareDefinition, compareObject, comparePolicy, withReasons, judgeInMinor } from './compare-minors.ts';
import type { DefinitionRow, ObjectRow, PolicyMinors, MatrixReasons, RowContent, MinorJudgement } from './compare-minors.ts';
import type { JudgedDefinition } from '#runner';
import { eachTextOnce, judgeSequence, judgeSameNames, sequenceWork, reportWithoutVerdict } from '../judge/prepared-batch.ts';

/** Verdicts of several Kubernetes minor versions on definitions, policies and objects. Rows contain more than answers do if it was requested. */
export interface VersionMatrix extends MatrixAnswer {
  readonly definitions: readonly DefinitionRow[];
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
  return runInSteps(compareColumns(columns, documents, { ...content, reasons: { causes, additions }, ofObjects }));
}

/** Why the compared versions differ: on each definition, and on objects by their positions. */
interface FoundReasons {
  readonly reasons: MatrixReasons;
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

/**
 * Computes the verdicts of several Kubernetes minor versions on the creation of definitions. Each definition is sent to the engine and
 * parsed only once for all minor versions. The results are in the order of `minors`. A definition with the name of an earlier one is judged
 * as an update, unless `alone` is true.
 */
export async function judgeByMinors(
  engine: Engine,
  { definitions, options }: Pick<Envelope, 'definitions' | 'options'>,
  minors: readonly Minor[],
  { signal, alone = false }: { readonly signal?: AbortSignal | undefined; readonly alone?: boolean | undefined } = {},
): Promise<readonly JudgedTexts[]> {
  const byMinor: DefinitionText[][] = [];
  for (const minor of minors) byMinor.push(await definitionTexts(definitions, serverOf(inMinor(options, minor))));
  const judge = async (definition: DefinitionText, i: number): Promise<readonly JudgedDefinition[]> => {
    const texts = byMinor.map((ofMinor) => ofMinor[i] as DefinitionText);
    const work = { kind: 'judge-each', definitions: texts, rules: true, ...definitionWrite(definition, options) } as const;
    const answer = await engine.run(work, { ...(signal && { signal }) });
    return answer.kind === 'done' ? answer.result : texts.map((text) => reportWithoutVerdict(answer.kind, text));
  };
  const judged = await eachTextOnce(byMinor[0] ?? [], judge);
  const ofMinors: JudgedTexts[] = [];
  for (const [m, texts] of byMinor.entries()) {
    const created = { texts, judged: judged.map((ofDefinition) => ofDefinition[m] as JudgedDefinition) };
    if (alone) {
      ofMinors.push(created);
      continue;
    }
    const inSequence = await judgeSameNames(created, (same) => judgeSequence(engine, sequenceWork(same, options, { rules: true }), signal));
    ofMinors.push({ texts, judged: inSequence });
  }
  return ofMinors;
}
