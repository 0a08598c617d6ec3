import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeJson, yamlLines } from '#go';
import type { JsonValue } from '#go';
import { problemsOf } from '#evaluation';
import { reasonOf } from '../find-files.ts';
import type { InputFile } from '../read-inputs.ts';
import { UsageError } from '../usage.ts';
import { policySuiteSchema } from './policy-suite.ts';
import type { PolicySuite } from './policy-suite.ts';

/** A policy suite with the files that it names. */
export interface LoadedPolicySuite {
  readonly kind: 'policies';
  readonly file: string;
  readonly suite: PolicySuite;
  /** Policies, and what of the cluster they look at. */
  readonly inputs: readonly InputFile[];
  /** Line on which a case begins, from 1. */
  readonly lineOf: (index: number) => number | undefined;
  /** Another one when the suite or one of its files is no longer the same. */
  readonly digest: string;
}

/** Loads a policy suite; throws a {@link UsageError} where it, or a file that it names, cannot be used. */
export function loadPolicySuite(file: string, text: string, value: JsonValue): LoadedPolicySuite {
  const parsed = policySuiteSchema.safeParse(JSON.parse(writeJson(value)));
  if (!parsed.success) throw new UsageError(`${file}: not a suite: ${problemsOf(parsed.error, 'suite').join('; ')}`);
  const suite = parsed.data;
  const inputs = [...suite.policies, ...suite.cluster].map((name) => inputOf(join(dirname(file), name)));
  const digest = createHash('sha256').update(text);
  for (const { bytes } of inputs) digest.update(bytes);
  const lineAt = yamlLines(text);
  return { kind: 'policies', file, suite, inputs, lineOf: (index) => lineAt(['cases', index]), digest: digest.digest('hex') };
}

function inputOf(name: string): InputFile {
  try {
    return { name, bytes: readFileSync(name) };
  } catch (error) {
    throw new UsageError(`${name}: ${reasonOf(error)}`);
  }
}
