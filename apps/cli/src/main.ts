#!/usr/bin/env node
import { NO_POLICIES } from '#evaluation';
import { MINORS } from '#kube';
import { EngineHost } from '#runner';
import { versionMatrix } from '#service';
import { evaluationStatus } from './evaluation-status.ts';
import { evaluate, withoutForeign } from './evaluate.ts';
import { explainDocuments } from './explain.ts';
import type { PlacedExplanation } from './explain.ts';
import { pairDocuments } from './pair-documents.ts';
import { print, printEvaluation, tellOnStderr } from './print.ts';
import { readArguments } from './read-arguments.ts';
import type { DocumentCommand, EvaluateCommand } from './read-arguments.ts';
import { documentsOf, envelopeOf } from './read-documents.ts';
import type { PlacedDocument, PlacedDocuments } from './read-documents.ts';
import { readInputs } from './read-inputs.ts';
import type { InputFile } from './read-inputs.ts';
import { readRevision } from './read-revision.ts';
import { explanationText } from './report-explanation.ts';
import { matrixText } from './report-matrix.ts';
import { testCommand } from './test-command.ts';
import { EXIT, UsageError } from './usage.ts';
import { whatIfCommand } from './what-if-command.ts';

surviveClosedPipes();
process.exitCode = await main(process.argv.slice(2));

/** PLOT: arguments → documents → engine → report → exit status. Where a file could not be read, the others are judged, and the status tells. */
async function main(argv: readonly string[]): Promise<number> {
  const host = new EngineHost();
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
    const inputs = command.name === 'test' || command.name === 'what-if' ? [] : await readInputs(command.paths, tell);
    const old = command.name === 'evaluate' ? [...(await readInputs(command.old, tell)), ...readRevision(command.base, command.paths)] : [];
    await host.start();
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

async function run(command: DocumentCommand | EvaluateCommand, { inputs, old }: Inputs, host: EngineHost): Promise<number> {
  const documents = await documentsOf(inputs, host);
  const { definitions, objects } = documents;
  if (command.name === 'explain') {
    const explained =
      definitions.length === 0 && documents.policies.policies.length === 0
        ? await unreadableOnly(objects, command, host)
        : await explainDocuments(documents, command.options, host);
    print(command.output, explained, () => explanationText(explained));
    const clean = [
      ...explained.definitions.map(({ report }) => report.accepted),
      ...explained.objects.map(({ outcome }) => outcome === 'accepted'),
    ];
    return clean.every(Boolean) ? EXIT.ok : EXIT.rejected;
  }
  if (definitions.length + objects.length === 0) throw new UsageError('no documents were found');
  if (command.name === 'evaluate') return judge(command, documents, old, host);
  const matrix = await versionMatrix(host, envelopeOf(documents, command.options), MINORS);
  print(command.output, matrix, () => matrixText(matrix));
  return [...matrix.definitions, ...matrix.objects].some(({ changes }) => changes) ? EXIT.rejected : EXIT.ok;
}

async function judge(command: EvaluateCommand, documents: PlacedDocuments, old: readonly InputFile[], host: EngineHost): Promise<number> {
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

/** Without a definition or a policy there is nothing to explain but why a document, which may be one, cannot be read. */
async function unreadableOnly(
  objects: readonly PlacedDocument[],
  { options }: DocumentCommand,
  host: EngineHost,
): Promise<PlacedExplanation> {
  const { items } = await evaluate({ definitions: [], objects, policies: NO_POLICIES }, options, host);
  const unreadable = items.filter(({ outcome }) => outcome === 'rejected');
  if (unreadable.length === 0) throw new UsageError('neither a CustomResourceDefinition nor an admission policy was found');
  return {
    definitions: [],
    objects: unreadable.map(({ source, index, outcome, status }) => ({ source, index, outcome, ...(status && { status }) })),
  };
}

/** A reader that closes the pipe (`assay explain … | head`) has read enough: the command ends with the status it would have had. */
function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
