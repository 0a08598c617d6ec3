import { documentJson, optionsJson } from '#documents';
import type { DocumentSlice } from '#documents';
import type { StudyOrder } from './study-order.ts';

/** Body of an HTTP request for a study, or the reason why no body can be created. */
export type StudyBody = { readonly ok: true; readonly body: string } | { readonly ok: false; readonly problem: string };

/** Returns the body of `POST /benchmarks` as JSON. If a document cannot be read, returns a problem that contains the document's name. */
export function studyBody({ definitions, objects, options, budgetMs, seed, isTimed, base, rule }: StudyOrder): StudyBody {
  const problems: string[] = [];
  const listOf = (documents: readonly { readonly source: string; readonly slice: DocumentSlice }[]): string => {
    const texts = documents.map(({ source, slice }) => {
      const read = documentJson(slice);
      if (!read.ok) problems.push(`${source}: it cannot be read: ${read.error}`);
      return read.ok ? read.json : '';
    });
    return `[${texts.join(',')}]`;
  };
  const named = (source: string, slices: readonly DocumentSlice[]) => slices.map((slice) => ({ source, slice }));
  const body = objectOf({
    budget: JSON.stringify(`${budgetMs}ms`),
    seed: String(seed),
    times: String(isTimed),
    ...(rule !== undefined && { rule: JSON.stringify(rule) }),
    options: optionsJson(options),
    definitions: listOf(definitions),
    objects: listOf(named('an object', objects)),
    ...(base && { base: objectOf({ name: JSON.stringify(base.name), definitions: listOf(named(base.name, base.definitions)) }) }),
  });
  const [problem] = problems;
  return problem === undefined ? { ok: true, body } : { ok: false, problem };
}

/** Returns a JSON object. The values of `members` must be JSON texts. */
const objectOf = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members)
    .map(([name, json]) => `"${name}":${json}`)
    .join(',')}}`;
