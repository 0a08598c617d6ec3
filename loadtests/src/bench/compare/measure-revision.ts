import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RevisionProcess } from './compare-figures.ts';

const SOURCE = import.meta.url.endsWith('.ts');

/**
 * Starts a process that measures the built libraries. Rejects if the process ends before it is ready, for example because a library has a
 * different interface.
 */
export async function measureRevision(folder: string): Promise<RevisionProcess> {
  const file = fileURLToPath(new URL(`figure-process${SOURCE ? '.ts' : '.js'}`, import.meta.url));
  const child = fork(file, [folder], { execArgv: SOURCE ? ['--conditions=source'] : [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exit = once(child, 'exit');
  const ended = exit.then(() => Promise.reject(new Error(`the process that measures ${folder} ended`)));
  ended.catch(() => undefined);
  const answer = async (): Promise<unknown> => (await Promise.race([once(child, 'message'), ended]))[0];
  await answer();
  return {
    measure: async (figure) => {
      const output = answer();
      child.send(figure);
      const value = await output;
      return typeof value === 'number' ? value : undefined;
    },
    stop: async () => {
      if (child.kill()) await exit;
    },
  };
}
