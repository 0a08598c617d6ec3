import type { EvaluationOptions, FieldValidation } from '#documents';
import { definitionDiffs } from '#service';
import type { DefinitionDiff } from '#service';
import { minorWords } from '#kube';
import { times } from '#numbers';
import { shownText } from '#report';
import { failedChangeGates, refusalMinors } from '../../gates/change-gates.ts';
import type { GateName, RankedWord } from '../../gates/gate-list.ts';
import { failsByRank } from '../../gates/read-gates.ts';
import type { Gate } from '../../gates/read-gates.ts';
import { reportUnreadable } from '../../documents/unreadable-documents.ts';
import { print, reportOnStderr } from '../../report/print.ts';
import { documentsOf } from '../../documents/read-documents.ts';
import type { PlacedDocument } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { readRevision } from '../../documents/read-revision.ts';
import { EXIT } from '../../usage.ts';
import type { RunContext } from '../command.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { OutputForm } from '../../report/forms.ts';
import type { Minor } from '#kube';
import { trackedEstimates } from '../../tracking/tracked-definition.ts';
import { isTrackingForm, trackingText } from '../../tracking/tracking-forms.ts';
import type { TrackingForm } from '../../tracking/tracking-forms.ts';
import type { DiffOutcome, FailedDiffGate, GatedDiff } from './report/text.ts';

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
  await reportUnreadable(before.objects, options, engine, reportOnStderr);
  await reportUnreadable(after.objects, options, engine, reportProblem);
  const slices = (documents: readonly PlacedDocument[], fieldValidation: FieldValidation) =>
    documents.map(({ source, slice }) => ({ source, slice: { ...slice, fieldValidation } }));
  const documents = {
    from: slices(before.definitions, 'Ignore'),
    to: slices(after.definitions, 'Strict'),
    objects: before.objects.map(({ slice }) => slice),
  };
  const diffs = await definitionDiffs(engine, documents, options);
  const names = command.failOn.map(({ name }) => name);
  const outcome: DiffOutcome = {
    definitions: diffs.map(({ estimates, ...diff }): GatedDiff => {
      const failed = [...failedChangeGates(estimates, command.failOn, command.minors), ...failedWords(diff, names, command)];
      return { ...diff, totals: estimates.totals, ...(failed.length > 0 && { failed }) };
    }),
    estimates: diffs.map(({ estimates }) => estimates),
    sources: before.objects.map(({ source }) => source),
  };
  await report(command, outcome);
  return outcome.definitions.some(({ failed }) => failed !== undefined) ? EXIT.rejected : EXIT.ok;
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

type UngatedDiff = Omit<DefinitionDiff, 'estimates'>;
/** Diff with the minor versions whose refusals count for the gate `refused`. */
type CountedDiff = UngatedDiff & { readonly refusedBy: readonly Minor[] };

/** Returns the ranked words among the gates that a diff fails. `refused` is left out if the estimates already name the minor versions. */
function failedWords(diff: UngatedDiff, names: readonly string[], { failOn, minors }: DiffArguments): FailedDiffGate[] {
  const counted = { ...diff, refusedBy: refusalMinors(failOn, minors).filter((minor) => diff.minors.refused.includes(minor)) };
  const found = foundIn(counted);
  return RANKED.filter((name) => failsByRank('diff', names, { [name]: found[name] }))
    .filter((name) => name !== 'refused' || counted.refusedBy.length === 0 || !names.includes('refused'))
    .map((name) => ({ gate: name, name, minors: [], text: `${name}: ${WORD_TEXTS[name](counted)}` }));
}

const RANKED = ['refused', 'objects', 'breaking'] as const satisfies readonly RankedWord<'diff'>[];

/** Functions that say why a word fails. */
const WORD_TEXTS: Readonly<Record<RankedWord<'diff'>, (diff: CountedDiff) => string>> = {
  refused: ({ refusedBy, report }) =>
    refusedBy.length > 0
      ? `the definition is refused from now on by ${refusedBy.map(minorWords).join(', ')}`
      : (report?.status?.message ?? 'the change is refused'),
  objects: ({ impact, removedObjects }) =>
    removedObjects !== undefined
      ? `a server removes ${times(removedObjects, 'object')} of the older state with the definition`
      : `${times((impact?.effects.brokenOnUpdate ?? 0) + (impact?.effects.breaksOnNextChange ?? 0), 'object')} of the older state cannot be written any more`,
  breaking: ({ state, changes }) =>
    state === 'removed' ? 'the definition is removed' : times(changes.filter(({ breaking }) => breaking).length, 'breaking change'),
};

/** Returns which ranked words a diff fails. */
function foundIn({
  state,
  changes,
  report,
  impact,
  removedObjects,
  refusedBy,
}: CountedDiff): Readonly<Record<RankedWord<'diff'>, boolean>> {
  return {
    refused: report?.accepted === false || refusedBy.length > 0,
    objects:
      removedObjects !== undefined || (impact !== undefined && impact.effects.brokenOnUpdate + impact.effects.breaksOnNextChange > 0),
    breaking: state === 'removed' || changes.some(({ breaking }) => breaking),
  };
}
