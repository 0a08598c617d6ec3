import type { Minor } from '#kube';
import { definitionTexts, definitionWrite, inMinor, serverOf } from '#documents';
import type { DefinitionText, Envelope } from '#documents';
import type { JudgedDefinition } from '#runner';
import { eachTextOnce } from '../judge/each-text-once.ts';
import { judgeInTurn, judgeSameNames, workInTurn } from '../judge/judge-same-names.ts';
import { insteadOf } from '../judge/instead-of.ts';
import type { JudgedTexts } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';

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
    return answer.kind === 'done' ? answer.result : texts.map((text) => insteadOf(answer.kind, text));
  };
  const judged = await eachTextOnce(byMinor[0] ?? [], judge);
  const ofMinors: JudgedTexts[] = [];
  for (const [m, texts] of byMinor.entries()) {
    const created = { texts, judged: judged.map((ofDefinition) => ofDefinition[m] as JudgedDefinition) };
    if (alone) {
      ofMinors.push(created);
      continue;
    }
    const inTurn = await judgeSameNames(created, (same) => judgeInTurn(engine, workInTurn(same, options, true), signal));
    ofMinors.push({ texts, judged: inTurn });
  }
  return ofMinors;
}
