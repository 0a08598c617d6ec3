import { MINORS } from '#kube';
import { WorkPerformer, cutDocuments } from '#runner/in-process';
import { explain, versionMatrix, findBounds, judgeChange, asSingleBlock, whatIf, prepareUnqueued } from '#service';
import type { WorkSettings } from '../worker/serve-asks.ts';
import { evaluateTexts, optionsFor, countOutcomes, reportingEngine } from './evaluate-texts.ts';
import type { JudgeAnswers, JudgeAsk, MendAnswer, WhatIfAnswer, FilesEvaluation } from './judge-client.ts';
import { documentsIn, writesIn, writtenText, definedName, valueOf } from './read-texts.ts';
import { readSlice, countEffect, definitionText, emptyImpact, refusedWrite, serverOf, addTally, emptyTally } from '#documents';
import { isJsonObject } from '#go';
import type { Minor } from '#kube';
import { suiteText } from '../share/suite-text.ts';
import { NO_TEXTS } from '../state/texts.ts';
import type { Texts } from '../state/texts.ts';
import type { PaneDocument } from './read-texts.ts';
import { mendText } from '#editing';
import type { DocumentSlice, FoundBounds, ObjectEffect, CutDocument, Verdict } from '#documents';
import { clusterObjects } from '#runner';

/** Performer of the worker's tasks. It caches compiled definitions between requests. */
const performer = new WorkPerformer();

/** Handles a request of the page to the worker that computes verdicts. */
export function judge(ask: JudgeAsk, settings: WorkSettings): Promise<JudgeAnswers[JudgeAsk['kind']]> {
  switch (ask.kind) {
    case 'evaluate':
      return evaluateTexts(performer, ask, settings);
    case 'versions':
      return versions(ask, settings);
    case 'what-if':
      return whatIfOfTexts(performer, ask, settings);
    case 'explain':
      return explained(ask, settings);
    case 'mend':
      return mendTexts(performer, ask, settings);
    case 'evaluate-files':
      return evaluateFiles(performer, ask, settings);
    case 'suite':
      return writeSuite(performer, ask, settings);
    case 'benchmark':
      // Only few visitors use the benchmark, so its code is loaded on demand.
      return import('./benchmark-texts.ts').then(({ benchmarkTexts }) => benchmarkTexts(performer, ask, settings));
    case 'study-body':
      return import('./benchmark-texts.ts').then(({ bodyOfStudy }) => bodyOfStudy(ask.ask));
  }
}

async function versions(
  { texts }: { readonly texts: JudgeAsk['texts'] },
  { signal, alive }: WorkSettings,
): Promise<JudgeAnswers['versions']> {
  const { definitions, objects, policies } = writesIn(texts);
  const slices = (documents: typeof objects) => documents.map(({ slice }) => slice);
  const envelope = {
    definitions: slices(definitions),
    objects: slices(objects),
    ...policies,
    options: { ...optionsFor('1.37'), returnObjects: false },
  };
  return versionMatrix(reportingEngine(performer, alive), envelope, MINORS, { signal });
}

function explained(
  { texts, minor }: Extract<JudgeAsk, { kind: 'explain' }>,
  { signal, alive }: WorkSettings,
): Promise<JudgeAnswers['explain']> {
  const { definitions, objects, policies } = documentsIn(texts);
  const slices = (documents: typeof objects) => documents.map(({ slice }) => slice);
  return explain(
    reportingEngine(performer, alive),
    { definitions: slices(definitions), objects: slices(objects), ...policies, options: optionsFor(minor) },
    signal,
  );
}

/**
 * Returns a suite for `assay test` that expects the current verdicts on objects. Policies are left out because their suites have another
 * format.
 */
async function writeSuite(
  performer: WorkPerformer,
  { texts, minor }: { readonly texts: Texts; readonly minor: Minor },
  settings: WorkSettings,
): Promise<string> {
  const plain = { ...texts, policies: '' };
  const { definitions, objects: reports } = await evaluateTexts(performer, { texts: plain, minor }, settings);
  const written = documentsIn(plain).objects;
  const stored = new Map(
    documentsIn({ ...NO_TEXTS, old: texts.old }, ['old']).objects.map((document) => [identity(document), writtenText(document)]),
  );
  const cases = reports.flatMap((report, i) => {
    const document = written[i];
    if (document === undefined || report.outcome === 'notEvaluated') return [];
    const old = report.isUpdate === true ? stored.get(identity(document)) : undefined;
    return [{ title: report.title, text: writtenText(document), report, ...(old !== undefined && { old }) }];
  });
  return suiteText(definitions[0]?.title.replace('CustomResourceDefinition ', '') ?? 'Suite', cases);
}

