import type { EvaluationOptions, FieldValidation } from '#documents';
import { definitionDiffs } from '#service';
import { shownText } from '#report';
import { failedChangeGates } from '../../gates/change-gates.ts';
import type { GateName, RankedWord } from '../../gates/gate-list.ts';
import { failsByRank } from '../../gates/read-gates.ts';
import type { Gate } from '../../gates/read-gates.ts';
import { print } from '../../report/print.ts';
import { documentsOf } from '../../documents/read-documents.ts';
import type { PlacedDocument } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { readRevision } from '../../documents/read-revision.ts';
import { EXIT } from '../../usage.ts';
import type { RunContext } from '../command.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { OutputForm } from '../../report/forms.ts';
import type { Minor } from '#kube';
import { trackedEstimates } from '../../tracking/tracked-estimates.ts';
import { isTrackingForm, trackingText } from '../../tracking/tracking-forms.ts';
import type { TrackingForm } from '../../tracking/tracking-forms.ts';
import type { DiffOutcome, GatedDiff } from './report/outcome.ts';

/** Parsed arguments of `assay diff`, which compares definitions with a revision of a git repository. */
export interface DiffArguments extends CommandSettings {
  readonly base: string;
  /** Newer revision; undefined to compare with the present files. */
  readonly head: string | undefined;
  readonly paths: readonly string[];
  readonly output: OutputForm | TrackingForm | 'markdown';
  readonly options: EvaluationOptions;
  readonly failOn: readonly Gate<GateName<'diff'>>[];
  /** Minor versions whose estimates the gates compare. */
  readonly minors: readonly Minor[];
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
    documents.map(({ source, slice }) => ({ source, slice: { ...slice, fieldValidation } }));
  const documents = {
    from: slices(before.definitions, 'Ignore'),
    to: slices(after.definitions, 'Strict'),
    objects: before.objects.map(({ slice }) => slice),
  };
  const diffs = await definitionDiffs(engine, documents, options);
  const outcome: DiffOutcome = {
    definitions: diffs.map(({ estimates, ...diff }): GatedDiff => {
      const failed = failedChangeGates(estimates, command.failOn, command.minors);
      return { ...diff, totals: estimates.totals, ...(failed.length > 0 && { failed }) };
    }),
    estimates: diffs.map(({ estimates }) => estimates),
    sources: before.objects.map(({ source }) => source),
  };
  await report(command, outcome);
  const names = command.failOn.map(({ name }) => name);
  const isFailed = outcome.definitions.some((diff) => diff.failed !== undefined || failsByRank('diff', names, foundIn(diff)));
  return isFailed ? EXIT.rejected : EXIT.ok;
}

async function report({ output, options }: DiffArguments, outcome: DiffOutcome): Promise<void> {
  if (output === 'markdown') {
    const { diffComment } = await import('./report/comment.ts');
    process.stdout.write(shownText(diffComment(outcome)));
  } else if (isTrackingForm(output)) {
    const tracked = outcome.definitions.flatMap(({ name, state }, i) => {
      const estimates = outcome.estimates[i];
      return state === 'removed' || estimates === undefined ? [] : [trackedEstimates(name, estimates, options.kubernetesVersion)];
    });
    process.stdout.write(trackingText(output, tracked));
  } else {
    const { diffText } = await import('./report/text.ts');
    print(output, outcome.definitions, () => diffText(outcome));
  }
}

/** Returns which ranked words a diff fails. */
function foundIn({ state, changes, report, impact, minors }: GatedDiff): Readonly<Record<RankedWord<'diff'>, boolean>> {
  return {
    refused: report?.accepted === false || minors.refused.length > 0,
    objects: impact !== undefined && impact.effects.brokenOnUpdate + impact.effects.breaksOnNextChange > 0,
    breaking: state === 'removed' || changes.some(({ breaking }) => breaking),
  };
}
