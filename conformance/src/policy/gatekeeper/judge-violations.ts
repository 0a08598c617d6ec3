import { compileRegex } from '#go';
import { isVerdictObject } from '../../canonical-text.ts';
import type { VerdictObject, VerdictValue } from '../../canonical-text.ts';
import type { Assertion } from './gator-suite.ts';

/**
 * Compares the violations in the verdict on an `admit` case with the assertions. Returns a description of the first failure; undefined if
 * all assertions hold. Source: gatekeeper pkg/gator/verify/assertion.go (3.23).
 */
export function judgeViolations(verdict: VerdictObject, assertions: readonly Assertion[]): string | undefined {
  if (assertions.length === 0) return 'the case asserts nothing';
  const problem = verdict['oracleError'];
  if (problem !== undefined) return `not judged: ${String(problem)}`;
  const messages = violationsOf(verdict);
  return assertions.map((asserted) => problemOf(asserted, messages)).find((found) => found !== undefined);
}

function problemOf({ violations, message }: Assertion, messages: readonly string[]): string | undefined {
  const pattern = message === undefined ? undefined : compileRegex(message);
  if (pattern?.ok === false) return `the pattern of the message does not compile: ${pattern.error}`;
  const count = pattern === undefined ? messages.length : messages.filter((text) => pattern.regex.test(text)).length;
  const wanted = violations === true ? 'yes' : violations === false ? 'no' : violations;
  if (wanted === 'yes' ? count > 0 : wanted === 'no' ? count === 0 : count === wanted) return undefined;
  const like = message === undefined ? '' : ` like ${JSON.stringify(message)}`;
  const words = wanted === 'yes' ? 'at least one' : wanted === 'no' ? 'none' : `exactly ${wanted}`;
  return `expected ${words}${like} of violations, got ${count}: ${JSON.stringify(messages)}`;
}

/** Returns the messages of all denials in a verdict. The message of the server contains only the first denial. */
const violationsOf = (verdict: VerdictObject): readonly string[] =>
  below([verdict], 'policies', 'bindings', 'runs', 'decisions')
    .filter(({ action }) => action === 'deny')
    .map(({ message }) => String(message));

/** Returns the objects that are reached by following `fields` through nested lists of objects. */
const below = (objects: readonly VerdictObject[], ...fields: readonly string[]): readonly VerdictObject[] =>
  fields.reduce<readonly VerdictObject[]>((found, field) => found.flatMap((object) => objectsIn(object[field])), objects);
const objectsIn = (value: VerdictValue): readonly VerdictObject[] =>
  Array.isArray(value) ? (value as readonly VerdictValue[]).filter(isVerdictObject) : [];
