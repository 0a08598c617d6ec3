import type { FieldValidation } from '#documents';
import type { Engine } from '#runner';
import { definitionDiffs } from '#service';
import type { DefinitionDiff } from '#service';
import { shownText } from '#report';
import { DIFF_FAILURES } from './diff-failures.ts';
import type { DiffFailure } from './diff-failures.ts';
import { foundByThreshold } from './fail-on.ts';
import type { ReportProblem } from './find-files.ts';
import { print } from './print.ts';
import type { DiffCommand } from './commands.ts';
import { documentsOf } from './read-documents.ts';
import type { PlacedDocument } from './read-documents.ts';
import { readInputs } from './read-inputs.ts';
import { readRevision } from './read-revision.ts';
import { diffMarkdown, diffText } from './report/diff-report.ts';
import { EXIT } from './usage.ts';

/** Result of `assay diff`. `sources` contains the file location of each object in the older revision, at the object's index. */
export interface DiffOutcome {
  readonly definitions: readonly DefinitionDiff[];
  readonly sources: readonly string[];
}

/**
 * Runs `assay diff`: compares the definitions below the given paths with an older revision. Also finds the effects of the change on the
 * objects of that revision. Resolves with the exit status.
 */
export async function diffCommand(command: DiffCommand, engine: Engine, reportProblem: ReportProblem): Promise<number> {
  const { base, head, paths, options } = command;
  const before = await documentsOf(readRevision(base, paths, command.reading.access), engine);
  const after = await documentsOf(
    head === undefined ? await readInputs(paths, reportProblem, command.reading) : readRevision(head, paths, command.reading.access),
    engine,
  );
  const slices = (documents: readonly PlacedDocument[], fieldValidation: FieldValidation) =>
    documents.map(({ slice }) => ({ ...slice, fieldValidation }));
  const documents = {
    from: slices(before.definitions, 'Ignore'),
    to: slices(after.definitions, 'Strict'),
    objects: before.objects.map(({ slice }) => slice),
  };
  const outcome: DiffOutcome = {
    definitions: await definitionDiffs(engine, documents, options),
    sources: before.objects.map(({ source }) => source),
  };
  if (command.output === 'markdown') process.stdout.write(shownText(diffMarkdown(outcome)));
  else print(command.output, outcome.definitions, () => diffText(outcome));
  const fails = (failure: DiffFailure): boolean => outcome.definitions.some((diff) => failsBy(diff, failure));
  return foundByThreshold(DIFF_FAILURES, command.failOn, fails) ? EXIT.rejected : EXIT.ok;
}

function failsBy({ state, changes, report, impact, minors }: DefinitionDiff, failure: DiffFailure): boolean {
  switch (failure) {
    case 'refused':
      return report?.accepted === false || minors.refused.length > 0;
    case 'objects':
      return impact !== undefined && impact.effects.brokenOnUpdate + impact.effects.breaksOnNextChange > 0;
    case 'breaking':
      return state === 'removed' || changes.some(({ breaking }) => breaking);
  }
}
