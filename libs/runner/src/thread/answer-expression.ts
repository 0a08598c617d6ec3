import { utf8Text } from '#go';
import type { CancellationToken } from '#go';
import { evaluateBareExpression, evaluateExpression, traceWrite } from '#crd';
import type { CompiledDefinition, WriteTrace } from '#crd';
import type { DocumentSlice, EvaluationOptions } from '#documents';
import type { ExpressionReport, ExpressionWork } from '../protocol.ts';
import { unpackItems } from '../pack-items.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { NODE_ENGINE } from './node-linker.ts';
import { objectWrite, readItem, validationLimits } from './read-item.ts';

/**
 * Returns the type and cost estimate of an expression for a definition, and its value for an object if one is given. Without a definition,
 * the answer has the value of the expression alone. The trace of a task shows the engines, and the way that judges the object.
 */
export function answerExpression(work: ExpressionWork, cache: DefinitionCache, token: CancellationToken): ExpressionReport {
  const traces = work.tracedUnder !== undefined;
  if (typeof work.definition === 'string')
    return evaluateBareExpression({ expression: work.expression, minor: work.definition, engine: NODE_ENGINE, token, traces });
  const compiled = cache.compile(work.definition);
  if (!compiled.ok) return { ok: false, error: compiled.status.message };
  const [item] = work.item === undefined ? [] : unpackItems(work.item);
  if (item?.notation === 'unread') return { ok: false, error: utf8Text(item.bytes) };
  const object = item && { bytes: item.bytes, contentType: item.notation === 'json' ? 'application/json' : 'application/yaml' };
  const { expression, version, path } = work;
  const answer = evaluateExpression(compiled.definition, { expression, version, path, object, engine: NODE_ENGINE, token, traces });
  if (!answer.ok || item === undefined || work.tracedUnder === undefined) return answer;
  return { ...answer, write: traceItem(item, compiled.definition, work.tracedUnder, token) };
}

/** Returns the way in which the creation of an item is judged. The definition may have another version or kind than the item. */
function traceItem(item: DocumentSlice, definition: CompiledDefinition, options: EvaluationOptions, token: CancellationToken): WriteTrace {
  const read = readItem(item, options.kubernetesVersion, token);
  if (!read.ok) return { way: 'exact', obstacle: 'the object cannot be read' };
  return traceWrite(definition, objectWrite(read.write, options), { ...validationLimits(options), token });
}
