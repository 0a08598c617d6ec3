import type { CellPorts, CellSubjects, StudyEngine, StudiedDefinition } from './studied-definition.ts';
import { describeEvaluation } from './describe-evaluation.ts';
import { findCosts } from './find-costs.ts';
import { priceWrite } from './price-write.ts';
import type { PricedWrite } from './price-write.ts';
import { sizeLadder } from './size-ladder.ts';
import type { CellFindings, StudyCell, WriteCell, CompareCell, CompileCell, CompileFindings, PriceCell } from './study-cell.ts';
import { takeTimes } from './take-times.ts';
import { isJsonObject, writeJson, readJson } from '#go';
import { WholeObject } from '../object/whole-object.ts';
import { COMPILED } from './studied-definition.ts';
import { candidateOf } from './write-plan.ts';
import { PER_CALL_LIMIT, LATEST_MINOR } from '#kube';
import { compareBuilds, compareCosts } from '../figures/compare-pairs.ts';
import type { Build } from '../figures/compare-pairs.ts';
import { isReportable } from '../object/grow-object.ts';
import { RuleProbe } from '../search/rule-probe.ts';
import type { Candidate } from '../search/rule-probe.ts';
import type { BaseComparison, RuleKey } from '../study/study-report.ts';
import { compileExpression, declareType, EMPTY_SCHEMA, environmentFor, wrapValue } from '#cel';
import type { ValueSchema } from '#cel';
import { median } from '../figures/quantiles.ts';
import { sampleRounds } from '../figures/sample-rounds.ts';
import { heapOf } from './rule-work.ts';

/**
 * Performs one cell of a study, and returns its findings. A cell is one unit of work, such as measuring the times of a rule. `subjects` are
 * the compiled definitions. `ports` are the clock, the memory meter and the cancellation token.
 */
export function performCell<Cell extends StudyCell>(cell: Cell, subjects: CellSubjects, ports: CellPorts): CellFindings[Cell['kind']] {
  // TypeScript cannot see that each case of `findingsOf` returns the findings of its own kind of cell.
  return findingsOf(cell, subjects, ports) as CellFindings[Cell['kind']];
}

function findingsOf(cell: StudyCell, subjects: CellSubjects, ports: CellPorts): CellFindings[StudyCell['kind']] {
  switch (cell.kind) {
    case 'costs':
      return findCosts(cell, subjects, ports);
    case 'times':
      return takeTimes(cell, subjects, ports);
    case 'compare':
      return compareRules(cell, subjects, ports);
    case 'compile':
      return takeReference(cell, subjects, ports);
    case 'evaluation':
      return describeEvaluation(cell, subjects);
    case 'write':
      return describeWrite(cell, subjects, ports);
    case 'ladder':
      return sizeLadder(cell, subjects, ports);
    case 'price':
      return priceGiven(cell, subjects, ports);
  }
}

/**
 * Returns the object that a write plan (description of a generated write request) describes, as JSON. The JSON has the form of an item of
 * an evaluation request. Returns undefined if the rule does not exist, or if no verdict on the object can be computed.
 */
function describeWrite({ rule: key, worst }: WriteCell, { head }: CellSubjects, { token }: CellPorts): string | undefined {
  const found = head(COMPILED.name).find(key);
  if (found === undefined) return undefined;
  const { definition, writing } = found.among;
  const trial = new WholeObject(definition, found.rule, writing).judge(candidateOf(worst), token);
  if (trial.kind !== 'judged') return undefined;
  const { operation, subresource, oldObject } = trial.write;
  return writeJson({
    operation,
    ...(subresource !== undefined && { subresource }),
    object: trial.object,
    ...(oldObject !== undefined && { oldObject }),
  });
}

/** Returns the cost and the predicted time of creating a given object. Returns undefined if the object cannot be read. */
function priceGiven({ object: text, version, ...terms }: PriceCell, { head }: CellSubjects, ports: CellPorts): PricedWrite | undefined {
  const reading = readJson(text);
  return reading.ok && isJsonObject(reading.value)
    ? priceWrite(head('measured'), { object: reading.value, version }, terms, ports)
    : undefined;
}

