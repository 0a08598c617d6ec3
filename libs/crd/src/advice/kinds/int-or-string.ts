import { OPERATOR } from '#cel';
import type { WrittenNode } from '#cel';
import { fieldsText } from '../../schema/schema-path.ts';
import type { AdviceKind, AdvisedRule, FoundAdvice } from '../advice.ts';
import { fieldsMeant } from '../fields-meant.ts';
import { placedNodes, valuePlaceOf, startOf } from '../written-nodes.ts';
import type { PlacedNode } from '../written-nodes.ts';
import { withoutRepeats } from '../advice.ts';

/** Operators that require both operands to have the same type or to be numbers. Equality is excluded, because it accepts any two types. */
const OF_ONE_TYPE: ReadonlySet<string> = new Set([
  OPERATOR.less,
  OPERATOR.lessEquals,
  OPERATOR.greater,
  OPERATOR.greaterEquals,
  OPERATOR.add,
  OPERATOR.subtract,
  OPERATOR.multiply,
  OPERATOR.divide,
  OPERATOR.modulo,
  OPERATOR.negate,
]);
/** Names of methods that strings have but integers do not. */
const OF_STRINGS: ReadonlySet<string> = new Set([
  'matches',
  'find',
  'findAll',
  'startsWith',
  'endsWith',
  'contains',
  'size',
  'split',
  'replace',
  'substring',
  'indexOf',
  'lowerAscii',
  'upperAscii',
  'trim',
]);

/** Advice on rules that compute with a value that may be an integer or a string. */
export const intOrString: AdviceKind = {
  id: 'int-or-string',
  title: 'A rule tests the type of a value that may be an integer or a string',
  doc: `The CEL compiler does not know if a field with \`x-kubernetes-int-or-string\` is an integer or a string, so it accepts the rule \`self.port > 0\`. If the port of an object is a
string, the evaluation of this rule fails with \`no such overload\`. The server then refuses the object with this error, and does not show the message of the rule. Test the type first:
\`type(self.port) == int ? … : …\`. Only \`==\` and \`!=\` accept both types without a test. Assay gives this advice if no rule of the version tests the type of the field.`,
  example: {
    before: `
properties:
  port: {x-kubernetes-int-or-string: true}
x-kubernetes-validations:
- rule: self.port > 0
required: [port]`,
    after: `
properties:
  port: {x-kubernetes-int-or-string: true}
x-kubernetes-validations:
- rule: 'type(self.port) == int ? self.port > 0 : self.port != ""'
required: [port]`,
  },
  ofRule: (rule) => {
    const tested = testedFields(rule);
    return withoutRepeats(placedNodes(rule.tree, rule.schema).flatMap((placed) => ofCall(placed, rule, tested)));
  },
};

function ofCall({ node, scope }: PlacedNode, { steps, schema }: AdvisedRule, tested: ReadonlySet<string>): FoundAdvice[] {
  const { call = '', target, args } = node;
  const isMethod = target !== undefined && OF_STRINGS.has(call);
  const values = isMethod ? [target] : OF_ONE_TYPE.has(call) ? args : [];
  return values.flatMap((value) => {
    const place = valuePlaceOf(value, scope, schema);
    if (place?.schema.intOrString !== true) return [];
    const field = fieldsText([...steps, ...place.steps]);
    if (tested.has(field)) return [];
    const other = isMethod ? 'an integer' : 'a string';
    const text = `${field} may be an integer or a string. If it is ${other}, the rule may end with "no such overload", and the server refuses the object without the rule's own message. Ask for its type first, such as type(${writtenText(value)}) == int ? … : ….`;
    return [{ text, offset: startOf(value) }];
  });
}

/** Returns a path of fields in its source form, or `value` for any other expression. */
function writtenText({ expr, target }: WrittenNode): string {
  if (expr.kind === 'ident') return expr.name;
  return expr.kind === 'select' && target !== undefined ? `${writtenText(target)}.${expr.field}` : 'value';
}

/**
 * Function that collects the fields to which some rule of the version applies `type()`. The author of such a rule knows that the field may
 * be an integer or a string.
 */
const testedFields = fieldsMeant(({ call, args }) => (call === 'type' ? args : []));
