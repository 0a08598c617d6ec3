import { MINORS } from '#kube';
import type { Minor } from '#kube';
import { describe, expect, it } from 'vitest';
import { analyzeRule } from './checked-rules.ts';
import { compileExpression } from './compile-rule.ts';
import { EXPRESSION_WORK } from './work-done.ts';
import { environmentFor } from './language/environment.ts';
import type { ExpressionUse } from './language/environment.ts';
import { declareType } from './values/schema/declare-type.ts';
import type { RuleAnalysis } from './checked-rules.ts';
import type { CompiledExpression } from './compile-rule.ts';
import type { DeclaredType } from './values/schema/declared-type.ts';
import type { ValueSchema } from './values/schema/value-schema.ts';
import { EMPTY_SCHEMA } from './values/schema/value-schema.ts';

const STRINGS: ValueSchema = { ...EMPTY_SCHEMA, type: 'string', maxLength: 10 };
const SCHEMA: ValueSchema = {
  ...EMPTY_SCHEMA,
  type: 'object',
  properties: new Map<string, ValueSchema>([
    ['name', STRINGS],
    ['namespace', STRINGS],
    ['list', { ...EMPTY_SCHEMA, type: 'array', items: STRINGS, maxItems: 5 }],
  ]),
};

let declared = 0;

/** Returns a type declaration that is not in any cache. The type has a new field, so that its shape is not cached either. */
function unknownType(minor: Minor): DeclaredType {
  return freshType(minor, new Map([...(SCHEMA.properties ?? []), [`field${++declared}`, STRINGS]]));
}

/** Returns a new type declaration. Its shape may be in the cache already. */
function freshType(minor: Minor, properties = SCHEMA.properties): DeclaredType {
  const type = declareType({ ...SCHEMA, properties }, 'value', minor);
  if (type === undefined) throw new Error('the schema has no type');
  return type;
}

const USES: readonly ExpressionUse[] = ['new', 'stored'];

/**
 * Rules for which the results of parser, checker, estimator or planner differ between Kubernetes minor versions or uses, and some rules
 * with equal results.
 */
const RULES = [
  'self.name == "a"',
  'self.name.matches("^a+$")',
  'matches(self.name, "a")',
  'self.name.startsWith("ab")',
  'self.list.all(x, x.size() < 3)',
  'self.list.exists_one(x, x == "a")',
  'self.list.all(i, x, x != "")',
  'self.list.sortBy(x, x).size() > 0',
  'self.namespace == "a"',
  'self.?name.orValue("") == "a"',
  'ip("::1").family() == 6',
  'type(ip("::1")) == net.IP',
  'quantity("1") == quantity("1")',
  'semver("1.0.0").major() == 1',
  'self.list.first().hasValue()',
  'self.list.includes("a")',
  '"%d".format([1]) == "1"',
  '"%d".format(["a"]) == "1"',
  'format.dns1123Label().validate(self.name).hasValue()',
  'duration("x") == duration("1s")',
  'timestamp <= timestamp("2024-01-01T00:00:00Z")',
  'optional.none().optMap(x, x) == optional.none()',
  'self.name == oldSelf.name',
  'self.missing',
  'dyn(self.list).size() == 1',
];

const outcomeOf = (compiled: CompiledExpression): unknown =>
  compiled.ok ? [compiled.maxCost, compiled.usesOldSelf] : [compiled.kind, compiled.error, compiled.usesOldSelf];

describe('cached analyses of rules', () => {
  it.each(RULES)('of %s have the same outcome in each environment as an analysis without cache', (text) => {
    const shared = freshType('1.37');
    for (const minor of MINORS)
      for (const use of USES) {
        const options = { oldSelf: 'plain', environment: environmentFor(minor, use), expect: 'bool' } as const;
        const alone = compileExpression(text, { ...options, self: unknownType('1.37') });
        expect(outcomeOf(compileExpression(text, { ...options, self: shared })), `${minor} ${use}`).toEqual(outcomeOf(alone));
      }
  });

  const analysesOf = (text: string, minor: Minor): RuleAnalysis[] => {
    const self = unknownType(minor);
    return USES.map((use) => analyzeRule(text, self, 'plain', environmentFor(minor, use)));
  };

  it.each(MINORS)('are shared by new and stored expressions of %s that use no function of a newer Kubernetes version', (minor) => {
    const [fresh, stored] = analysesOf('self.name == "a" && self.name.startsWith("a")', minor);
    expect(fresh).toBe(stored);
  });

  it('are separate for new and stored expressions that use functions of a newer Kubernetes version', () => {
    const texts = RULES.flatMap((text) => MINORS.map((minor) => analysesOf(text, minor).map(({ analysis }) => analysis.ok)));
    const newer = texts.filter(([fresh, stored]) => fresh !== stored);
    expect(newer.length).toBeGreaterThan(2);
    expect(newer.every(([fresh, stored]) => fresh === false && stored === true)).toBe(true);
  });

  it('use one type check for all Kubernetes versions, and one estimate for versions with equal prices', () => {
    const self = unknownType('1.37');
    const inMinor = (minor: Minor): RuleAnalysis => analyzeRule('[self.name][0] == self.name', self, 'plain', environmentFor(minor, 'new'));
    const rules = MINORS.map(inMinor);
    expect(new Set(rules.map(({ analysis }) => analysis)).size).toBe(1);
    const before = EXPRESSION_WORK.estimated;
    const costs = rules.map((rule) => rule.maxCost());
    expect(new Set(costs).size).toBeGreaterThan(1);
    // There are four estimates, because prices changed in 1.32 (equality of library types), 1.33 (entries of literals) and 1.38 (the
    // model).
    expect(EXPRESSION_WORK.estimated - before).toBe(4);
  });

  it('are shared by schema nodes of the same shape, but not by nodes with different bounds', () => {
    const at = (properties: ReadonlyMap<string, ValueSchema>) => {
      const type = declareType({ ...SCHEMA, properties }, 'value', '1.37') as DeclaredType;
      return analyzeRule('self.name != ""', type, 'plain', environmentFor('1.37', 'new'));
    };
    const strings = (more: Partial<ValueSchema> = {}): ValueSchema => ({ ...STRINGS, ...more });
    const first = at(new Map([['name', strings()]]));
    expect(at(new Map([['name', strings({ minLength: 1, pattern: 'a' })]]))).toBe(first);
    expect(at(new Map([['name', strings({ maxLength: 11 })]]))).not.toBe(first);
    expect(at(new Map([['name', strings({ format: 'byte' })]]))).not.toBe(first);
    const more = new Map([
      ['name', strings()],
      ['more', strings()],
    ]);
    expect(at(more)).not.toBe(first);
  });
});
