import { newJsonObject, writeJson, yamlLines } from '#go';
import { problemsOf } from '#documents';
import type { EvaluationOptions } from '#documents';
import type { JsonObject } from '#go';
import { UsageError } from '../usage.ts';
import { judgePolicyCase } from './judge-policy-case.ts';
import { policySuiteSchema } from './policy-suite.ts';
import type { PolicySuite } from './policy-suite.ts';
import type { RequestSuite } from './request-suite.ts';
import { plain, SuiteFiles } from './suite-files.ts';
import type { SuiteText } from './suite-files.ts';

/** Loads a policy suite in Assay's own format. Throws a {@link UsageError} if the suite, or a file that it names, cannot be used. */
export function loadPolicySuite(source: SuiteText, value: JsonObject): RequestSuite {
  const { file, text } = source;
  const parsed = policySuiteSchema.safeParse(plain(value));
  if (!parsed.success) throw new UsageError(`${file}: not a suite: ${problemsOf(parsed.error, 'suite').join('; ')}`);
  const suite = parsed.data;
  const files = new SuiteFiles(source);
  const inputs = [...suite.policies, ...suite.cluster].map((name) => files.input(name));
  const lineAt = yamlLines(text);
  const written = value['cases'] as JsonObject[];
  const cases = suite.cases.map((test, i) => ({
    name: test.name,
    line: lineAt(['cases', i]),
    item: itemOf(written[i]),
    end: (verdict: Parameters<typeof judgePolicyCase>[1]) => judgePolicyCase(test, verdict),
  }));
  return {
    kind: 'requests',
    file,
    name: suite.name,
    batches: [{ inputs, cases }],
    optionsOver: (options) => optionsOver(options, suite),
    files: files.names,
    digest: files.digest,
  };
}

/** Returns the options of the command line, overridden by the options of a suite. */
function optionsOver(options: EvaluationOptions, suite: PolicySuite): object {
  const { kubernetesVersion = options.kubernetesVersion, userInfo = options.admission.userInfo, authorizer } = suite;
  return { ...options, kubernetesVersion, admission: { ...(userInfo && { userInfo }), authorizer } };
}

/** Fields of a case that become its admission request. */
const MEMBERS = ['object', 'oldObject', 'operation', 'request', 'userInfo'] as const;

function itemOf(test: JsonObject | undefined): string {
  const item = newJsonObject();
  for (const member of MEMBERS) {
    const value = test?.[member];
    if (value !== undefined) item[member] = value;
  }
  return writeJson(item);
}
