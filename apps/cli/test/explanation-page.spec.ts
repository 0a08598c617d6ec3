import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkOptions } from '#documents';
import { EngineThreads } from '#runner';
import { explainDocuments } from '../src/commands/explain/explain-documents.ts';
import { documentsOf } from '../src/documents/read-documents.ts';
import { explanationPage } from '../src/commands/explain/report/page.ts';

const host = new EngineThreads();
beforeAll(() => host.start());
afterAll(() => host.stop());

async function pageOf(name: string, text: string): Promise<string> {
  const found = await documentsOf([{ name, bytes: Buffer.from(text) }], host);
  const options = checkOptions({});
  if (!options.ok) throw new Error(options.status.message);
  return explanationPage(await explainDocuments(found, options.value, host), '1.37');
}

const widget = (rule: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              list: {type: array, items: {type: string}}
            x-kubernetes-validations:
            - rule: ${JSON.stringify(rule)}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: one}
spec: {list: [xy, x]}
`;

it('the page of assay explain allows one style sheet and no other resource', async () => {
  const page = await pageOf('w.yaml', widget("self.list.all(a, a != 'x')"));
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(page).toContain(
    `http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
  );
  expect(page.match(/<style|<script|<link|<img|<iframe|@import|url\(| style=| on[a-z]+=/g)).toEqual(['<style']);
  expect([...page.matchAll(/https?:\/\/[^"\s]*/g)].map(([address]) => address)).toEqual(
    page.match(/<svg /g)?.map(() => 'http://www.w3.org/2000/svg'),
  );
});

it('the page of assay explain draws the estimates and measurements of a rule, with a switch between them', async () => {
  const page = await pageOf('w.yaml', widget("self.list.all(a, a != 'x')"));
  expect(page).toMatch(
    /Drawn by<\/legend>.*of-estimate.*Rule 1, by estimate.*of-measured.*Rule 1, the most expensive evaluation as measured/s,
  );
  expect(page).toMatch(/<th scope="col" class="number">measured<\/th>/);
  expect(page).toMatch(/<code>spec\.list: maxItems [\d,]+ suffices \(now unbounded\)<\/code>|<strong>[\d,]+<\/strong> of 10,000,000/);
});

it('the page of assay explain shows texts of a definition without executing them', async () => {
  const page = await pageOf('<b>.yaml', widget(`self.list.all(a, a != '</style><script>alert(1)</script>"\u202e')`));
  expect(page).not.toMatch(/<script|<b>|\u202e/);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  const broken = await pageOf('w.yaml', widget('self.nothing<script> == 1'));
  expect(broken).not.toContain('<script');
  expect(broken).toContain('It does not compile');
});

it('the page of assay explain has unique ids, and a target for every link', async () => {
  const folder = join(import.meta.dirname, '../../../examples/gateway-api');
  const page = await pageOf('httproute-crd.yaml', readFileSync(join(folder, 'httproute-crd.yaml'), 'utf8'));
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const links = [...page.matchAll(/href="#([^"]*)"|aria-(?:labelledby|describedby)="([^"]*)"/g)].map(([, link, label]) => link ?? label);
  expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  expect(links.length).toBeGreaterThan(300);
});
