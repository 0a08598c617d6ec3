import { describe, expect, it } from 'vitest';
import { invalid } from '#kube';
import { SchemaWalk } from './schema-walk.ts';

const finding = (text: string) => ({ text, name: undefined, toError: () => invalid(undefined, null, text) });

describe('findings of a SchemaWalk', () => {
  it('contain each finding once, even after keepFirst() removed some', () => {
    const walk = new SchemaWalk({ poll: () => undefined } as never);
    const add = (from: number, to: number): void => {
      for (let i = from; i < to; i++) walk.add(finding(`finding ${i}`));
    };
    const known = (): string[] => walk.findings.map(({ text }) => text);
    add(0, 20);
    walk.keepFirst(10);
    expect(known()).toHaveLength(10);
    // A removed finding may be added again, but a kept finding may not.
    add(5, 25);
    add(0, 25);
    expect(known()).toEqual(Array.from({ length: 25 }, (_, i) => `finding ${i}`));
  });
});
