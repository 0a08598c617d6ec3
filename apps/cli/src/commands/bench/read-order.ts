import type { Engine } from '#runner';
import { longestObjects } from '#service';
import type { StudyOrder } from '#service';
import type { ReportProblem } from '../../files/find-files.ts';
import { documentsOf } from '../../documents/read-documents.ts';
import type { PlacedDocument } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { readRevision } from '../../documents/read-revision.ts';
import { namedByOptions } from '../../options/shared-options.ts';
import { UsageError } from '../../usage.ts';
import type { RunSettings } from '../../options/shared-options.ts';
import type { EvaluationOptions } from '#evaluation';

/** Arguments that say what is studied. */
export interface StudyInput extends RunSettings {
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
  /** True if the study (benchmark) also measures how long the rules run; false if it finds costs only. */
  readonly isTimed: boolean;
  readonly options: EvaluationOptions;
}

/**
 * Request for a study (benchmark) of rules, as read from files. `definitions` contains the documents of the definitions in `order`, in the
 * same order.
 */
export interface ReadOrder {
  readonly order: StudyOrder;
  readonly definitions: readonly PlacedDocument[];
}

/**
 * Reads the files of a study (benchmark of rules) and returns the request for the study. Throws {@link UsageError} if there is no
 * definition, or if a file cannot be accepted.
 */
export async function readOrder(command: StudyInput, engine: Engine, reportProblem: ReportProblem): Promise<ReadOrder> {
  const { base, objects, options, budgetMs, seed, isTimed, paths, rule, reading } = command;
  const { definitions } = await documentsOf(await readInputs(paths, reportProblem, reading), engine);
  if (definitions.length === 0) throw new UsageError('no CustomResourceDefinition was found');
  const before = base === undefined ? undefined : await documentsOf(readRevision(base, paths, reading.access), engine);
  const given =
    objects.length === 0 ? [] : (await documentsOf(await readInputs(objects, reportProblem, namedByOptions(reading)), engine)).objects;
  const order = {
    definitions: definitions.map(({ source, slice }) => ({ source, slice })),
    objects: longestObjects(given.map(({ slice }) => slice)),
    options,
    budgetMs,
    seed,
    isTimed,
    base: before && base !== undefined ? { name: base, definitions: before.definitions.map(({ slice }) => slice) } : undefined,
    rule,
  };
  return { order, definitions };
}