function identity({ slice }: PaneDocument): string {
  const reading = readSlice(slice);
  const object = reading.ok && isJsonObject(reading.value) ? reading.value : {};
  const metadata = isJsonObject(object['metadata'] ?? null) ? (object['metadata'] as Record<string, unknown>) : {};
  return JSON.stringify([object['kind'], metadata['namespace'] ?? 'default', metadata['name']]);
}

/**
 * Adds size bounds, such as `maxItems`, to the definitions in the page's input panel `definitions`, so that a server accepts them. `assay
 * explain --fix` adds the same bounds.
 */
async function mendTexts(
  performer: WorkPerformer,
  { texts, minor }: Extract<JudgeAsk, { kind: 'mend' }>,
  { signal, alive }: WorkSettings,
): Promise<MendAnswer> {
  const engine = reportingEngine(performer, alive);
  const options = optionsFor(minor);
  const bounds: MendAnswer['bounds'][number][] = [];
  const notMended: string[] = [];
  // Collects the mended definitions, and the unchanged text between them.
  const parts: string[] = [];
  let written = 0;
  const { definitions } = documentsIn(texts, ['definitions']);
  for (const { file, origin, slice } of definitions) {
    if (origin.item !== undefined) {
      notMended.push('a definition is an item of a list');
      continue;
    }
    const before = file.document(origin).text;
    const found = await findBounds(engine, slice, { minors: [minor], options, signal });
    const mended = found?.kind === 'found' ? mendText(before, found.bounds) : undefined;
    if (found?.kind === 'found' && mended?.ok === true) bounds.push(...found.bounds);
    if (found?.kind === 'none') notMended.push(reasonOf(found));
    if (mended?.ok === false) notMended.push(mended.why);
    parts.push(file.textBetween(written, origin.start), mended?.ok === true ? mended.text : before);
    written = origin.end;
  }
  const rest = definitions[0]?.file.textBetween(written) ?? texts.definitions;
  return { text: parts.join('') + rest, bounds, notMended };
}

/** Returns why no missing bounds suffice for a definition, and which existing bounds would have to be lowered. */
function reasonOf({ why, tightening = [] }: Extract<FoundBounds, { kind: 'none' }>): string {
  if (tightening.length === 0) return why;
  const lowered = tightening.map(
    ({ path, keyword, suggested, before }) =>
      `${keyword}: ${suggested} at ${path || 'the root'}${before === null ? '' : ` (now ${before})`}`,
  );
  return `${why}. Lower limits would help, but break stored objects that exceed them: ${lowered.join(', ')}`;
}

/**
 * Returns the effects on the objects of replacing definitions. Each definition in the page's panel `changed` replaces the definition with
 * the same name.
 */
async function whatIfOfTexts(
  performer: WorkPerformer,
  { texts, minor }: { readonly texts: Texts; readonly minor: Minor },
  { signal, progress, alive }: WorkSettings,
): Promise<WhatIfAnswer> {
  const { definitions, objects } = documentsIn(texts);
  const changed = new Map(documentsIn(texts, ['changed']).definitions.map(({ slice }) => [definedName(slice), slice]));
  const known = new Map(definitions.map(({ slice }) => [definedName(slice), slice]));
  const options = optionsFor(minor);
  const engine = reportingEngine(performer, alive);
  const textOf = (slice: DocumentSlice) => definitionText(slice, serverOf(options));
  const changes: WhatIfAnswer['changes'][number][] = [];
  for (const [name, to] of changed) {
    const from = known.get(name);
    if (from === undefined) continue;
    const change = { from: textOf(from), to: textOf(to), options };
    const definition = await judgeChange(engine, change, signal);
    if (definition === undefined) break;
    const impact = emptyImpact();
    const effects: WhatIfAnswer['changes'][number]['objects'][number][] = [];
    const own = objects.map(({ slice }) => slice).filter((slice) => isOfKind(slice, from));
    if (definition.accepted)
      for await (const block of whatIf(engine, change, asSingleBlock(own), signal)) {
        for (const effect of block) countEffect(impact, effect);
        effects.push(...block.map(withRefusedWrite));
        progress(effects.length, own.length);
      }
    changes.push({ definition, counts: impact.effects, objects: effects });
  }
  const unpaired = [...changed.keys(), ...known.keys()].filter((name) => changed.has(name) !== known.has(name));
  return { changes, unpaired };
}

