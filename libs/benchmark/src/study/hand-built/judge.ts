import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileStoredDefinition, loneRules, validateObject } from '#crd';
import { readFirstDocument } from '#go';
import { CelError } from '#cel';
import type { EngineChoice } from '#cel';
import { LATEST_MINOR, pathText } from '#kube';
import type { RuleObserver } from '#crd';
import type { End, HandBuilt } from './hand-built.ts';

/**
 * Result of validating a write request that a person constructed to make a rule expensive. It contains the outcome, the number of
 * evaluations of the rule, and their cost.
 */
export interface Judgement {
  readonly end: End | 'refused';
  readonly evaluations: number;
  /** Cost units of all evaluations of the rule. */
  readonly cost: number;
  /** Size in bytes of JSON of the object or of the stored object, whichever is larger. */
  readonly bytes: number;
  /** First errors with which the write is rejected. */
  readonly errors: readonly string[];
}

/** Maximum number of errors that the result of a hand-built write contains. */
const MAX_ERRORS = 5;

/**
 * Validates a create or update request that a person constructed to make a rule expensive. Reads the definition from the file `built.file`
 * in the folder `corpora`.
 */
export function judge(built: HandBuilt, corpora: string, engine: EngineChoice): Judgement {
  const reading = readFirstDocument(readFileSync(join(corpora, built.file)));
  if (!reading.ok) throw new Error(reading.error);
  const outcome = compileStoredDefinition(reading.value, { minor: LATEST_MINOR, engine });
  if (!outcome.ok) throw new Error(outcome.status.message);
  const served = outcome.definition.serve(built.version);
  if (served?.ok !== true) throw new Error(`${built.version} is not served`);
  const studied = loneRules(served.version).find(({ path }) => path === built.path);
  if (studied === undefined) throw new Error(`there is no rule at ${built.path}`);

  let [evaluations, cost] = [0, 0];
  const failed: string[] = [];
  const observer: RuleObserver = (rule, at, evaluation) => {
    if (rule === studied.rule) {
      evaluations += 1;
      cost += evaluation.cost;
    }
    if (evaluation.value === true) return;
    const text = evaluation.value instanceof CelError ? evaluation.value.message : 'does not hold';
    failed.push(`${pathText(at)}: ${text}: ${rule.source.rule}`);
  };
  const isStatus = built.path.startsWith('properties[status]') && studied.version.hasStatus;
  const body = built.object();
  const oldObject = built.old?.() ?? (isStatus ? withoutStatus(built.object()) : undefined);
  const verdict = validateObject(
    outcome.definition,
    {
      operation: oldObject === undefined ? 'CREATE' : 'UPDATE',
      ...(isStatus && { subresource: 'status' as const }),
      body,
      fieldValidation: 'Strict',
      version: built.version,
      ...(oldObject && { oldObject }),
    },
    { observer, exact: true },
  );
  if ('cancelled' in verdict) throw new Error('nobody cancels');
  const bytes = Math.max(jsonBytes(built.object()), jsonBytes(oldObject));
  if (verdict.accepted) return { end: 'accepted', evaluations, cost, bytes, errors: failed };
  const message = verdict.status.message ?? '';
  const end = /call cost exceeds limit/.test(message) ? 'call' : /out of cost budget/.test(message) ? 'object' : 'refused';
  const errors = [...failed, ...verdict.errors.map(({ field, detail }) => `${field}: ${detail}`)];
  return { end, evaluations, cost, bytes, errors: errors.slice(0, MAX_ERRORS) };
}

const jsonBytes = (object: ReturnType<HandBuilt['object']> | undefined): number => Buffer.byteLength(JSON.stringify(object ?? {}));

function withoutStatus(object: ReturnType<HandBuilt['object']>): ReturnType<HandBuilt['object']> {
  const { status: _, ...rest } = object;
  return rest;
}
