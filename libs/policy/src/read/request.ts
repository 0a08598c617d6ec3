import { isJsonObject } from '#go';
import { Fields, Unreadable } from './fields.ts';
import type { JsonObject } from '#go';
import type { GroupVersionKind, GroupVersionResource } from '../request/kinds.ts';
import type { Operation, RequestDescription, UserInfo } from '../request/admission-request.ts';

const OPERATIONS: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/**
 * Reads a client's description of a request. Its fields are `object`, `oldObject`, `operation`, `requestKind`, `resource`, `subresource`,
 * `name`, `namespace`, `options`, `dryRun`, `userInfo` and `untyped`. All fields are optional. Throws `Unreadable` if a field has a wrong
 * type.
 */
export function readAdmissionRequest(document: JsonObject): RequestDescription {
  const fields = new Fields(document, '');
  const kind = fields.optionalObject('requestKind');
  const resource = fields.optionalObject('resource');
  const user = fields.optionalObject('userInfo');
  return {
    object: readObject(fields, 'object'),
    oldObject: readObject(fields, 'oldObject'),
    operation: readOperation(fields.optionalText('operation')),
    kind: kind && readKind(kind),
    resource: resource && readResource(resource),
    subresource: fields.optionalText('subresource'),
    name: fields.optionalText('name'),
    namespace: fields.optionalText('namespace'),
    options: readObject(fields, 'options'),
    dryRun: fields.value('dryRun') === true,
    user: user && readUser(user),
    untyped: fields.value('untyped') === true,
  };
}

function readObject(fields: Fields, name: string): JsonObject | undefined {
  const value = fields.value(name);
  if (value === undefined || isJsonObject(value)) return value;
  throw new Unreadable(`${name} must be an object`);
}

function readOperation(text: string | undefined): Operation | undefined {
  if (text === undefined || text === '') return undefined;
  const operation = OPERATIONS.find((known) => known === text);
  if (operation === undefined) throw new Unreadable(`operation must be one of ${OPERATIONS.join(', ')}, not ${text}`);
  return operation;
}

const readKind = (fields: Fields): GroupVersionKind => ({
  group: fields.text('group'),
  version: fields.text('version'),
  kind: fields.text('kind'),
});

const readResource = (fields: Fields): GroupVersionResource => ({
  group: fields.text('group'),
  version: fields.text('version'),
  resource: fields.text('resource'),
});

function readUser(fields: Fields): UserInfo {
  const extra = fields.object('extra');
  return {
    username: fields.text('username'),
    uid: fields.text('uid'),
    groups: fields.texts('groups'),
    extra: new Map(extra.names().map((name) => [name, extra.texts(name)])),
  };
}
