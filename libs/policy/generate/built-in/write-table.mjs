// Joins the tables of all minor versions into ../src/table/generated/table.ts: one line per field, with the versions that have it.
//   node write-table.mjs
// The table of a version is bin/table-1.NN.json. Without this file, the lines of a version come from the current table.ts. So only a new
// version must be built. The notation is described in ../src/table/read-table.ts.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FIRST = 30;
const LAST = 38;
const here = import.meta.dirname;
const target = join(here, '../../src/built-in/table/generated/table.ts');

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

/** Returns the kinds and types of one Kubernetes minor version, from the table that its Go program wrote. */
function builtVersion(minor, table) {
  const merge = mergeOf(table);
  const types = Object.entries(table.types).map(([name, type]) => ({ name, ...typeLines(name, type, merge) }));
  const resources = new Map(table.resources.map((one) => [`${one.group}/${one.version} ${one.kind}`, one]));
  const kinds = table.kinds.map(({ group, version, kind, type }) => {
    const resource = resources.get(`${group}/${version} ${kind}`);
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const served =
      resource === undefined
        ? ''
        : ` ${resource.plural} ${resource.namespaced ? 'namespaced' : 'cluster'} ${(resource.subresources ?? []).join(',') || '-'}`;
    return `${apiVersion} ${kind} ${type}${served}`;
  });
  return { minor, kinds, types };
}

/** Returns the lines of the present table that one Kubernetes minor version has, without their ranges. */
function linesIn(minor, lines) {
  return lines.flatMap((line) => {
    const [, text, since, until] = /^(.*?)(?: (?=[+-]\d)(?:\+(\d+))?(?:-(\d+))?)?$/.exec(line);
    return minor >= Number(since ?? FIRST) && minor < Number(until ?? Infinity) ? [text] : [];
  });
}

/** Returns the kinds and types of one Kubernetes minor version, from the lines of the present table. */
function presentVersion(minor, present) {
  const types = [];
  let inPackage = '';
  for (const line of present.types.trimEnd().split('\n')) {
    if (line.startsWith('@')) inPackage = line.slice(1);
    else if (/^[#!:]/.test(line)) types.push({ name: `${inPackage}.${/^.(\w+)/.exec(line)[1]}`, header: line, lines: [] });
    else types.at(-1).lines.push(line);
  }
  return {
    minor,
    kinds: linesIn(minor, present.kinds.trimEnd().split('\n')),
    types: types.map((type) => ({ ...type, lines: linesIn(minor, type.lines) })),
  };
}

/** Reads the present table, and the newest Kubernetes minor version in it. */
async function readPresent() {
  const { kinds, types } = await import(target);
  return { kinds: kinds(), types: types(), last: Number(/ to 1\.(\d+)\./.exec(readFileSync(target, 'utf8'))[1]) };
}

const present = await readPresent();
const versions = [];
for (let minor = FIRST; minor <= LAST; minor++) {
  const file = join(here, `bin/table-1.${minor}.json`);
  if (existsSync(file)) versions.push(builtVersion(minor, JSON.parse(readFileSync(file, 'utf8'))));
  else if (minor <= present.last) versions.push(presentVersion(minor, present));
  else throw new Error(`${file} is missing: ./build.sh 1.${minor} writes it`);
}

const types = new Map();
for (const version of versions) {
  for (const { name, header, lines } of version.types) {
    const known = types.get(name) ?? { header, versions: [] };
    if (known.header !== header) throw new Error(`${name} is ${known.header}, in 1.${version.minor} ${header}`);
    known.versions.push({ minor: version.minor, lines });
    types.set(name, known);
  }
}

const out = [];
let current = '';
for (const name of [...types.keys()].sort((a, b) => (a < b ? -1 : 1))) {
  if (packageOf(name) !== current) out.push(`@${(current = packageOf(name))}`);
  const type = types.get(name);
  out.push(type.header, ...joinLines(type.versions));
}
const text = `// Written by libs/policy/generate/built-in/write-table.mjs from the Go types of k8s.io/api 1.${FIRST} to 1.${LAST}. Do not edit.
/** Returns the table of the kinds, with one kind per line. */
export const kinds = (): string => \`\\
${joinLines(versions.map(({ minor, kinds: lines }) => ({ minor, lines }))).join('\n')}
\`;

/** Returns the table of the types, grouped by package. The fields of a struct follow on the lines after the struct. */
export const types = (): string => \`\\
${out.join('\n')}
\`;
`;
writeFileSync(target, text);
console.log(`${target}: ${text.length} characters, ${types.size} types`);
