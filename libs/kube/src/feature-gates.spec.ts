import { describe, expect, it } from 'vitest';
import { featureGates } from './feature-gates.ts';

describe('feature gates', () => {
  it('have the defaults of their Kubernetes version', () => {
    expect(featureGates('1.30')).toEqual({
      ok: true,
      gates: {
        CRDValidationRatcheting: true,
        CustomResourceFieldSelectors: false,
        CRDObservedGenerationTracking: false,
        MutatingAdmissionPolicy: false,
      },
    });
    expect(featureGates('1.37')).toEqual({
      ok: true,
      gates: {
        CRDValidationRatcheting: true,
        CustomResourceFieldSelectors: true,
        CRDObservedGenerationTracking: true,
        MutatingAdmissionPolicy: true,
      },
    });
  });

  it('can be set in each version until the version locks them', () => {
    const off = { CRDValidationRatcheting: false };
    expect(featureGates('1.32', off)).toMatchObject({ ok: true, gates: off });
    expect(featureGates('1.33', off)).toEqual({
      ok: false,
      error: 'cannot set feature gate CRDValidationRatcheting to false, feature is locked to true',
    });
    expect(featureGates('1.33', { CRDValidationRatcheting: true }).ok).toBe(true);
  });

  it('keep their locked value in versions that removed them', () => {
    for (const gate of ['CRDValidationRatcheting', 'CustomResourceFieldSelectors'])
      for (const value of [true, false])
        expect(featureGates('1.38', { [gate]: value })).toEqual({ ok: false, error: `unrecognized feature gate: ${gate}` });
    expect(featureGates('1.38')).toEqual(featureGates('1.37'));
    const others = { CRDObservedGenerationTracking: false, MutatingAdmissionPolicy: false };
    expect(featureGates('1.38', others)).toMatchObject({ ok: true, gates: others });
  });

  it('are rejected if the Kubernetes version does not have them', () => {
    expect(featureGates('1.34', { CRDObservedGenerationTracking: true })).toEqual({
      ok: false,
      error: 'unrecognized feature gate: CRDObservedGenerationTracking',
    });
    expect(featureGates('1.37', { toString: true }).ok).toBe(false);
  });
});
