import { canonicalText, isVerdictObject, member } from './canonical-text.ts';
import type { VerdictValue } from './canonical-text.ts';

/** Aspect of a verdict in which Assay differs from the recorded verdict, with both values. */
export interface Difference {
  readonly aspect: string;
  readonly golden: string;
  readonly ours: string;
}

/**
 * Comparison of one case. `verdict` is true if the decisive aspects agree (the decision itself, without messages and costs); `exact` is
 * true if all aspects agree.
 */
export interface VerdictComparison {
  readonly verdict: boolean;
  readonly exact: boolean;
  readonly differences: readonly Difference[];
}

interface Aspect {
  readonly name: string;
  /**
   * Verdict field to which the aspect belongs. If the field is unstable, because of the random order of Go maps, the aspect is not
   * compared.
   */
  readonly field: string;
  /** True if the aspect is part of the decision itself; false if it concerns only messages and costs. */
  readonly decisive?: boolean;
  readonly applies: (golden: VerdictValue) => boolean;
  /** Returns the compared part of a verdict as text. `golden` is the recorded verdict; it shows which parts were recorded. */
  readonly read: (verdict: VerdictValue, golden: VerdictValue) => string;
}

const given = (value: VerdictValue): boolean => value !== undefined && value !== null;
const has =
  (...path: string[]) =>
  (golden: VerdictValue): boolean =>
    given(path.reduce(member, golden));
const at =
  (...path: string[]) =>
  (verdict: VerdictValue): string =>
    canonicalText(path.reduce(member, verdict) ?? null);
/**
 * Returns a definition with doubles in place of large integers. The oracle stores large integers as doubles, but a server
 * does not. So the verdicts of both are compared in this form.
 */
const asDoubles = (value: VerdictValue): VerdictValue => {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return (value as readonly VerdictValue[]).map(asDoubles);
  if (!isVerdictObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asDoubles(inner)]));
};
const listOf = (verdict: VerdictValue, key: string): readonly VerdictValue[] => {
  const list = member(verdict, key);
  return Array.isArray(list) ? list : [];
};
const multiset = (list: readonly VerdictValue[], part: (element: VerdictValue) => VerdictValue): string =>
  list
    .map((element) => canonicalText(part(element)))
    .sort()
    .join('\n');
const judged = (golden: VerdictValue): boolean => given(member(golden, 'accepted')) || given(member(golden, 'valid'));
const compiles = (golden: VerdictValue): boolean => member(member(golden, 'compile'), 'ok') === true;

