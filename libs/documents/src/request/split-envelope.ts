import { badRequestStatus } from '#kube';
import type { Status } from '#kube';
import { runInSteps, STEP_BYTES } from '../scan/run-in-steps.ts';
import type { CutDocument, DefinitionSlice, DocumentSlice } from '../item/item.ts';
import type { CutResult, EvaluationOptions } from '../options/options-schema.ts';
import { CutFailure, JSON_MARKS, JsonScan } from '../scan/json-scan.ts';
import { defaultOptions } from '../options/options.ts';
import { checkOptions } from '../options/options-schema.ts';
import { MAX_CLUSTER_OBJECTS } from '../policies/policy-documents.ts';
import type { PolicyDocuments } from '../policies/policy-documents.ts';
import { tooManyStatus } from './request-limits.ts';
import { SeenTexts } from '../scan/seen-texts.ts';
import { isSentDigest, SENT_DIGEST_FORM } from './sent-json.ts';
import { withoutByteOrderMark } from '../scan/split-lines.ts';

/** Objects of a request and the definitions that validate them. */
export interface DefinedObjects {
  readonly definitions: readonly DefinitionSlice[];
  readonly objects: readonly DocumentSlice[];
  readonly options: EvaluationOptions;
}

/** Request whose documents (definitions, policies and objects) are cut out of the body but not yet parsed. */
export interface Envelope extends DefinedObjects, PolicyDocuments {
  /** Digests of definitions that the client sent in earlier requests. Absent if the request refers to none. */
  readonly definitionRefs?: readonly string[];
}

/** Admission policies of one side of a change (before or after it), with the definitions and cluster objects of that side. */
export interface PolicySide extends PolicyDocuments {
  readonly definitions: readonly DocumentSlice[];
}

/**
 * First line of a request that compares two states of policies and definitions. The member `from` has the state before a change, and `to`
 * the state after it. All other members apply to both states.
 */
export interface ChangeEnvelope extends Envelope {
  readonly from?: PolicySide;
  readonly to?: PolicySide;
}

/** Settings of a study of rules, as JSON values that are not validated yet. */
export type StudySettings = Readonly<Partial<Record<StudySetting, unknown>>>;

/** Body of a request for a study of rules. */
export interface StudyEnvelope extends DefinedObjects {
  readonly definitionRefs?: readonly string[];
  /** Older revision of the settings and definitions, with which the study compares the current revision. Absent if there is none. */
  readonly base?: { readonly settings: StudySettings; readonly definitions: readonly DocumentSlice[] };
  readonly settings: StudySettings;
}

/** Limits for the number of documents in a request body. If a document exceeds a limit, the body is not read further. */
export interface DocumentLimits {
  /** Maximum number of definitions. The same limit applies to the number of policies and bindings. */
  readonly definitions: number;
  readonly objects: number;
  /**
   * True if the documents are files from which kubectl makes requests. A document that exceeds the limit of a request is then replaced by the
   * compact JSON that kubectl sends. If it is absent, this is done only for items of lists.
   */
  readonly areFiles?: boolean;
  /** Status that is returned if there are too many objects. Default: Status 413 for a request that is too large. */
  readonly tooManyObjects?: Status;
}

/** Maximum size of the options, in bytes. The options of ordinary requests are much smaller. */
const MAX_OPTIONS_BYTES = 64 * 1024;
/** Maximum size of one definition reference, including quotes and separators, in bytes. */
const MAX_REF_BYTES = 128;
/** Maximum size of a member name in an envelope, in bytes. It suffices for the longest name even if each letter is escaped. */
const MAX_KEY_BYTES = 128;
/** Cache of definitions from earlier request bodies. */
const SEEN = new SeenTexts();
/**
 * Assumed cost of storing the position of one element, expressed as a number of scanned bytes that take the same time. Because of it, the
 * scan of a list with many short elements pauses earlier.
 */
const ELEMENT_BYTES = 256;

/**
 * Cuts the JSON body of `POST /evaluate`, or the first line of an NDJSON body, into slices: the unparsed bytes of each document. The scan
 * pauses between its steps, so that other work can run.
 */
export function splitEnvelope(body: Uint8Array, limits: DocumentLimits): Promise<CutResult<Envelope>> {
  return runInSteps(envelopeSteps(body, limits));
}

