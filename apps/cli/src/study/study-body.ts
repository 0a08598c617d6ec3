import type { StudyOrder } from '#service';
import { jsonOf, sentOptions } from '../service/sent-documents.ts';

/** Returns the body of `POST /benchmarks` for an order. Throws {@link UsageError} if a document cannot be read. */
export function studyBody({ definitions, objects, options, budgetMs, seed, isTimed, base, rule }: StudyOrder): Buffer {
  const revision = base && {
    name: JSON.stringify(base.name),
    definitions: listOf(base.definitions.map((slice) => jsonOf(slice, base.name))),
  };
  const members = {
    budget: JSON.stringify(`${budgetMs}ms`),
    seed: String(seed),
    times: String(isTimed),
    ...(rule !== undefined && { rule: JSON.stringify(rule) }),
    options: sentOptions(options),
    definitions: listOf(definitions.map(({ source, slice }) => jsonOf(slice, source))),
    objects: listOf(objects.map((slice) => jsonOf(slice, 'an object'))),
    ...(revision && { base: objectOf(revision) }),
  };
  return Buffer.from(objectOf(members));
}

const listOf = (texts: readonly string[]): string => `[${texts.join(',')}]`;

/** Returns the JSON text of an object. The values of `members` are already JSON texts. */
const objectOf = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members)
    .map(([name, json]) => `"${name}":${json}`)
    .join(',')}}`;
