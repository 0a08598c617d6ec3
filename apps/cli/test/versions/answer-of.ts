import { definitionText, serverOf } from '#evaluation';
import type { Minor } from '#kube';
import type { Engine, ExpressionReport } from '#runner';
import { answerExpression } from '#service';
import { yamlDefinition } from '../../../../testing/yaml-definition.ts';
import { documentsOf } from '../../src/read-documents.ts';
import { widget } from '../messages/message-case.ts';
import { messagesOf, outcomeOf, strictOptions } from '../messages/messages-of.ts';
import type { DocumentsExample, Example, ExpressionExample } from './example.ts';

/** Returns the answer of a Kubernetes version to an example, as the page about versions shows it. */
export async function answerOf(example: Example, minor: Minor, engine: Engine): Promise<string> {
  if ('expression' in example) return shownReport(await report(example, minor, engine), example.shows);
  if (example.shows !== undefined) return shownPart(example, example.shows, minor, engine);
  const messages = (await messagesOf(example, minor, engine)).split('\n').filter((line) => line !== '');
  return messages.length === 0 ? 'accepted' : messages.map((line) => line.replace(/^.*? is invalid: /, '')).join('\n');
}

async function shownPart(
  { documents, featureGates }: DocumentsExample,
  shows: NonNullable<DocumentsExample['shows']>,
  minor: Minor,
  engine: Engine,
): Promise<string> {
  const { items, policyReports = [] } = await outcomeOf(documents, strictOptions(minor, featureGates), engine);
  const admission = items.at(-1)?.admission;
  switch (shows) {
    case 'cost':
      return String(admission?.cost);
    case 'audit':
      return Object.values(admission?.auditAnnotations ?? {}).join('\n');
    case 'types':
      return (
        policyReports.flatMap(({ typeChecking = [] }) => typeChecking.map(({ warning }) => firstLine(warning))).join('\n') || 'no warning'
      );
  }
}

async function report({ expression, schema, self }: ExpressionExample, minor: Minor, engine: Engine): Promise<ExpressionReport> {
  const place = { expression, version: undefined, path: schema === undefined ? '' : 'spec' };
  if (schema === undefined) return answerExpression(engine, { ...place, definition: minor }, undefined);
  const texts = [yamlDefinition(schema), ...(self === undefined ? [] : [widget(`spec: ${self}`)])];
  const inputs = texts.map((text, i) => ({ name: `${i}.yaml`, bytes: Buffer.from(text) }));
  const { definitions, objects } = await documentsOf(inputs, engine);
  const definition = definitionText(definitions[0]!.slice, serverOf(strictOptions(minor)));
  return answerExpression(engine, { ...place, definition }, objects[0]?.slice);
}

const firstLine = (text: string): string => text.split('\n', 1).join('');

/** Returns a part of the report about an expression: a value, an error, or a number of CEL cost units. */
function shownReport(answer: ExpressionReport, shows: ExpressionExample['shows']): string {
  if (!answer.ok) return firstLine(answer.error);
  if (shows === 'estimate') return answer.estimate;
  const { result } = answer;
  if (result === undefined) throw new Error('an example without a value of self shows only an estimate');
  if (shows === 'cost') return String(result.cost);
  return result.ok ? result.value : result.error;
}
