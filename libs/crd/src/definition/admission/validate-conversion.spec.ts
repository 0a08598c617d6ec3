import { describe, expect, it } from 'vitest';
import { definitionWith } from '../../testing/definition-fixture.ts';
import { definitionLines } from '../../testing/outcomes.ts';

const webhook = (clientConfig: object | undefined, conversionReviewVersions: string[] = ['v1']) => ({
  strategy: 'Webhook',
  webhook: { clientConfig, conversionReviewVersions },
});
const url = (text: string) => webhook({ url: text });
const service = (more: object) => webhook({ service: { namespace: 'ns', name: 'svc', ...more } });

// The expected lines come from the oracle: the Go code of Kubernetes 1.37.
describe('the conversion of a definition', () => {
  it.each([
    ['none', { strategy: 'None' }, ['accepted']],
    [
      'an unknown strategy',
      { strategy: 'Magic' },
      ['spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"'],
    ],
    [
      'none, with a webhook',
      { ...url('https://a.b/'), strategy: 'None' },
      [
        'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
        'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
      ],
    ],
    [
      'a webhook without webhook',
      { strategy: 'Webhook' },
      [
        'spec.conversion.conversionReviewVersions: Required value',
        'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
      ],
    ],
    [
      'a webhook without client',
      webhook(undefined),
      ['spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook'],
    ],
    [
      'neither url nor service',
      webhook({}),
      ['spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required'],
    ],
    [
      'both url and service',
      webhook({ url: 'https://a.b/', service: { namespace: 'ns', name: 'svc' } }),
      ['spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required'],
    ],
    ['a url', url('https://a.b/c'), ['accepted']],
    [
      'a url by http',
      url('http://a.b/c'),
      [
        `spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
      ],
    ],
    [
      'a url without a host',
      url('https:///c'),
      ['spec.conversion.webhookClientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]'],
    ],
    [
      'a url with a user',
      url('https://me:secret@a.b/c'),
      ['spec.conversion.webhookClientConfig.url: Invalid value: "me:secret": user information is not permitted in the URL'],
    ],
    [
      'a url with a fragment',
      url('https://a.b/c#d'),
      ['spec.conversion.webhookClientConfig.url: Invalid value: "d": fragments are not permitted in the URL'],
    ],
    [
      'a url with a query',
      url('https://a.b/c?d=e'),
      ['spec.conversion.webhookClientConfig.url: Invalid value: "d=e": query parameters are not permitted in the URL'],
    ],
    [
      'a url that is none',
      url('https://a b/'),
      [
        'spec.conversion.webhookClientConfig.url: Required value: url must be a valid URL: parse "https://a b/": invalid character " " in host name; desired format: https://host[/path]',
      ],
    ],
    ['a service', service({}), ['accepted']],
    ['a service without a name', service({ name: '' }), ['spec.conversion.webhookClientConfig.service.namespace: Required value']],
    [
      'a service at port 0',
      service({ port: 0 }),
      ['spec.conversion.webhookClientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive'],
    ],
    [
      'a service at port 65536',
      service({ port: 65536 }),
      ['spec.conversion.webhookClientConfig.service.port: Invalid value: 65536: port is not valid: must be between 1 and 65535, inclusive'],
    ],
    [
      'a path without a slash',
      service({ path: 'convert' }),
      [`spec.conversion.webhookClientConfig.service.path: Invalid value: "convert": must start with a '/'`],
    ],
    [
      'a path with an empty segment',
      service({ path: '/a//b' }),
      ['spec.conversion.webhookClientConfig.service.path: Invalid value: "/a//b": segment[1] may not be empty'],
    ],
    [
      'a path with capitals',
      service({ path: '/Convert' }),
      [
        `spec.conversion.webhookClientConfig.service.path: Invalid value: "/Convert": segment[0]: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    [
      'a path of two slashes',
      service({ path: '//' }),
      ['spec.conversion.webhookClientConfig.service.path: Invalid value: "//": segment[0] may not be empty'],
    ],
    ['no review versions', webhook({ url: 'https://a.b/' }, []), ['spec.conversion.conversionReviewVersions: Required value']],
    [
      'unknown review versions',
      webhook({ url: 'https://a.b/' }, ['v7']),
      ['spec.conversion.conversionReviewVersions: Invalid value: ["v7"]: must include at least one of v1, v1beta1'],
    ],
    [
      'a review version twice',
      webhook({ url: 'https://a.b/' }, ['v1', 'v1']),
      ['spec.conversion.conversionReviewVersions[1]: Invalid value: "v1": duplicate version'],
    ],
    [
      'a review version in capitals',
      webhook({ url: 'https://a.b/' }, ['V1', 'v1']),
      [
        `spec.conversion.conversionReviewVersions[0]: Invalid value: "V1": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
    ['a CA bundle that is none', webhook({ url: 'https://a.b/', caBundle: 'YQ==' }), ['accepted']],
  ])("gets the server's verdict: %s", (_, conversion, lines) => {
    expect(definitionLines(definitionWith({ conversion }))).toEqual(lines);
  });

  it('is rejected for a broken CA bundle if the old definition has a valid one, and accepted if both are broken', () => {
    const broken = definitionWith({ conversion: webhook({ url: 'https://a.b/', caBundle: 'YQ==' }) });
    expect(definitionLines(broken, definitionWith({ conversion: url('https://a.b/') }))).toEqual([
      'spec.conversion.webhookClientConfig.caBundle: Invalid value: "YQ==": unable to load root certificates: unable to parse bytes as PEM block',
    ]);
    expect(definitionLines(broken, broken)).toEqual(['accepted']);
  });

  it('may have unknown review versions if the old definition has some', () => {
    const old = definitionWith({ conversion: webhook({ url: 'https://a.b/' }, ['v7']) });
    const still = definitionWith({ conversion: webhook({ url: 'https://a.c/' }, ['v8']) });
    expect(definitionLines(still, old)).toEqual(['accepted']);
  });
});
