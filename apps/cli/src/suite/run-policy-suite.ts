import { checkOptions } from '#evaluation';
import type { EvaluationOptions } from '#evaluation';
import type { Engine } from '#runner';
import { evaluate } from '../evaluate.ts';
import type { PlacedVerdict } from '../evaluate.ts';
import { documentsOf } from '../read-documents.ts';
import type { PlacedDocuments } from '../read-documents.ts';
import { lacking } from './lacking.ts';
import type { LoadedPolicySuite } from './load-policy-suite.ts';
import type { PolicyCase } from './policy-suite.ts';
import type { CaseResult } from './suite.ts';

/** PLOT: reads the suite's files, judges all cases as one batch, and compares what becomes of each. */
export async function* runPolicySuite(loaded: LoadedPolicySuite, options: EvaluationOptions, host: Engine): AsyncGenerator<CaseResult> {
  const { file, suite, lineOf } = loaded;
  const started = performance.now();
  const chosen = chosenOptions(loaded, options);
  const verdicts = typeof chosen === 'string' ? chosen : await verdictsOf(loaded, chosen, host);
  const milliseconds = (performance.now() - started) / suite.cases.length;
  for (const [i, test] of suite.cases.entries()) {
    const problem = typeof verdicts === 'string' ? verdicts : problemOf(test, verdicts[i]);
    const line = lineOf(i);
    yield {
      suite: suite.name,
      file,
      ...(line !== undefined && { line }),
      name: test.name,
      passed: problem === undefined,
      ...(problem !== undefined && { problem }),
      milliseconds,
    };
  }
}

/** The options of the suite laid over those of the command line; or what is wrong with them. */
function chosenOptions({ suite }: LoadedPolicySuite, options: EvaluationOptions): EvaluationOptions | string {
  const { kubernetesVersion = options.kubernetesVersion, userInfo = options.admission.userInfo, authorizer } = suite;
  const checked = checkOptions({
    ...options,
    kubernetesVersion,
    returnObjects: true,
    admission: { ...(userInfo && { userInfo }), authorizer },
  });
  return checked.ok ? checked.value : checked.status.message;
}

/** What became of each case; or why none could be judged. */
async function verdictsOf(
  { file, suite, inputs }: LoadedPolicySuite,
  options: EvaluationOptions,
  host: Engine,
): Promise<readonly PlacedVerdict[] | string> {
  const documents = await documentsOf(inputs, host);
  if (documents.policies.policies.length === 0) return 'the files of the suite hold no policies';
  const { definitions, items } = await evaluate({ ...documents, objects: itemsOf(suite.cases, file) }, options, host);
  const refused = definitions.find(({ accepted }) => !accepted);
  return refused ? `the definition is refused: ${refused.status?.message ?? refused.name}` : items;
}

function itemsOf(cases: readonly PolicyCase[], file: string): PlacedDocuments['objects'] {
  return cases.map(({ object, oldObject, operation, request, userInfo }, i) => {
    const item = JSON.stringify({ object, oldObject, operation, request, userInfo });
    return { source: `${file}#${i + 1}`, slice: { bytes: Buffer.from(item), notation: 'json' } };
  });
}

/** What is not as a case expects; undefined: it passes. */
function problemOf(test: PolicyCase, verdict: PlacedVerdict | undefined): string | undefined {
  const { outcome, status, warnings = [], admission, object } = verdict ?? {};
  const said = status?.message ?? '';
  if (outcome !== 'accepted' && outcome !== 'rejected') return `not judged: ${said}`;
  if (test.expect === 'allowed' && outcome === 'rejected') return `denied: ${said}`;
  if (test.expect === 'denied' && outcome === 'accepted') return 'expected a denial, but the request is allowed';
  if (test.message !== undefined && !said.includes(test.message))
    return `expected a denial with ${JSON.stringify(test.message)}, got: ${said}`;
  return (
    warningsProblem(test.warnings, warnings) ??
    lacking('audit annotations', test.auditAnnotations ?? {}, admission?.auditAnnotations ?? {}) ??
    (test.mutated && lacking('the stored object', test.mutated, object))
  );
}

function warningsProblem(expected: readonly string[] | undefined, found: readonly string[]): string | undefined {
  if (expected === undefined) return undefined;
  const agree = expected.length === found.length && expected.every((part, i) => found[i]?.includes(part));
  return agree ? undefined : `expected warnings with ${JSON.stringify(expected)}, got: ${JSON.stringify(found)}`;
}