/**
 * Splits the first line of a request into slices (unparsed documents), in the same way as {@link splitEnvelope}. The request compares two
 * states of definitions and policies.
 */
export function splitChange(body: Uint8Array, limits: DocumentLimits): Promise<CutResult<ChangeEnvelope>> {
  return runInSteps(envelopeSteps(body, limits, CHANGE_MEMBERS));
}

/** Cuts the JSON body of a request for a study of rules into unparsed documents and settings. Works like {@link splitEnvelope}. */
export async function splitStudy(body: Uint8Array, limits: DocumentLimits): Promise<CutResult<StudyEnvelope>> {
  const cut = await runInSteps(envelopeSteps(body, limits, STUDY_MEMBERS));
  if (!cut.ok) return cut;
  const { definitions, definitionRefs, objects, options, base, settings = {} } = cut.value;
  return { ok: true, value: { definitions, ...(definitionRefs && { definitionRefs }), objects, options, ...(base && { base }), settings } };
}

/**
 * Splits the body of a request as {@link splitEnvelope} does, but as a generator that yields after each step. Fails at the first member of
 * the body that is not in `known`, and at the first list element that exceeds a limit. Returns the slices (unparsed documents) of the body,
 * or the Status of the failure.
 */
export function* envelopeSteps(
  body: Uint8Array,
  limits: DocumentLimits,
  known: readonly Member[] = MEMBERS,
): Generator<undefined, CutResult<AnyEnvelope>> {
  try {
    return { ok: true, value: yield* new EnvelopeScan(withoutByteOrderMark(body), limits, known).envelope() };
  } catch (failure) {
    if (failure instanceof Refused) return { ok: false, status: failure.status };
    if (failure instanceof CutFailure) return { ok: false, status: malformed(`${failure.message} (byte ${failure.offset})`) };
    throw failure;
  }
}

/** Exception that aborts a scan. {@link envelopeSteps} catches it and returns its Status. */
class Refused extends Error {
  readonly status: Status;
  constructor(status: Status) {
    super(status.message);
    this.status = status;
  }
}

/** Envelope of any kind of request. */
type AnyEnvelope = ChangeEnvelope & Partial<Pick<StudyEnvelope, 'base' | 'settings'>>;

/** Members of an envelope that were read so far. */
type Members = { -readonly [Key in Exclude<Member, StudySetting>]?: NonNullable<AnyEnvelope[Key]> } & {
  settings?: Partial<Record<StudySetting, unknown>>;
};

/** Name of a setting of a study of rules. Such a setting is a small value. */
type StudySetting = 'name' | 'budget' | 'seed' | 'times' | 'rule';

/** Name of a member of an envelope. */
type Member = Exclude<keyof AnyEnvelope, 'settings'> | StudySetting;

class EnvelopeScan {
  readonly #body: Uint8Array;
  readonly #limits: DocumentLimits;
  readonly #known: readonly Member[];
  readonly #scan: JsonScan;
  /** Offset at which the scan yields next. */
  #until = STEP_BYTES;

  constructor(body: Uint8Array, limits: DocumentLimits, known: readonly Member[]) {
    this.#body = body;
    this.#limits = limits;
    this.#known = known;
    this.#scan = new JsonScan(body);
  }

  *envelope(): Generator<undefined, AnyEnvelope> {
    const scan = this.#scan;
    const members: Members = {};
    yield* this.#space();
    scan.expect(JSON_MARKS.openObject);
    yield* this.#space();
    while (!scan.accept(JSON_MARKS.closeObject)) {
      yield* this.#member(yield* this.#key(members), members);
      yield* this.#space();
      if (scan.accept(JSON_MARKS.closeObject)) break;
      scan.expect(JSON_MARKS.nextMember);
      yield* this.#space();
      scan.expectKey();
    }
    yield* this.#space();
    scan.expectEnd();
    const { definitions = [], definitionRefs, policies = [], cluster = [], objects = [], options = defaultOptions() } = members;
    const { from, to, base, settings } = members;
    const refs = definitionRefs && { definitionRefs };
    const sides = { ...(from && { from }), ...(to && { to }), ...(base && { base }), ...(settings && { settings }) };
    return { definitions, ...refs, policies, cluster, objects, options, ...sides };
  }

