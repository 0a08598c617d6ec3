import type { Minor } from '#kube';
import type { JudgeClient, Evaluation } from '../judge/judge-client.ts';
import { NO_TEXTS } from '../state/texts.ts';
import { hiddenTexts } from './tasks.ts';
import type { Task } from './tasks.ts';

/** The verdict on a learner's definition, with the mistakes if the definition does not solve the task. */
export type TaskVerdict =
  | { readonly kind: 'solved' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'wrong'; readonly what: readonly string[] }
  | { readonly kind: 'unknown'; readonly why: string };

/** Checks a learner's definition by evaluating the hidden objects of a task with it. Returns the verdict on the definition. */
export async function checkTask(
  judge: JudgeClient,
  task: Task,
  { definitions, minor }: { readonly definitions: string; readonly minor: Minor },
): Promise<TaskVerdict> {
  const outcome = await judge.ask({ kind: 'evaluate', texts: { ...NO_TEXTS, ...hiddenTexts(task), definitions }, minor });
  if (outcome.kind !== 'answered') return { kind: 'unknown', why: outcome.kind === 'ended' ? outcome.why : 'it was stopped' };
  return taskVerdict(task, outcome.answer);
}

/** Returns the verdict on a learner's definition. It is derived from the verdicts on the hidden objects of the task. */
export function taskVerdict({ cases }: Task, { definitions, objects }: Pick<Evaluation, 'definitions' | 'objects'>): TaskVerdict {
  const refused = definitions.find(({ outcome }) => outcome !== 'accepted');
  if (refused !== undefined) return { kind: 'refused', message: refused.message ?? '' };
  if (definitions.length === 0) return { kind: 'refused', message: 'There is no definition.' };
  const hidden = objects.slice(-cases.length);
  const what = cases.flatMap(({ accepted, tries }, i) => {
    const outcome = hidden[i]?.outcome;
    if (outcome === (accepted ? 'accepted' : 'rejected')) return [];
    if (outcome === 'notEvaluated') return [`${tries}: no definition of a Lesson of learn.example.com/v1 is there`];
    return [`${tries}: it is ${outcome === 'accepted' ? 'accepted, and should be refused' : 'refused, and should be accepted'}`];
  });
  return what.length === 0 ? { kind: 'solved' } : { kind: 'wrong', what };
}
