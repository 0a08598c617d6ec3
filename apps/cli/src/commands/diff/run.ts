import type { EvaluationOptions, FieldValidation } from '#documents';
import { definitionDiffs } from '#service';
import type { DefinitionDiff } from '#service';
import { shownText } from '#report';
import { DIFF_FAILURES, foundByThreshold } from '../../options/fail-on.ts';
import type { DiffFailure } from '../../options/fail-on.ts';
import { print } from '../../report/print.ts';
import { documentsOf } from '../../documents/read-documents.ts';
import type { PlacedDocument } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { readRevision } from '../../documents/read-revision.ts';
import { diffMarkdown, diffText } from './report.ts';
import type { DiffOutcome } from './report.ts';
import { EXIT } from '../../usage.ts';
import type { RunContext } from '../command.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { OutputForm } from '../../report/forms.ts';

/** Parsed arguments of `assay diff`, which compares definitions with a revision of a git repository. */
export interface DiffArguments extends CommandSettings {
  readonly base: string;
  /** Newer revision; undefined to compare with the present files. */
  readonly head: string | undefined;
  readonly paths: readonly string[];
  readonly output: OutputForm | 'markdown';
  readonly options: EvaluationOptions;
  readonly failOn: readonly DiffFailure[];
}

/**
 * Runs `assay diff`: compares the definitions below the given paths with an older revision. Also finds the effects of the change on the
 * objects of that revision. Resolves with the exit status.
 */
export async function runDiff(command: DiffArguments, { engine, reportProblem }: RunContext): Promise<number> {
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