/** Returns an effect with the phrase that names the refused write. */
function withRefusedWrite(effect: ObjectEffect): ObjectEffect & { readonly refused?: string } {
  const refused = refusedWrite(effect);
  return { ...effect, ...(refused !== undefined && { refused }) };
}

/**
 * Returns true if an object has the kind of the changed definition. Also returns true for an unreadable object, so that the object is
 * reported.
 */
function isOfKind(object: DocumentSlice, definition: DocumentSlice): boolean {
  const kind = valueOf(object, 'kind');
  return kind === undefined || kind === valueOf(definition, 'spec', 'names', 'kind');
}

/** Highest number of refused objects that are listed. All refused objects are counted. */
const MAX_REFUSED = 200;
/** Number of objects whose verdicts are computed between two progress reports. */
const SLICE = 250;
const UNLIMITED = { definitions: Infinity, objects: Infinity, areFiles: true } as const;

/** Object that was read from a file. */
interface FileObject {
  readonly file: string;
  /** Number of the object in its file, from 1. */
  readonly index: number;
  readonly slice: CutDocument;
}

/**
 * Computes the verdicts on the objects of files that are too large for editors, in slices. Uses the definitions and policies from the files
 * and from the page's editors.
 */
async function evaluateFiles(
  performer: WorkPerformer,
  { texts, files, minor }: { readonly texts: Texts; readonly files: readonly File[]; readonly minor: Minor },
  { signal, progress, alive }: WorkSettings,
): Promise<FilesEvaluation> {
  const started = performance.now();
  const written = documentsIn({ ...texts, objects: '' });
  const cut: { readonly name: string; readonly found: ReturnType<typeof cutDocuments> }[] = [];
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    cut.push({
      name: file.name,
      found: cutDocuments(bytes, /\.(ndjson|jsonl)$/.test(file.name) ? 'json-lines' : 'yaml', UNLIMITED, signsOfLife(alive)),
    });
    if (signal.aborted) break;
  }
  const objects = cut.flatMap(({ name, found }) => found.objects.map((slice, i): FileObject => ({ file: name, index: i + 1, slice })));
  const definitions = [...written.definitions.map(({ slice }) => slice), ...cut.flatMap(({ found }) => found.definitions)];
  const policies = [...written.policies.policies, ...cut.flatMap(({ found }) => found.policies)];
  const cluster = policies.length === 0 ? [] : [...written.policies.cluster, ...clusterObjects(cut.map(({ found }) => found))];
  const options = { ...optionsFor(minor), explain: false, returnObjects: false };
  const outcome = await prepareUnqueued(reportingEngine(performer, alive), { definitions, policies, cluster, options }, { signal });
  if (outcome.kind !== 'answered') throw new Error(outcome.status.message);
  const { definitions: reports, judge } = outcome.answer;
  const tally = emptyTally();
  const outcomes: Pick<Verdict, 'outcome'>[] = [];
  const refused: FilesEvaluation['refused'][number][] = [];
  for (let from = 0; from < objects.length && !signal.aborted; from += SLICE) {
    const slice = objects.slice(from, from + SLICE);
    for await (const result of judge(slice.map((one) => one.slice))) {
      addTally(tally, result.tally);
      for (const text of result.verdicts) {
        const verdict = JSON.parse(text) as Verdict;
        outcomes.push({ outcome: verdict.outcome });
        const object = slice[verdict.index];
        if (verdict.outcome !== 'accepted' && object && refused.length < MAX_REFUSED) refused.push(refusal(verdict, object));
      }
    }
    progress(Math.min(from + SLICE, objects.length), objects.length);
  }
  return {
    counts: countOutcomes(outcomes),
    definitions: reports.map(({ name, accepted, status }) => ({ name, accepted, ...(status && { message: status.message }) })),
    refused,
    spentMs: performance.now() - started,
  };
}

const refusal = ({ kind = 'Object', name = '', status }: Verdict, { file, index }: FileObject): FilesEvaluation['refused'][number] => ({
  file,
  index,
  title: `${kind} ${name}`.trim(),
  message: status?.message ?? '',
});

/**
 * Returns a cancellation token that is never cancelled. Each time its state is read, it calls `report`, which reports that the work
 * continues.
 */
const signsOfLife = (report: () => void): { readonly cancelled: boolean } => ({
  get cancelled() {
    report();
    return false;
  },
});
