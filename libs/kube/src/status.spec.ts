import { describe, expect, it } from 'vitest';
import { invalid } from './field-error.ts';
import { childPath } from './field-path.ts';
import { invalidStatus } from './status.ts';

describe('invalidStatus', () => {
  const kind = { group: 'example.com', kind: 'Widget' };
  const path = childPath(undefined, 'keys');

  it('lists every error, and each text once in the message', () => {
    const error = invalid(path, ['a'], 'must be known');
    const status = invalidStatus(kind, 'w', [error, error]);
    expect(status.message).toBe('Widget.example.com "w" is invalid: keys: Invalid value: ["a"]: must be known');
    expect(status.details?.causes).toHaveLength(2);
  });

  it('omits causes if they quote too much text, and reports the number of omitted causes', () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `key-${i}`);
    const status = invalidStatus(
      kind,
      'w',
      keys.map(() => invalid(path, keys, 'must be known')),
    );
    const shown = status.details?.causes?.length ?? 0;
    expect(shown).toBeGreaterThan(10);
    expect(shown).toBeLessThan(1000);
    expect(status.message).toContain(`must be known (and ${keys.length - shown} more errors, left out`);
  });
});
