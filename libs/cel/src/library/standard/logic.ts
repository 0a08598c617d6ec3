import { OPERATOR } from '../names.ts';
import { addRanges, exactly, unionRanges } from '../range.ts';
import { NO_SUCH_OVERLOAD, noSuchOverload } from '../../values/value.ts';
import { BOOL, typeParameter } from '../../values/types/type.ts';
import type { CostRange } from '../range.ts';
import type { EstimatedCall, FunctionDeclaration } from '../define.ts';
import { js } from '../code/javascript.ts';
import { BOOL_SHAPE } from '../code/shape.ts';
import { free } from '../formulas.ts';
import { globalOverload } from '../overload.ts';
import { always, sizeEstimate, statedEstimate } from '../price.ts';

const A = typeParameter('A');
const FREE = exactly(0n);
const costOf = (call: EstimatedCall, index: number): CostRange => call.operands[index]?.cost ?? FREE;

/** Estimate of `&&` and `||`. Its minimum includes only the left operand, because the right operand may not be evaluated. */
const shortCircuit = statedEstimate({ cost: always('0'), operandCost: always('cost(x) + cost(y)') }, (call) => {
  const left = costOf(call, 0);
  return { cost: FREE, operandCost: { min: left.min, max: addRanges(left, costOf(call, 1)).max } };
});

const choice = statedEstimate(
  {
    cost: always('0'),
    operandCost: always('cost(x) + max(cost(y), cost(z))'),
    resultSize: always('max(size(y), size(z))'),
  },
  (call) => ({
    cost: FREE,
    operandCost: addRanges(costOf(call, 0), unionRanges(costOf(call, 1), costOf(call, 2))),
    resultSize: unionRanges(sizeEstimate(call, 1), sizeEstimate(call, 2)),
    entriesOf: [1, 2],
  }),
);

/**
 * Declaration of `c ? a : b`. Like `&&` and `||`, it is planned in a special form instead of a call, because not all operands are
 * evaluated.
 */
export const CONDITIONAL: FunctionDeclaration = {
  name: OPERATOR.conditional,
  library: 'standard',
  planned: 'conditional',
  doc: 'The second operand if the first one is true, otherwise the third one. Only this operand is evaluated.',
  examples: [["'hello'.contains('lo') ? 'hi' : 'bye'", "'hi'"]],
  guard: 'any',
  overloads: [
    globalOverload('conditional', [BOOL, A, A], A, {
      nonStrict: true,
      estimate: choice,
      measure: free,
      call: () => NO_SUCH_OVERLOAD,
    }),
  ],
};

export const LOGICAL_AND: FunctionDeclaration = {
  name: OPERATOR.and,
  library: 'standard',
  planned: 'and',
  doc: 'True if both operands are true. False if one operand is false, even if the other one is an error.',
  examples: ['!(true && false)', '!(1 / 0 > 0 && false)'],
  guard: 'any',
  overloads: [
    globalOverload('logical_and', [BOOL, BOOL], BOOL, {
      nonStrict: true,
      estimate: shortCircuit,
      measure: free,
      call: () => NO_SUCH_OVERLOAD,
    }),
  ],
};

export const LOGICAL_OR: FunctionDeclaration = {
  name: OPERATOR.or,
  library: 'standard',
  planned: 'or',
  doc: 'True if at least one operand is true, even if the other one is an error.',
  examples: ['true || false', '1 / 0 > 0 || true'],
  guard: 'any',
  overloads: [
    globalOverload('logical_or', [BOOL, BOOL], BOOL, {
      nonStrict: true,
      estimate: shortCircuit,
      measure: free,
      call: () => NO_SUCH_OVERLOAD,
    }),
  ],
};

export const LOGICAL_NOT: FunctionDeclaration = {
  name: OPERATOR.not,
  library: 'standard',
  doc: 'The opposite of a bool.',
  examples: ['!false'],
  guard: 'any',
  overloads: [
    globalOverload('logical_not', [BOOL], BOOL, {
      paysForErrors: true,
      call: (value) => (typeof value === 'boolean' ? !value : noSuchOverload(value)),
      inline: (_, [operand]) => (operand!.shape.kind === 'bool' ? { code: js`!${operand!.code}`, shape: BOOL_SHAPE } : undefined),
    }),
  ],
};

/** Declaration of the function that the macros `all` and `exists` use in their expansion. Expressions cannot call it by name. */
export const NOT_STRICTLY_FALSE: FunctionDeclaration = {
  name: OPERATOR.notStrictlyFalse,
  library: 'standard',
  doc: 'False if the operand is false, otherwise true, also for errors. Only macros such as `all` can call it, to end a loop.',
  examples: [],
  overloads: [
    globalOverload('not_strictly_false', [BOOL], BOOL, { nonStrict: true, call: (value) => (typeof value === 'boolean' ? value : true) }),
  ],
};