  *#space(): Generator<undefined, void> {
    while (!this.#scan.skipSpace(this.#until)) yield this.#pause();
  }

  /** Reads a key and moves to its value. Rejects the request if the key is unknown, repeated or too long. */
  *#key(members: Members): Generator<undefined, Member> {
    const scan = this.#scan;
    const start = scan.at;
    scan.expectKey();
    while (!scan.skipValue(this.#until)) {
      yield this.#pause();
      if (scan.at - start > MAX_KEY_BYTES) break;
    }
    if (scan.at - start > MAX_KEY_BYTES)
      throw new Refused(malformed(`a field's name is longer than ${MAX_KEY_BYTES} bytes; ${this.#knownText}`));
    const name = scan.keyFrom(start);
    const key = this.#known.find((member) => member === name);
    if (key === undefined) throw new Refused(malformed(`unknown field "${name}"; ${this.#knownText}`));
    if ((isSetting(key) ? members.settings?.[key] : members[key]) !== undefined) throw new Refused(malformed(`duplicate field "${key}"`));
    yield* this.#space();
    scan.expect(JSON_MARKS.colon);
    yield* this.#space();
    return key;
  }

  get #knownText(): string {
    return `known: ${this.#known.join(', ')}`;
  }

  *#member(key: Member, members: Members): Generator<undefined, void> {
    if (key === 'options') {
      const start = this.#scan.at;
      while (!this.#scan.skipValue(this.#until)) yield this.#pause();
      members.options = readOptions(this.#body.subarray(start, this.#scan.at));
    } else if (isSetting(key)) {
      const start = this.#scan.at;
      while (!this.#scan.skipValue(this.#until)) yield this.#pause();
      members.settings = { ...members.settings, [key]: readSetting(key, this.#body.subarray(start, this.#scan.at)) };
    } else if (key === 'from' || key === 'to') {
      members[key] = yield* this.#side(SIDE_MEMBERS);
    } else if (key === 'base') {
      const { definitions, settings = {} } = yield* this.#side(BASE_MEMBERS);
      members.base = { definitions, settings };
    } else if (key === 'definitionRefs') {
      const start = this.#scan.at;
      const most = this.#limits.definitions * MAX_REF_BYTES;
      while (!this.#scan.skipValue(this.#until)) yield this.#pause();
      if (this.#scan.at - start > most) throw new Refused(tooManyStatus('definitions', this.#limits.definitions));
      members.definitionRefs = readRefs(this.#body.subarray(start, this.#scan.at), this.#limits.definitions);
    } else if (key === 'definitions' || key === 'policies') {
      const { definitions } = this.#limits;
      const seen = key === 'definitions' ? SEEN : undefined;
      members[key] = yield* this.#elements(definitions, () => tooManyStatus(key, definitions), seen);
    } else if (key === 'cluster') {
      members.cluster = yield* this.#elements(MAX_CLUSTER_OBJECTS, () => tooManyStatus('objects of the cluster', MAX_CLUSTER_OBJECTS));
    } else {
      const { objects, tooManyObjects } = this.#limits;
      members.objects = yield* this.#elements(objects, () => tooManyObjects ?? tooManyStatus('objects', objects));
    }
  }

  /**
   * Cuts one side (before or after) of a change, or the older revision that a study compares with. Each of them is a nested envelope.
   * `known` has the member names that this envelope may contain.
   */
  *#side(known: readonly Member[]): Generator<undefined, AnyEnvelope> {
    const start = this.#scan.at;
    while (!this.#scan.skipValue(this.#until)) yield this.#pause();
    try {
      return yield* new EnvelopeScan(this.#body.subarray(start, this.#scan.at), this.#limits, known).envelope();
    } catch (failure) {
      throw failure instanceof CutFailure ? new CutFailure(failure.message, start + failure.offset) : failure;
    }
  }

  /** Cuts the elements of a list. `seen` is a cache of texts that need no scan. Texts missing in this cache are scanned and added. */
  *#elements(most: number, tooMany: () => Status, seen?: SeenTexts): Generator<undefined, readonly DocumentSlice[]> {
    const scan = this.#scan;
    const body = this.#body;
    const slices: DocumentSlice[] = [];
    scan.expect(JSON_MARKS.openList);
    while (!scan.skipSpace(this.#until)) yield this.#pause();
    if (scan.accept(JSON_MARKS.closeList)) return slices;
    for (;;) {
      if (slices.length >= most) throw new Refused(tooMany());
      const start = scan.at;
      const known = seen?.find(body, start);
      if (known) scan.at += known.length;
      else while (!scan.skipValue(this.#until)) yield this.#pause();
      const bytes = known ?? body.subarray(start, scan.at);
      const own = known ?? seen?.learn(bytes);
      slices.push(own ? ownSlice(own, start) : { bytes, notation: 'json' });
      this.#until -= ELEMENT_BYTES;
      while (!scan.skipSpace(this.#until)) yield this.#pause();
      if (scan.accept(JSON_MARKS.closeList)) return slices;
      scan.expect(JSON_MARKS.nextElement);
      while (!scan.skipSpace(this.#until)) yield this.#pause();
    }
  }

  #pause(): undefined {
    this.#until = this.#scan.at + STEP_BYTES;
  }
}

/** Returns a definition in separate bytes, with its position in the body. */
const ownSlice = (bytes: Uint8Array, start: number): CutDocument => ({
  bytes,
  notation: 'json',
  origin: { start, end: start + bytes.length },
});

const MEMBERS: readonly Member[] = ['definitions', 'definitionRefs', 'policies', 'cluster', 'objects', 'options'];
const SETTINGS: readonly StudySetting[] = ['name', 'budget', 'seed', 'times', 'rule'];
const BASE_MEMBERS: readonly Member[] = ['name', 'definitions'];
const STUDY_MEMBERS: readonly Member[] = [
  'definitions',
  'definitionRefs',
  'objects',
  'options',
  'base',
  ...SETTINGS.filter((name) => name !== 'name'),
];
const SIDE_MEMBERS: readonly Member[] = ['definitions', 'policies', 'cluster'];
const CHANGE_MEMBERS: readonly Member[] = ['definitions', 'definitionRefs', 'policies', 'cluster', 'objects', 'options', 'from', 'to'];

const isSetting = (key: Member): key is StudySetting => SETTINGS.some((setting) => setting === key);

/**
 * Reads the digests of definitions that were sent before. Rejects the request if the value is not a list, has more than `most` elements, or
 * contains an element that is not a digest.
 */
function readRefs(bytes: Uint8Array, most: number): readonly string[] {
  const raw = readJson('definitionRefs', bytes);
  if (!Array.isArray(raw)) throw new Refused(malformed('definitionRefs: a JSON list is expected'));
  if (raw.length > most) throw new Refused(tooManyStatus('definitions', most));
  const refs: readonly unknown[] = raw;
  const wrong = refs.findIndex((ref) => !isSentDigest(ref));
  if (wrong >= 0) throw new Refused(badRequestStatus(`definitionRefs[${wrong}]: ${SENT_DIGEST_FORM}`));
  return refs as readonly string[];
}

/** Reads the value of a setting of a study of rules. Rejects the request if the value is too long or is not JSON. */
function readSetting(key: StudySetting, bytes: Uint8Array): unknown {
  if (bytes.length > MAX_OPTIONS_BYTES) throw new Refused(malformed(`${key} is longer than ${MAX_OPTIONS_BYTES} bytes`));
  return readJson(key, bytes);
}

/** Parses a part of the body as JSON. Rejects the request if the part is not JSON; `name` is used in the error text. */
function readJson(name: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch (error) {
    throw new Refused(malformed(`${name}: ${error instanceof Error ? error.message : 'not JSON'}`));
  }
}

/** Reads and checks the options object. Unknown options are errors, because a misspelt option would otherwise have no effect. */
function readOptions(bytes: Uint8Array): EvaluationOptions {
  if (bytes.length > MAX_OPTIONS_BYTES) throw new Refused(malformed(`options are longer than ${MAX_OPTIONS_BYTES} bytes`));
  const checked = checkOptions(readJson('options', bytes));
  if (!checked.ok) throw new Refused(checked.status);
  return checked.value;
}

function malformed(problem: string): Status {
  return badRequestStatus(`the request body is malformed: ${problem}`);
}
