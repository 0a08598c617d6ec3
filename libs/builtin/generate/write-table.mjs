// Joins bin/table-1.NN.json of all minors into ../src/table/generated/table.ts: one line a field, with the minors in which it is so.
//   node write-table.mjs
// The notation is described in ../src/table/read-table.ts.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FIRST = 30;
const LAST = 37;
const here = import.meta.dirname;
const minors = [];
for (let minor = FIRST; minor <= LAST; minor++) {
  const file = join(here, `bin/table-1.${minor}.json`);
  if (!existsSync(file)) throw new Error(`${file} is missing: ./build.sh 1.${minor} writes it`);
  minors.push({ minor, table: JSON.parse(readFileSync(file, 'utf8')) });
}

/**
 * Joins the lines of several Kubernetes minor versions into one list, in the order of the newest minor version. A line that only older
 * minor versions have keeps its place: it is inserted after the line that precedes it in the older minor version.
 */
function joinLines(versions) {
  const joined = [];
  for (const { minor, lines } of versions.toReversed()) {
    let at = 0;
    for (const text of lines) {
      const known = joined.findIndex((line) => line.text === text);
      if (known >= 0) {
        joined[known].minors.push(minor);
        at = known + 1;
      } else joined.splice(at++, 0, { text, minors: [minor] });
    }
  }
  return joined.flatMap(({ text, minors: own }) => ranges(own.toReversed()).map((range) => text + range));
}

/**
 * Returns ascending Kubernetes minor versions as ranges, such as ` +31`, ` -35`, ` +31-35`. The result is empty if they include every
 * supported minor version.
 */
function ranges(own) {
  const runs = [];
  for (const minor of own) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === minor - 1) last[1] = minor;
    else runs.push([minor, minor]);
  }
  return runs.map(([from, to]) => {
    const range = `${from === FIRST ? '' : `+${from}`}${to === LAST ? '' : `-${to + 1}`}`;
    return range === '' ? '' : ` ${range}`;
  });
}

/** Returns the merge settings of types and their fields, by type name, as declared for structured merge diff. */
function mergeOf(table) {
  const types = new Map(table.merge.types.map((type) => [type.name, type]));
  const keys = new Map();
  for (const type of types.values()) {
    for (const { type: field } of type.map?.fields ?? []) {
      const element = field.list?.elementType.namedType;
      for (const key of field.list?.keys ?? []) keys.set(element, (keys.get(element) ?? new Set()).add(key));
    }
  }
  return { types, keys };
}

function mergeMark(field) {
  if (field === undefined) return '';
  const { list, map, elementRelationship } = field.type;
  if (list?.elementRelationship === 'associative') return list.keys === undefined ? ' set' : ` by=${list.keys.join(',')}`;
  if (map?.elementRelationship === 'atomic') return ' atomic';
  if (elementRelationship !== undefined) return ` ${elementRelationship === 'separable' ? 'granular' : elementRelationship}`;
  return '';
}

const packageOf = (name) => name.slice(0, name.lastIndexOf('.'));

function fieldLine(owner, field, merge, isKey) {
  const type = field.type.replaceAll(`${packageOf(owner)}.`, '.');
  if (field.inline) return `=${field.name} ${type}`;
  const marks = field.omitzero ? '?0' : field.omitempty ? '?' : '';
  const fallback = isKey && merge?.default !== undefined ? ` def=${JSON.stringify(merge.default)}` : '';
  return `${field.name}${marks} ${type}${mergeMark(merge)}${fallback}`;
}

/** Returns the header line and the field lines of a type in one Kubernetes minor version. */
function typeLines(name, type, merge) {
  const local = name.slice(name.lastIndexOf('.') + 1);
  if (type.decoder) return { header: `!${local}`, lines: [] };
  if (!type.struct) return { header: `:${local} ${type.is.replaceAll(`${packageOf(name)}.`, '.')}`, lines: [] };
  const schema = merge.types.get(type.schema);
  const fields = new Map((schema?.map?.fields ?? []).map((field) => [field.name, field]));
  const keys = merge.keys.get(type.schema);
  const lines = (type.fields ?? []).map((field) => fieldLine(name, field, fields.get(field.name), keys?.has(field.name) === true));
  return { header: `#${local}`, lines: schema?.map?.elementRelationship === 'atomic' ? ['atomic', ...lines] : lines };
}

const types = new Map();
const kinds = [];
for (const { minor, table } of minors) {
  const merge = mergeOf(table);
  for (const [name, type] of Object.entries(table.types)) {
    const { header, lines } = typeLines(name, type, merge);
    const known = types.get(name) ?? { header, versions: [] };
    if (known.header !== header) throw new Error(`${name} is ${known.header}, in 1.${minor} ${header}`);
    known.versions.push({ minor, lines });
    types.set(name, known);
  }
  const resources = new Map(table.resources.map((one) => [`${one.group}/${one.version} ${one.kind}`, one]));
  const lines = table.kinds.map(({ group, version, kind, type }) => {
    const resource = resources.get(`${group}/${version} ${kind}`);
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const served =
      resource === undefined
        ? ''
        : ` ${resource.plural} ${resource.namespaced ? 'namespaced' : 'cluster'} ${(resource.subresources ?? []).join(',') || '-'}`;
    return `${apiVersion} ${kind} ${type}${served}`;
  });
  kinds.push({ minor, lines });
}

const out = [];
let current = '';
for (const name of [...types.keys()].sort((a, b) => (a < b ? -1 : 1))) {
  if (packageOf(name) !== current) out.push(`@${(current = packageOf(name))}`);
  const { header, versions } = types.get(name);
  out.push(header, ...joinLines(versions));
}
const text =
  `// Written by libs/builtin/generate/write-table.mjs from the Go types of k8s.io/api ${minors[0].minor / 100 + 1} to 1.${LAST}. Do not edit.
/** The table of the kinds, with one kind per line. */
export const kinds = (): string => \`\\
${joinLines(kinds).join('\n')}
\`;

/** The table of the types, grouped by package. The fields of a struct follow on the lines after the struct. */
export const types = (): string => \`\\
${out.join('\n')}
\`;
`.replace(/k8s\.io\/api [\d.]+ to/, `k8s.io/api 1.${FIRST} to`);
const target = join(here, '../src/table/generated/table.ts');
writeFileSync(target, text);
console.log(`${target}: ${text.length} characters, ${types.size} types`);
