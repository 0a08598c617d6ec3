import { LATEST_MINOR } from '#kube';
import { describe, expect, it } from 'vitest';
import { compileDefinition } from '../definition/compile-definition.ts';
import { judgeDefinition } from '../definition/judge-definition.ts';
import { definitionWith, widget, widgetDefinition } from '../testing/definition-fixture.ts';
import type { ObjectVerdict, ObjectWrite } from '../verdict.ts';
import { validateObject } from './validate-object.ts';

const UID = '0b1c2d3e-0000-4000-8000-00000000000a';
const LATER = 'the object has been modified; please apply your changes to the latest version and try again';
const compiled = compileDefinition(widgetDefinition({ type: 'object', properties: { a: { type: 'string' } } }), { minor: LATEST_MINOR });

function judge(write: Partial<ObjectWrite> & Pick<ObjectWrite, 'body'>): Exclude<ObjectVerdict, { cancelled: true }> {
  if (!compiled.ok) throw new Error(compiled.status.message);
  const operation = write.oldObject === undefined ? 'CREATE' : 'UPDATE';
  const verdict = validateObject(compiled.definition, { operation, fieldValidation: 'Warn', ...write });
  if ('cancelled' in verdict) throw new Error('cancelled');
  return verdict;
}

const message = (verdict: ReturnType<typeof judge>): string => (verdict.accepted ? 'accepted' : verdict.status.message);
const dumped = (resourceVersion?: string, more: object = {}) =>
  widget({ a: 'x' }, { metadata: { name: 'one', uid: UID, ...(resourceVersion !== undefined && { resourceVersion }), ...more } });

describe('an update whose old object comes from a dump of a cluster', () => {
  it.each([
    ['the revision that it has', '48151623', '48151623', 'accepted'],
    ['an older one', '48151622', '48151623', LATER],
    ['one that hand-written old objects do not have', '48151623', undefined, 'accepted'],
    ['none', undefined, '48151623', 'accepted'],
  ])('and whose body has this resourceVersion: %s', (_, sent, stored, answer) => {
    expect(message(judge({ body: dumped(sent), oldObject: dumped(stored) }))).toContain(answer);
  });

  it('treats an old object without a uid as the object of the request', () => {
    const old = widget({ a: 'x' });
    expect(message(judge({ body: dumped('7'), oldObject: old }))).toBe('accepted');
  });

  it('conflicts if the old object has another uid than the body', () => {
    const old = widget({ a: 'x' }, { metadata: { name: 'one', uid: 'another', resourceVersion: '7' } });
    expect(message(judge({ body: dumped('7'), oldObject: old }))).toContain('Precondition failed: UID in precondition');
  });
});

describe('a create of an object from a dump', () => {
  it("is rejected for its resourceVersion, and the verdict contains the object's name", () => {
    const verdict = judge({ body: dumped('7') });
    expect(message(verdict)).toBe('resourceVersion should not be set on objects to be created');
    expect(verdict.sent).toEqual({ name: 'one' });
    expect(verdict.takenOff).toBeUndefined();
  });

  it('is accepted if the caller ignores fields that a server owns, and the verdict reports the removal', () => {
    const verdict = judge({ body: dumped('7'), ownedFields: 'takenOff' });
    expect(message(verdict)).toBe('accepted');
    expect(verdict.takenOff).toBe(true);
    expect(judge({ body: dumped(), ownedFields: 'takenOff' }).takenOff).toBeUndefined();
  });

  it("has the object's name in its verdict even if strict decoding rejects the object", () => {
    const verdict = judge({ body: widget({ nope: 1 }), fieldValidation: 'Strict' });
    expect(verdict.accepted).toBe(false);
    expect(verdict.sent).toEqual({ name: 'one' });
  });
});

describe('a definition from a dump', () => {
  const stored = (resourceVersion: string, uid = UID) => definitionWith({}, { resourceVersion, uid, generation: 4 });
  const answer = (
    ...[document, old, ownedFields]: [ReturnType<typeof stored>, ReturnType<typeof stored>?, ObjectWrite['ownedFields']?]
  ) => {
    const verdict = judgeDefinition(document, old, { minor: LATEST_MINOR, ownedFields });
    return [verdict.status?.message ?? 'accepted', verdict.takenOff];
  };

  it('is rejected on create for its resourceVersion, unless the caller ignores fields that a server owns', () => {
    expect(answer(stored('7'))).toEqual(['resourceVersion should not be set on objects to be created', undefined]);
    expect(answer(stored('7'), undefined, 'takenOff')).toEqual(['accepted', true]);
  });

  it('is accepted as an update that changes nothing', () => {
    expect(answer(stored('7'), stored('7'))).toEqual(['accepted', undefined]);
    expect(answer(stored('7'), stored('7'), 'takenOff')).toEqual(['accepted', undefined]);
  });

  it('conflicts with a newer stored resourceVersion, unless the caller ignores fields that a server owns', () => {
    expect(answer(stored('6'), stored('7'))[0]).toContain(LATER);
    expect(answer(stored('6'), stored('7'), 'takenOff')).toEqual(['accepted', true]);
    expect(answer(stored('6', 'of another cluster'), stored('7'), 'takenOff')).toEqual(['accepted', true]);
  });
});
