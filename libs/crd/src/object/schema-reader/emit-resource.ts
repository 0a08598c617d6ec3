import { js } from '#cel';
import type { Fragment } from '#cel';
import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { META_FIELDS } from '../../structural/structural.ts';
import type { ServedVersion } from '../served-version.ts';
import type { Scale } from '../write/scale.ts';
import { fieldsOfPath, MAX_REPLICAS } from '../write/scale.ts';
import { bodyOfParts, emitCheck } from './emit-object.ts';
import { emitWords } from './emit-words.ts';
import type { Word } from './emit-words.ts';
import { AnyValue } from './read-anything.ts';
import { MetadataReader } from './read-metadata.ts';
import { GIVE_UP } from './reader-code.ts';
import type { ReaderCode } from './reader-code.ts';
import { fieldNode } from './reader-node.ts';
import type { ReaderNode } from './reader-node.ts';
import type { ReaderRun } from './reader-run.ts';

/** Properties of a served version that a generated schema reader needs to read the root of an object, such as apiVersion and kind. */
export type ResourceVersion = Pick<ServedVersion, 'apiVersion' | 'kind' | 'namespaced' | 'wording' | 'hasStatus' | 'scale'>;

/**
 * Returns the body of the generated function that reads a whole object: its type, metadata, fields and status. The function drops the
 * status in the request if the status is a subresource. For an update, the function does not evaluate the rules of the root, because these
 * rules need the stored metadata and status.
 */
export function resourceBody(code: ReaderCode, node: ReaderNode, version: ResourceVersion): Fragment {
  const declared = [...(node.structural.properties?.keys() ?? [])];
  const dropsStatus = version.hasStatus;
  const own: Word[] = [
    { text: 'apiVersion', action: emitConstant(code, 'apiVersion', version.apiVersion) },
    { text: 'kind', action: emitConstant(code, 'kind', version.kind) },
    { text: 'metadata', action: emitMetadata(code, node, version) },
    ...(dropsStatus ? [{ text: 'status', action: emitDroppedStatus(code, node) }] : []),
  ];
  const fields = declared.filter((name) => !META_FIELDS.has(name) && !(dropsStatus && name === 'status'));
  const finish = (object: Fragment): Fragment => js`if (!${code.constant(isStorable(version.scale))}(${object})) return undefined;
if (r.isUpdate) return ${object};`;
  return bodyOfParts(code, node, {
    fields,
    own,
    required: ['apiVersion', 'kind', 'metadata'],
    absent: dropsStatus ? ['status'] : [],
    finish,
  });
}

/** Emits code for a field that must have one given value. */
function emitConstant(code: ReaderCode, name: string, text: string): Fragment {
  const word = { text, action: js`object[${code.constant(name)}] = ${code.constant(text)};` };
  return js`if (bytes[at] !== 34) return undefined;\n${emitWords(code, [word], GIVE_UP)}`;
}

function emitMetadata(code: ReaderCode, node: ReaderNode, version: ResourceVersion): Fragment {
  const metadata = code.fresh('value');
  const props = node.props.properties?.get('metadata');
  const check = props === undefined ? js`` : emitCheck(code, props, metadata);
  return js`s.at = at;
const ${metadata} = ${code.constant(new MetadataReader(version))}.read(r);
if (${metadata} === undefined) return undefined;
at = s.at;
${check}
object[${code.constant('metadata')}] = ${metadata};`;
}

/**
 * Emits code that reads the status and drops it. The status must be read, because the server reports its unknown fields as warnings. For an
 * update, the code inserts an empty status, which reserves the position of the status that the server keeps.
 */
function emitDroppedStatus(code: ReaderCode, node: ReaderNode): Fragment {
  const status = fieldNode(node, 'status');
  if (status === undefined) return GIVE_UP;
  const any = new AnyValue(status, code.behaviour, code.wording);
  const isReadable = ({ cursor }: ReaderRun): boolean => {
    const value = cursor.value();
    return value !== undefined && value !== null && any.settle(value) !== undefined;
  };
  return js`s.at = at;
if (!${code.constant(isReadable)}(r)) return undefined;
at = s.at;
if (r.isUpdate) object[${code.constant('status')}] = ${code.constant(newJsonObject)}();`;
}

/**
 * Returns a function that returns true if an object can be stored. Each of its scale fields must be absent or valid: replica counts from 0
 * to 2^31−1, and the selector a string. It must have no list `items`, because the server would treat the object as a list.
 */
function isStorable(scale: Scale | undefined): (object: JsonObject) => boolean {
  const replicas = scale === undefined ? [] : [scale.specReplicasPath, scale.statusReplicasPath].map(fieldsOfPath);
  const selector = scale?.labelSelectorPath === undefined ? [] : [fieldsOfPath(scale.labelSelectorPath)];
  return (object) =>
    !Array.isArray(object['items']) &&
    replicas.every((path) => isAbsentOr(object, path, isReplicas)) &&
    selector.every((path) => isAbsentOr(object, path, isText));
}

const isReplicas = (value: JsonValue): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_REPLICAS;

const isText = (value: JsonValue): boolean => typeof value === 'string';

/** Returns true if the value at a path is absent or accepted by `isFine`. */
function isAbsentOr(object: JsonObject, path: readonly string[], isFine: (value: JsonValue) => boolean): boolean {
  let value: JsonValue = object;
  for (const field of path) {
    if (!isJsonObject(value)) return false;
    const next: JsonValue | undefined = value[field];
    if (next === undefined) return true;
    value = next;
  }
  return isFine(value);
}
