import type { PlacedFindings, StudyReport } from '#benchmark';
import { documentJson, optionsJson } from '#documents';
import type { DocumentSlice, EvaluationOptions } from '#documents';

/** Definition to be studied, and the name of its document. */
export interface StudiedText {
  /** File and number of the document, for display. */
  readonly source: string;
  readonly slice: DocumentSlice;
}

/** Older revision of the definitions, with which a study compares the studied definitions. */
export interface BaseRevision {
  readonly name: string;
  readonly definitions: readonly DocumentSlice[];
}

/** Fields of a rule by which users select the rules that a study examines. */
export interface ChoosableRule {
  readonly version: string;
  readonly path: string;
  readonly rule: string;
}

/** Request for a study: definitions, objects, options and time budget. */
export interface StudyRequest {
  readonly definitions: readonly StudiedText[];
  /** Objects of the user, with which the searches for the most expensive write of each rule begin. */
  readonly objects: readonly DocumentSlice[];
  readonly options: EvaluationOptions;
  /** Time budget in ms for the whole study. */
  readonly budgetMs: number;
  /** Seed of the random choices. The same seed produces the same choices. */
  readonly seed: number;
  /** Older revision; undefined if there is none. Its definitions are paired with the studied definitions by name. */
  readonly base: BaseRevision | undefined;
  /** False if the study measures only costs and no times. Costs are exact even on a busy machine. */
  readonly isTimed: boolean;
  readonly isWanted: (rule: ChoosableRule) => boolean;
}

/** Progress of a running study. */
export interface StudyProgress {
  readonly phase: 'costs' | 'times' | 'comparison';
  /** Number of rules with at least one finding; `rules` is the number of all rules. */
  readonly known: number;
  readonly rules: number;
  /** Remaining time of the budget in ms. */
  readonly leftMs: number;
  /** Rule of the most recent finding, with all findings about it. */
  readonly latest: PlacedFindings;
}

/** Findings of a study. The caller adds the names of the runtime and the processor to get a report. */
export type StudyFindings = Omit<StudyReport, 'node' | 'cpu'>;

/** Maximum number of objects with which cost searches (searches for a rule's most expensive write) begin. */
const MAX_OBJECTS = 50;

/** Order (request of a client to perform a study). It contains only plain data, so that it can be stored. */
export interface StudyOrder extends Omit<StudyRequest, 'isWanted'> {
  /** Text by which rules are selected ({@link wantedRule}). Undefined selects all rules. */
  readonly rule: string | undefined;
}

/**
 * Converts a stored study order (plain data) to a study request. In the request, a predicate selects the rules, instead of the text in the
 * order.
 */
export function requestOf({ rule, ...order }: StudyOrder): StudyRequest {
  return { ...order, isWanted: wantedRule(rule) };
}

/**
 * Returns a predicate that selects a rule if `chosen` is its path, its version and path, or a part of its text. The predicate selects all
 * rules if `chosen` is undefined.
 */
export const wantedRule =
  (chosen: string | undefined) =>
  ({ version, path, rule }: ChoosableRule): boolean =>
    chosen === undefined || path === chosen || `${version} ${path}` === chosen || rule.includes(chosen);

/**
 * Returns the longest of the user's objects, up to `MAX_OBJECTS`. A study starts its searches for expensive objects from these objects.
 */
export const longestObjects = (objects: readonly DocumentSlice[]): readonly DocumentSlice[] =>
  objects.toSorted((a, b) => b.bytes.length - a.bytes.length).slice(0, MAX_OBJECTS);

/**
 * Returns a copy of an order, with copies of all document bytes. The original bytes are part of the request's body, which would otherwise
 * stay in memory.
 */
export function ownOrder(order: StudyOrder): StudyOrder {
  const { definitions, objects, base } = order;
  return {
    ...order,
    definitions: definitions.map(({ source, slice }) => ({ source, slice: own(slice) })),
    objects: objects.map(own),
    base: base && { name: base.name, definitions: base.definitions.map(own) },
  };
}

const own = ({ bytes, notation }: DocumentSlice): DocumentSlice => ({ bytes: new Uint8Array(bytes), notation });

/** Returns the total size in bytes of the documents in an order. */
export function orderBytes({ definitions, objects, base }: StudyOrder): number {
  const slices = [...definitions.map(({ slice }) => slice), ...objects, ...(base?.definitions ?? [])];
  return slices.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Body of an HTTP request for a study, or the reason why no body can be created. */
export type StudyBody = { readonly ok: true; readonly body: string } | { readonly ok: false; readonly problem: string };

/** Returns the body of `POST /benchmarks` as JSON. If a document cannot be read, returns a problem that contains the document's name. */
export function studyBody({ definitions, objects, options, budgetMs, seed, isTimed, base, rule }: StudyOrder): StudyBody {
  const problems: string[] = [];
  const listOf = (documents: readonly { readonly source: string; readonly slice: DocumentSlice }[]): string => {
    const texts = documents.map(({ source, slice }) => {
      const read = documentJson(slice);
      if (!read.ok) problems.push(`${source}: it cannot be read: ${read.error}`);
      return read.ok ? read.json : '';
    });
    return `[${texts.join(',')}]`;
  };
  const named = (source: string, slices: readonly DocumentSlice[]) => slices.map((slice) => ({ source, slice }));
  const body = objectOf({
    budget: JSON.stringify(`${budgetMs}ms`),
    seed: String(seed),
    times: String(isTimed),
    ...(rule !== undefined && { rule: JSON.stringify(rule) }),
    options: optionsJson(options),
    definitions: listOf(definitions),
    objects: listOf(named('an object', objects)),
    ...(base && { base: objectOf({ name: JSON.stringify(base.name), definitions: listOf(named(base.name, base.definitions)) }) }),
  });
  const [problem] = problems;
  return problem === undefined ? { ok: true, body } : { ok: false, problem };
}

/** Returns a JSON object. The values of `members` must be JSON texts. */
const objectOf = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members)
    .map(([name, json]) => `"${name}":${json}`)
    .join(',')}}`;
