import type { PlacedVerdict } from '../../evaluate.ts';
import type { CaseEnd } from '../request-suite.ts';
import type { Assertion } from './gator-suite.ts';

/** Holds the violations that a verdict tells against what is asserted of them. Source: gatekeeper pkg/gator/verify/assertion.go (3.23). */
export async function judgeViolations(verdict: PlacedVerdict, assertions: readonly Assertion[], policy: string): Promise<CaseEnd> {
  if (assertions.length === 0) return { problem: 'the case asserts nothing' };
  const found = violationsOf(verdict, policy);
  if (!found.ok) return { problem: found.problem };
  for (const asserted of assertions) {
    const problem = await problemOf(asserted, found.messages);
    if (problem !== undefined) return { problem };
  }
  return undefined;
}

async function problemOf({ violations, message }: Assertion, messages: readonly string[]): Promise<string | undefined> {
  // In the package the library has it: regular expressions are large, and nothing else of the command line needs them.
  const { compileRegex } = await import('#go');
  const pattern = message === undefined ? undefined : compileRegex(message);
  if (pattern?.ok === false) return `the pattern of the message does not compile: ${pattern.error}`;
  const count = pattern === undefined ? messages.length : messages.filter((text) => pattern.regex.test(text)).length;
  const wanted = violations === true ? 'yes' : violations === false ? 'no' : violations;
  if (wanted === 'yes' ? count > 0 : wanted === 'no' ? count === 0 : count === wanted) return undefined;
  const like = message === undefined ? '' : ` like ${JSON.stringify(message)}`;
  const words = wanted === 'yes' ? 'at least one' : wanted === 'no' ? 'none' : `exactly ${wanted}`;
  return `expected ${words}${like} of violations, got ${count}: ${JSON.stringify(messages)}`;
}

type Violations = { readonly ok: true; readonly messages: readonly string[] } | { readonly ok: false; readonly problem: string };

/** The messages of all violations: each is warned of; of one that is no more than denied the Status tells. */
function violationsOf({ outcome, status, warnings }: PlacedVerdict, policy: string): Violations {
  const told = `Validation failed for ValidatingAdmissionPolicy '${policy}'`;
  const messages = warnings
    .filter((warning) => warning.startsWith(told))
    .map((warning) => warning.replace(/^.*? with binding '[^']*': /, ''));
  if (outcome === 'accepted' || messages.length > 0) return { ok: true, messages };
  const said = status?.message ?? '';
  return said.includes(policy) ? { ok: true, messages: [said] } : { ok: false, problem: `refused before the policy was asked: ${said}` };
}