type Compared = Extract<BaseComparison, { readonly kind: 'compared' }>;

/**
 * Compares a rule with the same rule in an older revision of its definition, in cost and time. For the costs, each revision validates the
 * write requests that were found for either revision, and the highest cost of each revision counts. This method gives equal revisions equal
 * costs. For the times, both rules are evaluated on the same value, in interleaved pairs, with code that is generated again several times.
 */
function compareRules(cell: CompareCell, { head, base }: CellSubjects, ports: CellPorts): BaseComparison {
  const [ours, theirs] = [head(COMPILED.name), base?.(COMPILED.name)];
  if (theirs === undefined) return { kind: 'new' };
  const plans = cell.plans.map(candidateOf);
  const costs = {
    base: costliestCost(theirs, cell.baseRule, plans, ports),
    head: costliestCost(ours, cell.rule, plans, ports),
  };
  const { ratio, verdict } = compareCosts(costs.base, costs.head);
  const time = plans[0] && cell.ms > 0 && compareTimes({ ours, theirs, plan: plans[0] }, cell, ports);
  return { kind: 'compared', cost: { ...costs, ...(ratio !== undefined && { ratio }), verdict }, ...(time && { time }) };
}

/**
 * Returns the highest cost of a rule among the given writes. Only writes that the definition accepts or that exceed a cost limit count.
 * Returns 0 if there is no such write.
 */
function costliestCost(studied: StudiedDefinition, key: RuleKey, plans: readonly Candidate[], { token }: CellPorts): number {
  const found = studied.find(key);
  if (found === undefined) return 0;
  const whole = new WholeObject(studied.definition, found.rule, found.among.writing);
  const costs = plans.flatMap((plan) => {
    const trial = whole.judge(plan, token);
    return trial.kind === 'judged' && isReportable(trial) ? [trial.cost] : [];
  });
  return Math.max(0, ...costs);
}

/** Two revisions of a definition, and the write that contains the value on which both rules are evaluated. */
interface Revisions {
  readonly ours: StudiedDefinition;
  readonly theirs: StudiedDefinition;
  readonly plan: Candidate;
}

function compareTimes({ ours, theirs, plan }: Revisions, cell: CompareCell, ports: CellPorts): Compared['time'] {
  const [head, base] = [ours.find(cell.rule), theirs.find(cell.baseRule)];
  if (head === undefined || base === undefined) return undefined;
  const limits = { costLimit: PER_CALL_LIMIT, token: ports.token };
  const trial = new RuleProbe(head.rule, head.among.writing).try(plan, { ...limits, isChecked: false });
  if (trial.kind !== 'evaluated') return undefined;
  const { value, old } = trial;
  if (base.rule.evaluate(value, old, limits) === undefined) return undefined;
  const build = (): Build => {
    const [a, b] = [base.rule.rebuilt(), head.rule.rebuilt()];
    return { a: () => void a.evaluate(value, old, limits), b: () => void b.evaluate(value, old, limits) };
  };
  const compared = compareBuilds(build, { ...ports, ms: cell.ms });
  if (compared.kind !== 'compared') return undefined;
  const { ratio, lo, hi, verdict, pairs } = compared;
  return { engine: COMPILED.label, ratio, lo, hi, verdict, pairs };
}

/** Share of the time that is used for compiling the definition. The remaining time is used for measuring the reference rules. */
const COMPILING = 0.3;

/**
 * Measures the time of compiling the definition, and the time in ns per CEL cost unit of the compiled and the interpreted engine. The time
 * per cost unit is the median over a fixed set of reference rules.
 */
