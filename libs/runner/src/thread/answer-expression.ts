import { utf8Text } from '#go';
import type { CancellationToken } from '#go';
import { evaluateBareExpression, evaluateExpression } from '#crd';
import type { ExpressionAnswer } from '#crd';
import type { ExpressionWork } from '../protocol.ts';
import { unpackItems } from '../pack-items.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { NODE_ENGINE } from './node-linker.ts';

/**
 * Returns the type and cost estimate of an expression for a definition, and its value for an object if one is given. Without a definition,
 * the answer has the value of the expression alone.
 */
export function answerExpression(work: ExpressionWork, cache: DefinitionCache, token: CancellationToken): ExpressionAnswer {
  if (typeof work.definition === 'string')
    return evaluateBareExpression({ expression: work.expression, minor: work.definition, engine: NODE_ENGINE, token });
  const compiled = cache.compile(work.definition);
  if (!compiled.ok) return { ok: false, error: compiled.status.message };
  const [item] = work.item === undefined ? [] : unpackItems(work.item);
  if (item?.notation === 'unread') return { ok: false, error: utf8Text(item.bytes) };
  const object = item && { bytes: item.bytes, contentType: item.notation === 'json' ? 'application/json' : 'application/yaml' };
  const { expression, version, path } = work;
  return evaluateExpression(compiled.definition, { expression, version, path, object, engine: NODE_ENGINE, token });
}
