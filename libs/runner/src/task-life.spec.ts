import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nextState, TASK_LIFE, TASK_STATES } from './task-life.ts';
import type { TaskEvent, TaskState } from './task-life.ts';

const transitions = TASK_STATES.flatMap((from) =>
  (Object.entries(TASK_LIFE[from]) as [TaskEvent, TaskState][]).map(([on, to]) => ({ from, on, to })),
);

describe('the life of a task', () => {
  it('agrees with the diagram in the documents', () => {
    const lines = transitions.filter(({ from, to }) => from !== to).map(({ from, on, to }) => `    ${from} --> ${to}: ${on}\n`);
    const page = readFileSync(new URL('../../../docs/contributing/processes.md', import.meta.url), 'utf8');
    expect(page).toContain(`\`\`\`mermaid\nstateDiagram-v2\n    [*] --> queued\n${lines.join('')}\`\`\`\n`);
  });

  it('reaches every state from `queued`', () => {
    const reached = new Set<TaskState>(['queued']);
    for (const state of reached) for (const { to } of transitions.filter(({ from }) => from === state)) reached.add(to);
    expect([...reached].toSorted()).toEqual([...TASK_STATES].toSorted());
  });

  it('ends with an answer, and only the quarantine can begin the task again', () => {
    const after = transitions.filter(({ from, to }) => ['done', 'cancelled', 'broken'].includes(from) && from !== to);
    expect(new Set(after.map(({ to }) => to))).toEqual(new Set(['quarantined']));
  });

  it('has no other events than its table', () => {
    expect(() => nextState('running', 'stop')).toThrow('the life of a task has no stop in the state running');
    expect(() => nextState('done', 'finish')).toThrow('no finish in the state done');
    expect(() => nextState('running', 'assign')).toThrow('no assign in the state running');
  });
});
