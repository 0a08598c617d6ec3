import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtArguments, sourceArguments } from '../../../testing/app-arguments.ts';
import { PROJECT } from '../places.ts';
import { startProgram } from './start-program.ts';

/** Running Assay service that was started for one experiment. */
export interface Service {
  readonly url: string;
  readonly processId: number;
  stop(): Promise<void>;
}

/** Starts the API from dist/ of a folder on a free port, with the higher limits that experiments need, and waits until it is ready. */
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
    const program = await startProgram({
      name: 'the service',
      command: process.execPath,
      args: builtArguments(folder),
      variables,
      ready: /listens on (http:\/\/\S+)/,
    });
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

const SOURCE = import.meta.url.endsWith('.ts');

/** Returns the Node arguments that start the service from dist/ or from source, whichever this file itself runs from. */
export const argumentsAsRun = (): string[] => (SOURCE ? sourceArguments : builtArguments)(PROJECT);
