import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { thorough } from '../../../testing/thorough.ts';
import { peakHook } from './peak-hook.ts';
import { AssayProcess } from './assay-process.ts';

const FILES = 5000;
const folder = mkdtempSync(join(tmpdir(), 'assay-many-'));
const schema = { type: 'object', properties: { size: { type: 'integer' } } };
// The comment makes each file large. A comment stays in memory as long as its object.
const comment = `# ${'x'.repeat(30_000)}\n`;
for (let i = 0; i < FILES; i++) {
  const size = i % 1000 === 7 ? '"no number"' : '1';
  const name = String(i).padStart(5, '0');
  writeFileSync(
    join(folder, `w${name}.yaml`),
    `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w${name}}\nsize: ${size}\n${comment}`,
  );
}
// The definition comes after all of its objects.
writeFileSync(join(folder, 'z.yaml'), JSON.stringify(customDefinition({ kind: 'Widget', schema })));
writeFileSync(join(folder, 'z-other.yaml'), 'apiVersion: v1\nkind: ConfigMap\n');
writeFileSync(join(folder, 'z-refused.yaml'), JSON.stringify(customDefinition({ kind: 'Gadget', schema: { type: 'objec' } })));
for (const i of [1, 2]) writeFileSync(join(folder, `g${i}.yaml`), `apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g${i}}\n`);

/** Runs `assay evaluate` on the folder with many files. Returns the output, and the peak memory of the process in kB. */
async function evaluate(...more: string[]): Promise<{ status: unknown; stdout: string; stderr: string; peak: number }> {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-peak-'));
  const [hook, peak] = [join(scratch, 'peak.cjs'), join(scratch, 'peak')];
  writeFileSync(hook, peakHook(peak));
  const assay = new AssayProcess(['evaluate', folder, ...more], { NODE_OPTIONS: `--require ${hook}` });
  const status = await assay.ended;
  return { status, stdout: assay.stdout, stderr: assay.stderr, peak: Number(readFileSync(peak, 'utf8')) };
}

/** Arguments that make the command read all files at once. They name an empty folder as the older state. */
const AT_ONCE = ['--old', mkdtempSync(join(tmpdir(), 'assay-none-'))];

/** Returns a report without the durations in its summary, because these differ each time. */
const untimed = (text: string): string => text.replaceAll(/("?(?:parse|schema|cel|total)"?: )[\d.]+/g, '$1');

describe('thousands of files', () => {
  it.skipIf(!thorough)('are evaluated in slices with the same results as at once, and with less memory', async () => {
    const sliced = await evaluate('-q');
    const whole = await evaluate('-o', 'json', ...AT_ONCE);
    const { items, summary } = JSON.parse(whole.stdout) as {
      items: { name: string; outcome: string; location: { file: string } }[];
      summary: Record<string, number>;
    };
    const rejected = items.filter(({ outcome }) => outcome === 'rejected');
    expect(rejected).toHaveLength(5);
    const lines = sliced.stdout.split('\n');
    expect(lines.filter((line) => line.includes('error: Widget')).map((line) => line.split(':')[0])).toEqual(
      rejected.map(({ location }) => location.file),
    );
    expect(sliced.stdout).toContain('2 objects of gadgets.example.com not evaluated: the definition is refused\n');
    expect(lines.at(-2)).toBe(
      `Summary: 5,002 objects and 2 definitions (1 refused) in 5,005 files - Accepted: ${summary['accepted']}, Refused: 5, Not evaluated: 2, Skipped: 1 (no definition), CEL cost: 0`,
    );
    expect([sliced.status, whole.status, sliced.stderr]).toEqual([1, 1, '']);
    // At once, all files need 150 MB of memory. In slices, one slice needs 32 MB.
    expect(whole.peak - sliced.peak).toBeGreaterThan(50_000);
  });

  it.skipIf(!thorough).each(['json', 'yaml', 'table', 'junit', 'sarif'])(
    'have the same report whether they are read in slices or at once: %s',
    async (form) => {
      const sliced = await evaluate('-o', form);
      const whole = await evaluate('-o', form, ...AT_ONCE);
      expect(sliced.stdout.length).toBeGreaterThan(500);
      expect(untimed(sliced.stdout) === untimed(whole.stdout)).toBe(true);
      expect([sliced.status, sliced.stderr]).toEqual([whole.status, '']);
      expect(whole.peak - sliced.peak).toBeGreaterThan(50_000);
    },
  );

  it.skipIf(!thorough)('are also reported in the form for editors', async () => {
    const { stdout, status } = await evaluate('-o', 'unix');
    expect(stdout.split('\n').filter((line) => line.includes(': error: Widget'))).toHaveLength(5);
    expect(stdout).toMatch(/z-refused\.yaml:1:\d+: error: CustomResourceDefinition "gadgets\.example\.com"/);
    expect(status).toBe(1);
  });

  it.skipIf(!thorough)('are evaluated at once if a policy is among them', async () => {
    const policies = join(folder, 'policies');
    mkdirSync(policies);
    const spec = {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['widgets'] }],
      },
      validations: [{ expression: "object.metadata.name != 'w00009'" }],
    };
    const make = (kind: string, of: object): string =>
      JSON.stringify({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'p' }, spec: of });
    writeFileSync(join(policies, 'p.yaml'), make('ValidatingAdmissionPolicy', spec));
    writeFileSync(join(policies, 'b.yaml'), make('ValidatingAdmissionPolicyBinding', { policyName: 'p', validationActions: ['Deny'] }));
    const { stdout } = await evaluate('-q');
    expect(stdout).toMatch(/Refused: 6,/);
  });
});
