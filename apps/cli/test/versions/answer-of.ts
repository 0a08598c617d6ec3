import { definitionText, serverOf } from '#documents';
import type { Minor } from '#kube';
import type { Engine, ExpressionReport } from '#runner';
import { answerExpression } from '#service';
import { yamlDefinition } from '../../../../testing/yaml-definition.ts';
import { documentsOf } from '../../src/documents/read-documents.ts';
import { widget } from '../messages/message-case.ts';
import { messagesOf, outcomeOf, strictOptions } from '../messages/messages-of.ts';
import type { DocumentsExample, Example, ExpressionExample } from './example.ts';

/** Answer of a Kubernetes version to an example. */
export interface Answer {
  /** The answer as the page about versions shows it. */
  readonly text: string;
  /** True if the text is an error or a warning. */
  readonly isMessage: boolean;
}

/** Returns the answer of a Kubernetes version to an example. */
export async function answerOf(example: Example, minor: Minor, engine: Engine): Promise<Answer> {
  if ('expression' in example) return shownReport(await report(example, minor, engine), example.shows);
  if (example.shows !== undefined) return { text: await shownPart(example, example.shows, minor, engine), isMessage: false };
  const messages = (await messagesOf(example, minor, engine)).split('\n').filter((line) => line !== '');
  const text = [...new Set(messages)].map((line) => line.replace(/^.*? is invalid: /, '')).join('\n');
  return text === '' ? { text: 'accepted', isMessage: false } : { text, isMessage: true };
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
      return `cost ${admission?.cost}`;
    case 'audit':
      return Object.values(admission?.auditAnnotations ?? {}).join('\n');
    case 'denial':
      return items.at(-1)?.status?.message.replace(/^.* denied request: /, '') ?? 'accepted';
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
function shownReport(answer: ExpressionReport, shows: ExpressionExample['shows']): Answer {
  if (!answer.ok) return { text: firstLine(answer.error), isMessage: true };
  if (shows === 'estimate') return { text: `cost estimate ${answer.estimate}`, isMessage: false };
  const { result } = answer;
  if (result === undefined) throw new Error('an example without a value of self shows only an estimate');
  if (shows === 'cost') return { text: `cost ${result.cost}`, isMessage: false };
  return result.ok ? { text: result.value, isMessage: false } : { text: result.error, isMessage: true };
}