/** Pattern of the beginning of an error whose value is a Go struct, a list of structs or texts, or a time. */
const GO_VALUE = /^[A-Z][a-z ]+: (?:\[\]string\{|(?:\[\])?v1\.\w+\{|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} )/;

/**
 * Returns true if an error about metadata shows its value in Go syntax, as servers before 1.34 do. Such errors are compared as whole texts.
 * The reason is that the oracle parses the text of an error, and treats such a value as part of the detail.
 */
function showsGoValue(field: VerdictValue, text: string): boolean {
  return typeof field === 'string' && field.startsWith('metadata.') && GO_VALUE.test(text.slice(`${field}: `.length));
}

/** Replaces pointer addresses in a text, because they differ in each run. */
const maskAddresses = (text: string): string => text.replace(/\(0x[0-9a-f]{9,}\)/g, '(address)');

function errorPart(error: VerdictValue): VerdictValue {
  const [type, field, text] = [member(error, 'type'), member(error, 'field'), member(error, 'text')];
  if (typeof text === 'string' && showsGoValue(field, text)) return { type, field, text: maskAddresses(text) };
  return { type, field, detail: member(error, 'detail') ?? '', badValue: member(error, 'badValue') };
}

/** Returns the rules of a verdict as text, with only the fields that the recorded verdict contains. */
function rulesText(verdict: VerdictValue, golden: VerdictValue): string {
  const fields = [...new Set(listOf(golden, 'rules').flatMap((rule) => Object.keys(rule as object)))];
  return multiset(listOf(verdict, 'rules'), (rule) =>
    Object.fromEntries(fields.map((field) => [field, member(rule, field) ?? (field === 'usesOldSelf' ? false : null)])),
  );
}

const rejected = (golden: VerdictValue): boolean => member(golden, 'accepted') === false && given(member(golden, 'code'));
/**
 * Returns true if a recorded verdict has a message with at most one error. If there are several errors, their order is random, because the
 * server reads them from a Go map.
 */
const hasOneMessage = (golden: VerdictValue): boolean => given(member(golden, 'message')) && listOf(golden, 'errors').length <= 1;
const failsToCompile = (golden: VerdictValue): boolean => given(member(golden, 'compile')) && !compiles(golden);
const joined = (...texts: string[]): string => texts.join(' ');

/** All compared aspects of a verdict, in the order in which differences are reported. */
const ASPECTS: readonly Aspect[] = [
  { name: 'verdict', field: 'accepted', decisive: true, applies: judged, read: (v) => joined(at('accepted')(v), at('valid')(v)) },
  { name: 'compiles', field: 'compile', decisive: true, applies: has('compile'), read: at('compile', 'ok') },
  { name: 'errors', field: 'errors', applies: judged, read: (v) => multiset(listOf(v, 'errors'), errorPart) },
  { name: 'status code', field: 'code', applies: rejected, read: (v) => joined(at('code')(v), at('reason')(v)) },
  { name: 'message', field: 'message', applies: hasOneMessage, read: (v) => maskAddresses(at('message')(v)) },
  { name: 'warnings', field: 'warnings', applies: has('accepted'), read: (v) => multiset(listOf(v, 'warnings'), (text) => text) },
  { name: 'stored object', field: 'object', applies: has('object'), read: at('object') },
  { name: 'stored CRD', field: 'crd', applies: has('crd'), read: (v) => canonicalText(asDoubles(member(v, 'crd'))) },
  { name: 'CEL cost', field: 'celCost', applies: has('celCost'), read: at('celCost') },
  { name: 'rule costs', field: 'rules', applies: has('rules'), read: rulesText },
  { name: 'schema cost', field: 'schemaCost', applies: has('schemaCost'), read: at('schemaCost') },
  { name: 'conditions', field: 'conditions', applies: has('conditions'), read: at('conditions') },
  { name: 'compile error', field: 'compile error', applies: failsToCompile, read: at('compile', 'error') },
  { name: 'output type', field: 'output type', applies: has('compile', 'outputType'), read: at('compile', 'outputType') },
  {
    name: 'static cost',
    field: 'static cost',
    applies: (g) => compiles(g) && has('compile', 'maxCost')(g),
    read: at('compile', 'maxCost'),
  },
  { name: 'message cost', field: 'message cost', applies: has('compile', 'messageMaxCost'), read: at('compile', 'messageMaxCost') },
  { name: 'message error', field: 'message error', applies: has('compile', 'messageError'), read: at('compile', 'messageError') },
  {
    name: 'uses oldSelf',
    field: 'uses oldSelf',
    applies: (g) => compiles(g) && has('compile', 'usesOldSelf')(g),
    read: (v) => String(member(member(v, 'compile'), 'usesOldSelf') === true),
  },
  {
    name: 'value',
    field: 'result',
    decisive: true,
    applies: (g) => member(member(g, 'result'), 'value') !== undefined,
    read: (v) => joined(at('result', 'valueType')(v), at('result', 'value')(v)),
  },
  { name: 'run-time error', field: 'result', applies: has('result', 'error'), read: at('result', 'error') },
  {
    name: 'cost',
    field: 'result',
    applies: has('result', 'cost'),
    read: (v) => joined(at('result', 'cost')(v), at('result', 'totalCost')(v), at('result', 'skipped')(v)),
  },
];

/**
 * Compares Assay's verdict with the recorded verdict. Skips aspects that were not recorded, and aspects whose fields are listed in
 * `unstable`, because they are random in Kubernetes.
 */
export function compareVerdicts(golden: VerdictValue, ours: VerdictValue, unstable: readonly string[] = []): VerdictComparison {
  const failure = member(ours, 'oracleError');
  if (typeof failure === 'string')
    return { verdict: false, exact: false, differences: [{ aspect: 'missing', golden: 'a verdict', ours: failure }] };
  const differing = ASPECTS.filter(
    (aspect) => aspect.applies(golden) && !unstable.includes(aspect.field) && aspect.read(golden, golden) !== aspect.read(ours, golden),
  );
  return {
    verdict: !differing.some((aspect) => aspect.decisive),
    exact: differing.length === 0,
    differences: differing.map(({ name, read }) => ({ aspect: name, golden: read(golden, golden), ours: read(ours, golden) })),
  };
}
