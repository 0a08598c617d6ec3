import { DEDUCED } from './atom.ts';
import type { Atom, AtomRef, FieldAtom, ListAtom } from './atom.ts';

const ref =
  (atom: Atom): AtomRef =>
  () =>
    atom;

/** Merge type of a string field. If the field is a key field and an item of an associative list omits it, its value is the empty string. */
const STRING: FieldAtom = { type: ref({ scalar: 'string' }), default: '' };
const OPTIONAL_STRING: FieldAtom = { type: ref({ scalar: 'string' }) };
const BOOLEAN: FieldAtom = { type: ref({ scalar: 'boolean' }) };
const NUMBER: FieldAtom = { type: ref({ scalar: 'numeric' }) };
const TIME: FieldAtom = { type: ref({ scalar: 'untyped' }) };

const struct = (fields: Readonly<Record<string, FieldAtom>>, atomic = false): Atom => ({
  map: { atomic, fields: new Map(Object.entries(fields)) },
});
const list = (items: Atom, rest: Pick<ListAtom, 'atomic' | 'keys'>): FieldAtom => ({ type: ref({ list: { ...rest, items: ref(items) } }) });

const STRING_MAP: FieldAtom = { type: ref({ map: { atomic: false, fields: new Map(), others: STRING.type } }) };

const OWNER_REFERENCE = struct(
  { apiVersion: STRING, blockOwnerDeletion: BOOLEAN, controller: BOOLEAN, kind: STRING, name: STRING, uid: STRING },
  true,
);

const MANAGED_FIELDS = struct({
  apiVersion: OPTIONAL_STRING,
  fieldsType: OPTIONAL_STRING,
  fieldsV1: { type: ref({ map: { atomic: false, fields: new Map(), others: ref(DEDUCED) } }) },
  manager: OPTIONAL_STRING,
  operation: OPTIONAL_STRING,
  subresource: OPTIONAL_STRING,
  time: TIME,
});

/** Merge type of `metadata`. Source: k8s.io/apimachinery/pkg/apis/meta/v1 ObjectMeta, as its OpenAPI schema says it (1.37). */
const OBJECT_META: Atom = struct({
  annotations: STRING_MAP,
  creationTimestamp: TIME,
  deletionGracePeriodSeconds: NUMBER,
  deletionTimestamp: TIME,
  finalizers: list({ scalar: 'string' }, { atomic: false, keys: [] }),
  generateName: OPTIONAL_STRING,
  generation: NUMBER,
  labels: STRING_MAP,
  managedFields: list(MANAGED_FIELDS, { atomic: true, keys: [] }),
  name: OPTIONAL_STRING,
  namespace: OPTIONAL_STRING,
  ownerReferences: list(OWNER_REFERENCE, { atomic: false, keys: ['uid'] }),
  resourceVersion: OPTIONAL_STRING,
  selfLink: OPTIONAL_STRING,
  uid: OPTIONAL_STRING,
});

/** Fields that every resource has, with their merge types (how an ApplyConfiguration patch merges two values of a field). */
export const RESOURCE_FIELDS: ReadonlyMap<string, FieldAtom> = new Map([
  ['apiVersion', OPTIONAL_STRING],
  ['kind', OPTIONAL_STRING],
  ['metadata', { type: ref(OBJECT_META) }],
]);
