import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../places.ts';
import { startProgram } from './start-program.ts';
import type { StartedProgram } from './start-program.ts';

/** A service of our own, started for one experiment. */
export interface Service {
  readonly url: string;
  readonly processId: number;
  stop(): Promise<void>;
}

/** Starts the API from dist/ of a folder on a free port, with limits lifted as experiments need, and waits until it is ready. */
export async function startService(extra: Readonly<Record<string, string>> = {}, folder = PROJECT): Promise<Service> {
  const journal = mkdtempSync(join(tmpdir(), 'assay-loadtest-'));
  const remove = (): void => rmSync(journal, { recursive: true, force: true });
  try {
    const variables = {
      PORT: '0',
      HOST: '127.0.0.1',
      ASSAY_ALLOW_UNLIMITED: 'true',
      ASSAY_JOURNAL: join(journal, 'journal.sqlite'),
      ...extra,
    };
    const program = await startApp('api', /listens on (http:\/\/\S+)/, variables, folder);
    return {
      url: program.match[1] ?? '',
      processId: program.processId,
      stop: async () => {
        await program.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Arguments with which Node runs one of the apps from dist/ of a folder, as `npm start` and the image do. */
export function appArguments(app: 'api' | 'worker', folder = PROJECT): string[] {
  const sources = join(folder, 'dist/apps', app, 'src');
  return [...(app === 'api' ? ['--max-semi-space-size=16'] : []), '--import', join(sources, 'preload.js'), join(sources, 'main.js')];
}

const SOURCE = import.meta.url.endsWith('.ts');

/** Arguments with which Node runs one of the apps as this file is run: from dist/, or from source, whose decorators are transpiled. */
export function appArgumentsAsRun(app: 'api' | 'worker'): string[] {
  if (!SOURCE) return appArguments(app);
  const folder = join(PROJECT, 'apps', app, 'src');
  const transpiler = join(PROJECT, 'apps/api/test/transpile-decorators.ts');
  return ['--conditions=source', '--import', transpiler, '--import', join(folder, 'preload.ts'), join(folder, 'main.ts')];
}

/** Starts one of the apps from dist/ of a folder. */
export function startApp(
  app: 'api' | 'worker',
  ready: RegExp,
  variables: Readonly<Record<string, string>>,
  folder = PROJECT,
): Promise<StartedProgram> {
  return startProgram({
    name: app === 'api' ? 'the service' : 'a worker',
    command: process.execPath,
    args: appArguments(app, folder),
    variables,
    ready,
  });
}
