import { describe, expect, it } from 'vitest';
import { CancellationFlag } from '#go';
import type { Minor } from '#kube';
import { readItem } from './read-item.ts';

function refusal(text: string, minor: Minor): string | undefined {
  const read = readItem({ bytes: Buffer.from(text), notation: 'json' }, minor, new CancellationFlag());
  return read.ok ? undefined : read.status.message;
}

describe('an item that is not JSON', () => {
  it.each([
    ['{"kind":"W"é}', 'Ã', 'é'],
    ['{"object":{"kind":"é"}é}', 'Ã', 'é'],
  ])('%s is rejected with the message of each Kubernetes version', (text, byte, rune) => {
    const before = "couldn't get version/kind; json parse error: invalid character";
    expect(refusal(text, '1.37')).toContain(`${before} '${byte}' `);
    expect(refusal(text, '1.38')).toContain(`${before} '${rune}' `);
  });
});
