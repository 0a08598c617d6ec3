import type { Engine } from '#runner';
import type { TellProblem } from '../find-files.ts';
import { documentsOf } from '../read-documents.ts';
import { readInputs } from '../read-inputs.ts';
import { judgeReviewed } from './judge-reviewed.ts';
import type { JudgeObject } from './guard-server.ts';
import { openCluster } from '../cluster/open-cluster.ts';
import { tellOnStderr } from '../print.ts';
import type { GuardCommand } from '../commands.ts';
import { EXIT } from '../usage.ts';
import { GuardServer } from './guard-server.ts';
import { Guard } from './guard.ts';

/** `assay guard`: a validating webhook that looks at what a change would do to the cluster. Resolves with the exit status when it is told to end. */
export async function guardCommand(command: GuardCommand, engine: Engine, tell: TellProblem): Promise<number> {
  const { cluster: option, options: given, address, settings, definitions } = command;
  const documents = await documentsOf(await readInputs(definitions, tell), engine);
  const { cluster, options } = await openCluster(option, given);
  try {
    const guard = new Guard(cluster, engine, options, settings);
    const judgeObject: JudgeObject | undefined =
      definitions.length === 0
        ? undefined
        : (review, deadline) => judgeReviewed(engine, { documents, options }, review, settings.whenLate, deadline);
    const server = new GuardServer({ guard, judgeObject }, address.certificate, (line) => process.stdout.write(`${line}\n`));
    const port = await server.listen(address);
    tellOnStderr(`guards ${cluster.name} as ${options.kubernetesVersion} on ${address.host}:${port}`);
    await new Promise((done) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, done);
    });
    await server.close();
    return EXIT.ok;
  } finally {
    cluster.close();
  }
}