function takeReference({ ms }: CompileCell, subjects: CellSubjects, ports: CellPorts): CompileFindings {
  const [samples = []] = sampleRounds([subjects.compileAgain], { ...ports, ms: COMPILING * ms });
  const share = ((1 - COMPILING) * ms) / 2;
  const perUnit = (name: StudyEngine): number => unitTime(name, subjects, { ...ports, ms: share });
  return {
    time: { engine: 'Assay compiled', what: 'compile', ms: median(samples) ?? 0, ...heapOf(subjects.compileAgain, ports) },
    nsPerUnit: { 'Assay compiled': perUnit('compiled'), 'Assay interpreted': perUnit('interpreted') },
  };
}

const scalar = (type: string): ValueSchema => ({ ...EMPTY_SCHEMA, type });
const list = (items: ValueSchema): ValueSchema => ({ ...EMPTY_SCHEMA, type: 'array', items });
const object = (properties: Record<string, ValueSchema>): ValueSchema => ({
  ...EMPTY_SCHEMA,
  type: 'object',
  properties: new Map(Object.entries(properties)),
});

/** Returns the time per cost unit in ns, as the median over the reference rules. */
function unitTime(engine: StudyEngine, { choice }: CellSubjects, rules: CellPorts & { readonly ms: number }): number {
  const schema = object({
    ints: list(scalar('integer')),
    texts: list(scalar('string')),
    objects: list(object({ a: scalar('integer'), name: scalar('string') })),
  });
  const self = declareType(schema, 'value', LATEST_MINOR);
  const reading = readJson(referenceObject());
  if (self === undefined || !reading.ok) return NaN;
  const value = wrapValue(reading.value, schema);
  const environment = environmentFor(LATEST_MINOR, 'stored');
  const limits = { costLimit: PER_CALL_LIMIT, token: rules.token };
  const works = REFERENCE_RULES.flatMap((text) => {
    const compiled = compileExpression(text, { self, oldSelf: 'plain', environment, expect: 'bool', engine: choice(engine) });
    if (!compiled.ok) return [];
    const run = () => compiled.program.evaluate({ self: value }, limits);
    return [{ run, cost: run().cost }];
  });
  const sampled = sampleRounds(
    works.map(
      ({ run }) =>
        () =>
          void run(),
    ),
    rules,
  );
  return median(works.flatMap(({ cost }, i) => (1e6 * (median(sampled[i] ?? []) ?? NaN)) / cost)) ?? NaN;
}

/**
 * Rules that call the most frequently used functions. The median of their times per cost unit shows how long a cost unit takes. A studied
 * rule that takes far longer per unit is reported.
 */
const REFERENCE_RULES: readonly string[] = [
  'self.ints.all(x, x >= 0)',
  '!self.ints.exists(x, x < 0)',
  'self.ints.map(x, x + 1).size() > 0',
  'self.ints.filter(x, x % 2 == 0).size() > 0',
  'self.ints.exists_one(x, x == 7)',
  'self.ints.sum() > 0',
  'self.ints.all(x, x in self.ints || x > 0)',
  "self.texts.all(t, t.startsWith('a'))",
  "self.texts.all(t, !t.contains('zz'))",
  "self.texts.all(t, t.matches('^[a-z]+$'))",
  'self.texts.all(t, t.size() < 100)',
  "self.texts.all(t, t + 'x' != t)",
  'self.texts.all(t, t.lowerAscii() == t)',
  "self.texts.all(t, t.split('-').size() == 1)",
  "self.texts.join(',').size() > 0",
  'self.objects.all(o, has(o.a) && o.a >= 0)',
  "self.objects.all(o, o.name != 'b' || o.a > 5)",
];

/** Number of elements in each list of the object on which the reference rules are evaluated. */
const ELEMENTS = 256;

/**
 * Returns the JSON of the object on which the {@link REFERENCE_RULES} are evaluated. These rules show how long a cost unit usually takes.
 */
function referenceObject(): string {
  const numbers = Array.from({ length: ELEMENTS }, (_, i) => i);
  return JSON.stringify({
    ints: numbers,
    texts: numbers.map(() => 'abcdefghijklmnop'),
    objects: numbers.map((a) => ({ a, name: 'abcdefgh' })),
  });
}
