import { describe, expect, it } from 'vitest';
import { WorkPerformer } from '#runner/in-process';
import { evaluateTexts } from '../judge/evaluate-texts.ts';
import { NO_TEXTS } from '../state/texts.ts';
import { taskVerdict } from './check-task.ts';
import { definitionOf, hiddenTexts, TASKS } from './tasks.ts';
import type { Task } from './tasks.ts';

const verdictOn = async (task: Task, schema: string) => {
  const settings = { signal: new AbortController().signal, progress: () => undefined, reportPart: () => undefined, alive: () => undefined };
  const texts = { ...NO_TEXTS, ...hiddenTexts(task), definitions: definitionOf(schema) };
  return taskVerdict(task, await evaluateTexts(new WorkPerformer(), { texts, minor: '1.37' }, settings));
};

it('the page for learning has ten tasks', () => expect(TASKS).toHaveLength(10));

describe.each(TASKS)('the task $title', (task) => {
  it('is solved by its solution', async () => expect(await verdictOn(task, task.solution)).toEqual({ kind: 'solved' }));

  it('is not solved at the beginning', async () => expect((await verdictOn(task, task.schema)).kind).toMatch(/^(wrong|refused)$/));

  it('is not solved by a rule that is always true', async () => {
    const idle = task.solution.replace(/- rule: .*/, '- rule: "true"');
    expect((await verdictOn(task, idle)).kind).toBe('wrong');
  });
});
