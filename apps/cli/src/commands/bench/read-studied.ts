import type { EvaluationOptions } from '#documents';
import type { Minor } from '#kube';
import type { Engine } from '#runner';
import { longestObjects } from '#service';
import type { StudyOrder } from '#service';
import { documentsOf } from '../../documents/read-documents.ts';
import type { PlacedBatch, PlacedDocument } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { readRevision } from '../../documents/read-revision.ts';
import { reportUnreadable } from '../../documents/unreadable-documents.ts';
import type { ReportProblem } from '../../files/file-problem.ts';
import type { GateName } from '../../gates/gate-list.ts';
import type { Gate } from '../../gates/read-gates.ts';
import { namedByOptions } from '../../options/shared-options.ts';
import type { CommandSettings } from '../../options/shared-options.ts';
import type { OutputForm, ToolForm } from '../../report/forms.ts';
import { reportOnStderr } from '../../report/print.ts';
import type { TrackingForm } from '../../tracking/tracking-forms.ts';
import { UsageError } from '../../usage.ts';

/** Parsed arguments of `assay bench`, which studies the costs and times of rules. */
export interface BenchArguments extends CommandSettings {
  readonly paths: readonly string[];
  /** Path of the rules to study (alone or after the version), or a part of their text; undefined to study all rules. */
  readonly rule: string | undefined;
  /** Paths of the objects with which the searches of the study start. */
  readonly objects: readonly string[];
  /** Revision of the git repository whose definitions are the base of the comparison; undefined for no comparison. */
  readonly base: string | undefined;
  /** Time budget of the study, in ms. */
  readonly budgetMs: number;
  readonly seed: number;
  /** True if the study also measures how long the rules run; false if it finds costs only. */
  readonly isTimed: boolean;
  readonly options: EvaluationOptions;
  /** Path of a program that measures rules with the Go libraries of Kubernetes; undefined if no program is given. */
  readonly goProgram: string | undefined;
  /** Address of the service that performs the study, without a trailing slash; undefined if this process performs the study. */
  readonly server: string | undefined;
  readonly failOn: readonly Gate<GateName<'bench'>>[];
  /** Minor versions whose estimates the gates compare. */
  readonly minors: readonly Minor[];
  readonly output: OutputForm | ToolForm | TrackingForm | 'html' | 'markdown';
}

/** Subjects of a study, as read from files. */
interface StudiedFiles {
  /** Request for a study of the rules; undefined if the files hold no definition. */
  readonly order: StudyOrder | undefined;
  /** Documents of the definitions in `order`, in the same order. */
  readonly definitions: readonly PlacedDocument[];
  /** Definitions of the older revision; undefined if there is none. */
  readonly before: readonly PlacedDocument[] | undefined;
  /** Policies with the documents that they need, and the objects whose writes they judge. Undefined if no policies are studied. */
  readonly policies: PlacedBatch | undefined;
}

/**
 * Reads the files of a study. Throws {@link UsageError} if there is neither a definition nor a policy, or if a file cannot be accepted.
 */
export async function readStudied(command: BenchArguments, engine: Engine, reportProblem: ReportProblem): Promise<StudiedFiles> {
  const { base, objects, options, budgetMs, seed, isTimed, paths, rule, reading } = command;
  const documents = await documentsOf(await readInputs(paths, reportProblem, reading), engine);
  const { definitions, objects: own } = documents;
  const hasPolicies = documents.policies.policies.length > 0;
  await reportUnreadable(own, options, engine, reportProblem);
  if (definitions.length === 0 && !hasPolicies)
    throw new UsageError('neither a CustomResourceDefinition nor an admission policy was found');
  const given =
    objects.length === 0 ? [] : (await documentsOf(await readInputs(objects, reportProblem, namedByOptions(reading)), engine)).objects;
  const policies = hasPolicies ? studiedPolicies(command, { ...documents, objects: [...given, ...own] }) : undefined;
  if (definitions.length === 0) return { order: undefined, definitions, before: undefined, policies };
  const before = base === undefined ? undefined : await documentsOf(readRevision(base, paths, reading.access), engine);
  const order = {
    definitions: definitions.map(({ source, slice }) => ({ source, slice })),
    objects: longestObjects([...given, ...own].map(({ slice }) => slice)),
    options,
    budgetMs: policies === undefined ? budgetMs : RULE_SHARE * budgetMs,
    seed,
    isTimed,
    base: before && base !== undefined ? { name: base, definitions: before.definitions.map(({ slice }) => slice) } : undefined,
    rule,
  };
  return { order, definitions, before: before?.definitions, policies };
}

/** Part of the budget that rules get at most if policies are studied, too. */
const RULE_SHARE = 0.75;

/**
 * Returns the batch of the policies to study. Returns undefined, with a note, if the options or the documents allow no study of them beside
 * the rules. Throws {@link UsageError} if there are no rules either.
 */
function studiedPolicies({ server, rule, base, failOn }: BenchArguments, batch: PlacedBatch): PlacedBatch | undefined {
  const hasDefinitions = batch.definitions.length > 0;
  const option =
    server !== undefined
      ? '--server'
      : rule !== undefined
        ? '--rule'
        : base !== undefined
          ? '--base'
          : failOn.length > 0
            ? '--fail-on'
            : undefined;
  const why =
    option !== undefined
      ? `${option} is about rules of definitions`
      : batch.objects.length === 0
        ? 'the files hold no object whose write they could judge: add one, or name its file by --objects'
        : undefined;
  if (why === undefined) return batch;
  if (!hasDefinitions) throw new UsageError(`the policies cannot be studied: ${why}`);
  reportOnStderr(`the policies are not studied: ${why}`);
  return undefined;
}
