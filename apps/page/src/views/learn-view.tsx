import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { checkTask } from '../learn/check-task.ts';
import type { TaskVerdict } from '../learn/check-task.ts';
import { definitionOf, TASKS } from '../learn/tasks.ts';
import type { Task } from '../learn/tasks.ts';
import { NO_TEXTS } from '../state/texts.ts';
import type { PageSession } from '../state/page-session.ts';

/** Shows ten tasks for learning to write rules. The page checks the user's definition with objects that are not shown. */
export function LearnView({ session }: { readonly session: PageSession }): JSX.Element {
  const [verdict, setVerdict] = useState<TaskVerdict>();
  const number = session.state.task;
  const task = number === undefined ? undefined : TASKS[number - 1];
  const begin = (which: number): void => {
    const texts = { ...NO_TEXTS, definitions: definitionOf((TASKS[which - 1] as Task).schema) };
    // A solved task is replaced without a question, because the user can undo it.
    if (verdict?.kind === 'solved') session.replace(`Task ${which} replaced your solution.`, texts, { task: which });
    else if (!session.give(texts, 'Replace what you wrote with this task?', { task: which })) return;
    setVerdict(undefined);
  };
  const check = async (): Promise<void> => {
    const { definitions } = session.state.texts;
    if (task) setVerdict(await checkTask(session.besides, task, { definitions, minor: session.state.minor }));
  };
  return (
    <>
      <p class="muted">
        Learn to write rules: choose a task, edit the definition, and check it. The page checks your definition with objects that you do not
        see.
      </p>
      <ol class="tasks">
        {TASKS.map(({ title }, i) => (
          <li key={title}>
            <button type="button" aria-current={number === i + 1 ? 'true' : undefined} onClick={() => begin(i + 1)}>
              {i + 1}. {title}
            </button>
          </li>
        ))}
      </ol>
      {task && (
        <section>
          <h2>{task.title}</h2>
          <p>{task.words}</p>
          <p class="row">
            <button type="button" class="primary" onClick={() => void check()}>
              Check my solution
            </button>
          </p>
          <div role="status">{verdict && <Verdict verdict={verdict} />}</div>
          <details key={task.title}>
            <summary>Hint</summary>
            <p>{task.hint}</p>
          </details>
          {verdict?.kind === 'solved' && (number ?? 0) < TASKS.length && (
            <button type="button" onClick={() => begin((number ?? 0) + 1)}>
              Next task
            </button>
          )}
        </section>
      )}
    </>
  );
}

function Verdict({ verdict }: { readonly verdict: TaskVerdict }): JSX.Element {
  switch (verdict.kind) {
    case 'solved':
      return <p class="good">✓ Solved.</p>;
    case 'refused':
      return (
        <>
          <p class="bad">✗ Kubernetes refuses the definition:</p>
          <pre class="server">{verdict.message}</pre>
        </>
      );
    case 'unknown':
      return <p class="bad">Not judged: {verdict.why}.</p>;
    case 'wrong':
      return (
        <>
          <p class="bad">✗ Not yet:</p>
          <ul>
            {verdict.what.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      );
  }
}
