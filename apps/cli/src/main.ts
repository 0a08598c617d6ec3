import { MINORS } from '#kube';
import { EngineThreads } from '#runner';
import type { Engine } from '#runner';
import { versionMatrix } from '#service';
import { evaluationStatus } from './evaluation-status.ts';
import { evaluate, withoutForeign } from './evaluate.ts';
import { explainCommand } from './explain-command.ts';
import { pairDocuments } from './pair-documents.ts';
import { print, printEvaluation, tellOnStderr } from './print.ts';
import { readArguments } from './read-arguments.ts';
import type { EvaluateCommand, ExplainCommand, MatrixCommand } from './read-arguments.ts';
import { documentsOf, envelopeOf } from './read-documents.ts';
import type { PlacedDocuments } from './read-documents.ts';
import { readInputs } from './read-inputs.ts';
import type { InputFile } from './read-inputs.ts';
import { readRevision } from './read-revision.ts';
import { matrixText } from './report-matrix.ts';
import { testCommand } from './test-command.ts';
import { EXIT, UsageError } from './usage.ts';
import { whatIfCommand } from './what-if-command.ts';

/** Runs a command, and sets the exit status of this process. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  process.exitCode = await main(argv);
}

/** PLOT: arguments → documents → engine → report → exit status. Where a file could not be read, the others are judged, and the status tells. */
async function main(argv: readonly string[]): Promise<number> {
  const host = new EngineThreads();
  let problems = 0;
  const tell = (problem: string): void => {
    problems++;
    tellOnStderr(problem);
  };
  try {
    const command = readArguments(argv);
    if (command.name === 'help') {
      process.stdout.write(command.text);
      return EXIT.ok;
    }
    // It loads the engine while the files are being read.
    host.start();
    const inputs = command.name === 'test' || command.name === 'what-if' ? [] : await readInputs(command.paths, tell);
    const old = command.name === 'evaluate' ? [...(await readInputs(command.old, tell)), ...readRevision(command.base, command.paths)] : [];
    const status =
      command.name === 'test'
        ? await testCommand(command, host)
        : command.name === 'what-if'
          ? await whatIfCommand(command, host, tell)
          : await run(command, { inputs, old }, host);
    return problems > 0 ? EXIT.usage : status;
  } catch (error) {
    if (error instanceof UsageError) {
      tellOnStderr(`${error.message}\nassay --help tells more.`);
      return EXIT.usage;
    }
    tellOnStderr(`internal error: ${error instanceof Error ? error.message : String(error)}`);
    return EXIT.internal;
  } finally {
    host.stop();
  }
}

async function run(command: ExplainCommand | MatrixCommand | EvaluateCommand, { inputs, old }: Inputs, host: Engine): Promise<number> {
  const documents = await documentsOf(inputs, host);
  if (command.name === 'explain') return explainCommand(command, documents, host);
  const { definitions, objects } = documents;
  if (definitions.length + objects.length === 0) throw new UsageError('no documents were found');
  if (command.name === 'evaluate') return judge(command, documents, old, host);
  const matrix = await versionMatrix(host, envelopeOf(documents, command.options), MINORS);
  print(command.output, matrix, () => matrixText(matrix));
  return [...matrix.definitions, ...matrix.objects].some(({ changes }) => changes) ? EXIT.rejected : EXIT.ok;
}

async function judge(command: EvaluateCommand, documents: PlacedDocuments, old: readonly InputFile[], host: Engine): Promise<number> {
  const { objects: oldObjects } = await documentsOf(old, host);
  const paired = pairDocuments(documents.objects, oldObjects, command.options.asSent);
  const all = await evaluate({ ...documents, objects: paired }, command.options, host);
  const outcome = command.strictKinds ? all : withoutForeign(all);
  printEvaluation(command, outcome, documents.files);
  return evaluationStatus(command, outcome);
}

interface Inputs {
  readonly inputs: readonly InputFile[];
  /** Of objects as they were before. */
  readonly old: readonly InputFile[];
}
