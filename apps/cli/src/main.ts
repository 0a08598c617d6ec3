#!/usr/bin/env node
import { MINORS } from '#kube';
import { EngineHost } from '#runner';
import { versionMatrix } from '#service';
import { evaluate } from './evaluate.ts';
import { explainDocuments } from './explain.ts';
import { readInputs } from './find-files.ts';
import { print } from './print.ts';
import { readArguments } from './read-arguments.ts';
import type { DocumentCommand } from './read-arguments.ts';
import { documentsOf } from './read-documents.ts';
import { evaluationText } from './report-evaluation.ts';
import { explanationText } from './report-explanation.ts';
import { matrixText } from './report-matrix.ts';
import { testCommand } from './test-command.ts';
import { EXIT, UsageError } from './usage.ts';
import { whatIfCommand } from './what-if-command.ts';

surviveClosedPipes();
process.exitCode = await main(process.argv.slice(2));

/** PLOT: arguments → documents → engine → report → exit status. */
async function main(argv: readonly string[]): Promise<number> {
  const host = new EngineHost();
  try {
    const command = readArguments(argv);
    if (command.name === 'help') {
      process.stdout.write(command.text);
      return EXIT.ok;
    }
    const inputs = command.name === 'test' || command.name === 'what-if' ? [] : [...readInputs(command.paths)];
    await host.start();
    if (command.name === 'test') return await testCommand(command, host);
    if (command.name === 'what-if') return await whatIfCommand(command, host);
    return await run(command, inputs, host);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`assay: ${error.message}\nassay --help tells more.\n`);
      return EXIT.usage;
    }
    process.stderr.write(`assay: internal error: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT.internal;
  } finally {
    host.stop();
  }
}

async function run(command: DocumentCommand, inputs: Parameters<typeof documentsOf>[0], host: EngineHost): Promise<number> {
  const { definitions, objects, files } = await documentsOf(inputs, host);
  if (command.name === 'explain') {
    if (definitions.length === 0) throw new UsageError('no CustomResourceDefinition was found');
    const explained = await explainDocuments(definitions, objects, command.options, host);
    print(command.output, explained, () => explanationText(explained));
    const clean = [
      ...explained.definitions.map(({ report }) => report.accepted),
      ...explained.objects.map(({ outcome }) => outcome === 'accepted'),
    ];
    return clean.every(Boolean) ? EXIT.ok : EXIT.rejected;
  }
  if (definitions.length + objects.length === 0) throw new UsageError('no documents were found');
  if (command.name === 'matrix') {
    const slices = (documents: typeof objects) => documents.map(({ slice }) => slice);
    const matrix = await versionMatrix(
      host,
      { definitions: slices(definitions), objects: slices(objects), options: command.options },
      MINORS,
    );
    print(command.output, matrix, () => matrixText(matrix));
    return [...matrix.definitions, ...matrix.objects].some(({ changes }) => changes) ? EXIT.rejected : EXIT.ok;
  }
  const outcome = await evaluate(definitions, objects, command.options, host);
  print(command.output, outcome, () => evaluationText(outcome, files));
  const clean = outcome.summary.accepted === outcome.summary.items && outcome.definitions.every(({ accepted }) => accepted);
  return clean ? EXIT.ok : EXIT.rejected;
}

/** A reader that closes the pipe (`assay explain … | head`) has read enough: the command ends with the status it would have had. */
function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
