import { sameNames } from '#documents';
import type { DefinitionText, EvaluationOptions } from '#documents';
import type { JudgedDefinition } from '#runner';
import type { Engine } from '../ports.ts';
import { insteadOf } from './instead-of.ts';
import type { JudgedTexts } from './prepared-batch.ts';

/** Function that judges definitions of one name in turn. Returns undefined if there was no time for it, or the work broke the engine. */
type JudgeInTurn = (definitions: readonly DefinitionText[]) => Promise<readonly JudgedDefinition[] | undefined>;

/**
 * Returns the verdicts on the definitions of a batch, as a server that receives them in order. `judged` has the verdicts on their creations.
 * If a name occurs more than once, the later definitions of this name are judged again, as updates.
 */
export async function judgeSameNames({ texts, judged }: JudgedTexts, judgeInTurn: JudgeInTurn): Promise<readonly JudgedDefinition[]> {
  const updated = new Map<number, JudgedDefinition>();
  for (const positions of sameNames(judged.map(({ report }) => report))) {
    const answers = await judgeInTurn(positions.map((i) => texts[i] as DefinitionText));
    for (const [n, at] of positions.entries()) {
      const created = judged[at] as JudgedDefinition;
      const answer = answers?.[n];
      const { name } = created.report;
      // The first definition of a name is a create, whose verdict is already known.
      if (answers === undefined && n > 0)
        updated.set(at, { report: { ...insteadOf('cancelled', texts[at] as DefinitionText).report, name } });
      const updateOf = answer?.report.updateOf;
      if (answer && updateOf !== undefined)
        updated.set(at, { ...created, ...answer, report: { ...answer.report, updateOf: positions[updateOf] } });
    }
  }
  return updated.size === 0 ? judged : judged.map((one, i) => updated.get(i) ?? one);
}

/** Returns the work that judges definitions of one name in turn. */
export const workInTurn = (
  definitions: readonly DefinitionText[],
  { asSent, fieldValidation }: Pick<EvaluationOptions, 'asSent' | 'fieldValidation'>,
  rules: boolean,
) => ({ kind: 'judge-in-turn', definitions, rules, asSent, fieldValidation }) as const;

/** Performs work that judges definitions in turn. Returns undefined if `signal` stopped the work, or the work broke the engine. */
export async function judgeInTurn(
  engine: Engine,
  work: ReturnType<typeof workInTurn>,
  signal: AbortSignal | undefined,
): Promise<readonly JudgedDefinition[] | undefined> {
  const answer = await engine.run(work, { ...(signal && { signal }) });
  return answer.kind === 'done' ? answer.result : undefined;
}
