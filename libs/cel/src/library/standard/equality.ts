import { OPERATOR } from '../names.ts';
import type { CelType } from '../../values/types/type.ts';
import { BOOL, typeParameter } from '../../values/types/type.ts';
import { exactly, range } from '../range.ts';
import { equal } from '../../values/equality.ts';
import { LibraryValue } from '../../values/library-value.ts';
import { MessageValue } from '../../values/messages/message-value.ts';
import { PreservedValue } from '../../values/wrap.ts';
import { CelError } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import type { CallEstimate, EstimatedCall, FunctionDeclaration } from '../define.ts';
import { withContext } from '../define.ts';
import { estimateShorterScan, scanEstimate, scansShorter } from '../formulas.ts';
import { globalOverload } from '../overload.ts';
import { estimateBy, measureBy, statedEstimate, statedMeasure } from '../price.ts';
import { linear } from '../growth.ts';

const A = typeParameter('A');

/** Names of library types whose comparison by `==` has a fixed static cost. Source: k8s.io/apiserver/pkg/cel/library/cost.go (1.37). */
const FIXED_COST_TYPES: ReadonlySet<string> = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
]);
/** Maximum length of a format name, for the estimated cost of comparing formats. */
const MAX_FORMAT_SIZE = 64n;

/** Returns the name of the library type of both operands. Undefined if their types differ or are not library types. */
function sharedLibraryType(call: EstimatedCall): string | undefined {
  const [a, b] = call.operands.map((operand) => libraryTypeName(operand.type));
  return a === b ? a : undefined;
}

function libraryTypeName(type: CelType): string | undefined {
  return type.kind === 'opaque' || (type.kind === 'object' && type.fields === undefined) ? type.name : undefined;
}

function estimateByType(call: EstimatedCall): CallEstimate {
  const library = sharedLibraryType(call);
  if (library === undefined) return estimateShorterScan(call);
  if (FIXED_COST_TYPES.has(library)) return { cost: exactly(1n) };
  if (library === 'kubernetes.NamedFormat') return { cost: scanEstimate(range(1n, MAX_FORMAT_SIZE)) };
  if (library === 'kubernetes.URL') return { cost: scanEstimate(range(1n, call.operands[1]?.size?.max ?? 1n)) };
  return estimateShorterScan(call);
}

const estimateEquality = statedEstimate(
  {
    cost: (costs) => [
      ...estimateShorterScan.formulas.cost(costs),
      { when: `both are one of ${[...FIXED_COST_TYPES].join(', ')}`, formula: '1' },
      { when: 'both are kubernetes.NamedFormat', formula: `⌈0.1 × ${MAX_FORMAT_SIZE}⌉` },
      { when: 'both are kubernetes.URL', formula: '⌈0.1 × size(y)⌉' },
      { when: 'both are kubernetes.URL of unknown size', formula: '1' },
    ],
  },
  estimateByType,
);

const measureEquality = statedMeasure(
  (costs) => [...scansShorter.formula(costs), { when: 'x is a value of a library type', formula: '1' }],
  (args, result, costs) => (isLibraryValue(args[0]) ? 1 : scansShorter(args, result, costs)),
  // A value of a library type never has a shape with a size, so this code need not test for one.
  (site, operands) => scansShorter.emit?.(site, operands),
);

/** Growth of a comparison, which traverses both values completely. The cost of a comparison does not include steps inside nested values. */
const COMPARISON = linear('k8s.io/apiserver/pkg/cel/common/valuesunstructured.go `Equal` (1.37)');

export const EQUALS: FunctionDeclaration = {
  name: OPERATOR.equals,
  library: 'standard',
  planned: 'equals',
  doc: 'True if two values are equal. Numbers of different types may be compared where one is dyn.',
  examples: ['1 == 1', "!('hello' == 'world')", "bytes('hello') == b'hello'", "duration('1h') == duration('60m')", 'dyn(3.0) == 3'],
  guard: 'any',
  overloads: [
    globalOverload('equals', [A, A], BOOL, {
      estimate: estimateBy((costs) => costs.libraryEqualityIsFixed, estimateEquality, estimateShorterScan),
      measure: measureBy((costs) => costs.libraryEqualityIsFixed, measureEquality, scansShorter),
      growth: COMPARISON,
      call: withContext(equal),
    }),
  ],
};

function isLibraryValue(value: CelValue | undefined): boolean {
  return value instanceof LibraryValue && !(value instanceof PreservedValue) && !(value instanceof MessageValue);
}

/** Declaration of `!=`. If the comparison fails with an error, `a != b` is true, in contrast to `==`. */
export const NOT_EQUALS: FunctionDeclaration = {
  name: OPERATOR.notEquals,
  library: 'standard',
  planned: 'notEquals',
  doc: 'True if two values differ.',
  examples: ['1 != 2', '3.0 != 3.1'],
  guard: 'any',
  overloads: [
    globalOverload('not_equals', [A, A], BOOL, {
      estimate: estimateShorterScan,
      measure: scansShorter,
      growth: COMPARISON,
      call: withContext((context, a, b) => {
        if (a instanceof CelError) return a;
        return b instanceof CelError ? b : equal(context, a, b) !== true;
      }),
    }),
  ],
};
