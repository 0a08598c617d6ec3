// Writes the types of answers as TypeScript, from the zod schemas of answers. The types of the published library must not refer to zod,
// whose inferred types would show users the schemas. Prints the module as a JSON list with one text.
import { z } from 'zod';
import { MINORS } from '../../libs/kube/src/minors.ts';
import { explanationAnswer } from '../../libs/documents/src/explanation/explanation.ts';
import { matrixAnswer } from '../../libs/documents/src/explanation/version-matrix.ts';
import { verdictCausesSchema } from '../../libs/documents/src/verdict/verdict-causes.ts';
import { definitionReportSchema, policyReportSchema, summarySchema, verdictSchema } from '../../libs/documents/src/verdict/verdict.ts';
import { programArguments } from '../../testing/program-arguments.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Types that are declared elsewhere, by the ids of their schemas, with the modules that export them. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['Status', '#kube'],
  ['Minor', '#kube'],
]);

/** Returns a module that exports a type for each schema with an id that the schemas contain. */
function answerTypes(schemas: readonly z.ZodType[]): string {
  const used = new Set<string>();
  const { $defs = {} } = z.toJSONSchema(z.tuple(schemas as [z.ZodType]));
  const declared = Object.entries($defs)
    .filter(([id]) => !ELSEWHERE.has(id) && id !== 'ExplanationAnswer')
    .map(([id, schema]) => declarationOf(id, schema, used));
  const imports = [...ELSEWHERE].filter(([id]) => used.has(id)).map(([id, from]) => `import type { ${id} } from '${from}';\n`);
  return `${imports.join('')}\n${declared.join('\n')}`;
}

function declarationOf(id: string, schema: JsonSchema, used: Set<string>): string {
  const { description = `See the schema \`${id}\` of the HTTP API.` } = schema;
  const type = typeOf(schema, used);
  const isObject = schema.type === 'object' && type.startsWith('{');
  return `${commentOf(description)}export ${isObject ? `interface ${id} ${type}` : `type ${id} = ${type};`}\n`;
}

/** Returns the TypeScript type of the values that a schema accepts. Adds the names of the types that it refers to to `used`. */
function typeOf(schema: JsonSchema, used: Set<string>): string {
  const refer = (name: string): string => (used.add(name), name);
  if (schema.$ref !== undefined) return refer(schema.$ref.slice('#/$defs/'.length));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum)
    return String(schema.enum) === String(MINORS) ? refer('Minor') : schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, used)).join(' | ');
  if (schema.type === 'array') return `readonly ${parenthesized(typeOf(schema.items as JsonSchema, used))}[]`;
  if (schema.type === 'object') return objectType(schema, used);
  return typesIn(schema.type)
    .map((type) => (type === 'integer' ? 'number' : type))
    .join(' | ');
}

function objectType({ properties, required = [], additionalProperties, propertyNames }: JsonSchema, used: Set<string>): string {
  const rest = typeof additionalProperties === 'object' ? typeOf(additionalProperties, used) : 'unknown';
  const entries = Object.entries(properties ?? {});
  if (entries.length === 0) {
    const keys = propertyNames === undefined ? 'string' : typeOf(propertyNames as JsonSchema, used);
    return keys === 'string' ? `Readonly<Record<string, ${rest}>>` : `Readonly<Partial<Record<${keys}, ${rest}>>>`;
  }
  const fields = entries.map(([name, value]) => {
    const schema = value as JsonSchema;
    const comment = schema.description === undefined ? '' : commentOf(schema.description);
    return `${comment}readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, used)};\n`;
  });
  return `{\n${fields.join('')}}`;
}

const typesIn = (type: JsonSchema['type'] | readonly string[]): readonly string[] =>
  type === undefined ? ['unknown'] : typeof type === 'string' ? [type] : type;

const parenthesized = (type: string): string => (type.includes(' | ') && !type.startsWith('{') ? `(${type})` : type);

const commentOf = (text: string): string => `/** ${text.replaceAll('*/', '* /').replace(/\.?$/, '.')} */\n`;

programArguments('usage: node --conditions=source scripts/generate/answer-types.ts\n', {});
console.log(
  JSON.stringify([
    answerTypes([
      definitionReportSchema,
      explanationAnswer,
      matrixAnswer,
      policyReportSchema,
      summarySchema,
      verdictCausesSchema,
      verdictSchema,
    ]),
  ]),
);
