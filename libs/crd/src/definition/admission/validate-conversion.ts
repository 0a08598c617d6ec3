import { parseUrl } from '#go';
import {
  checkDns1035Label,
  checkDns1123Subdomain,
  childPath,
  forbidden,
  indexPath,
  invalid,
  notSupported,
  reportedBecauseOf,
  required,
} from '#kube';
import type { FieldError, FieldPath } from '#kube';
import { CRD_CHANGES } from '../../minors/minors.ts';
import type { Conversion, ServiceReference, WebhookClientConfig } from '../../schema/definition.ts';
import { caBundleError, recognizedReviewVersions, REVIEW_VERSIONS } from './conversion-webhook.ts';
import type { AdmissionOptions } from './options.ts';
import type { DefinitionWording } from './wording.ts';

const STRATEGIES: readonly string[] = ['None', 'Webhook'];

/**
 * Validates the conversion of a definition. Errors use the field names of Go's internal type. Source: validation.go
 * `validateCustomResourceConversion` (1.37).
 */
export function validateConversion(conversion: Conversion, path: FieldPath, options: AdmissionOptions): FieldError[] {
  const errors: FieldError[] = [];
  const strategy = childPath(path, 'strategy');
  if (conversion.strategy === '') errors.push(required(strategy, ''));
  else if (!STRATEGIES.includes(conversion.strategy)) errors.push(notSupported(strategy, conversion.strategy, STRATEGIES));
  const clientConfig = conversion.webhook?.clientConfig;
  const versions = conversion.webhook?.conversionReviewVersions ?? [];
  const configPath = childPath(path, 'webhookClientConfig');
  const versionsPath = childPath(path, 'conversionReviewVersions');
  if (conversion.strategy !== 'Webhook') {
    const detail = 'should not be set when strategy is not set to Webhook';
    if (clientConfig !== undefined) errors.push(forbidden(configPath, detail));
    if (versions.length > 0) errors.push(forbidden(versionsPath, detail));
    return errors;
  }
  if (clientConfig === undefined) errors.push(required(configPath, 'required when strategy is set to Webhook'));
  else validateClientConfig(clientConfig, configPath, options, errors);
  validateReviewVersions(versions, versionsPath, options.requireRecognizedReviewVersion, errors);
  return errors;
}

function validateReviewVersions(versions: readonly string[], path: FieldPath, recognized: boolean, errors: FieldError[]): void {
  if (versions.length === 0) {
    errors.push(required(path, ''));
    return;
  }
  versions.forEach((version, i) => {
    const at = indexPath(path, i);
    if (versions.indexOf(version) < i) errors.push(invalid(at, version, 'duplicate version'));
    else for (const text of checkDns1035Label(version)) errors.push(invalid(at, version, text));
  });
  if (recognized && !recognizedReviewVersions(versions)) {
    errors.push(invalid(path, [...versions], `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
  }
}

function validateClientConfig(config: WebhookClientConfig, path: FieldPath, options: AdmissionOptions, errors: FieldError[]): void {
  if ((config.url === undefined) === (config.service === undefined))
    errors.push(required(path, 'exactly one of url or service is required'));
  else if (config.url !== undefined) validateUrl(config.url, childPath(path, 'url'), errors);
  else if (config.service !== undefined) validateService(config.service, childPath(path, 'service'), options.wording, errors);
  if (config.caBundle === undefined || config.caBundle === '' || options.allowInvalidCaBundle) return;
  const error = caBundleError(config.caBundle);
  if (error === undefined) return;
  const refusal = invalid(childPath(path, 'caBundle'), config.caBundle, error);
  errors.push(reportedBecauseOf(refusal, CRD_CHANGES.bundlesAreChecked));
}

/** Validates the URL of a webhook. Source: k8s.io/apiserver/pkg/util/webhook/validation.go `ValidateWebhookURL` (1.37). */
function validateUrl(text: string, path: FieldPath, errors: FieldError[]): void {
  const form = '; desired format: https://host[/path]';
  const parsed = parseUrl(text);
  if (!parsed.ok) {
    errors.push(required(path, `url must be a valid URL: ${parsed.error}${form}`));
    return;
  }
  const { scheme, host, user, fragment, rawQuery } = parsed.url;
  if (scheme !== 'https') errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${form}`));
  if (host === '') errors.push(invalid(path, host, `host must be specified${form}`));
  if (user !== undefined) errors.push(invalid(path, userText(user), 'user information is not permitted in the URL'));
  if (fragment !== '') errors.push(invalid(path, fragment, 'fragments are not permitted in the URL'));
  if (rawQuery !== '') errors.push(invalid(path, rawQuery, 'query parameters are not permitted in the URL'));
}

const userText = ({ name, password }: { readonly name: string; readonly password: string | undefined }): string =>
  password === undefined ? name : `${name}:${password}`;

/**
 * Validates the service reference of a webhook. As in upstream, the error about a missing name has the path of the namespace, and vice
 * versa. Source: k8s.io/apiserver/pkg/util/webhook/validation.go
 * `ValidateWebhookService` (1.37), whose caller swaps the two arguments.
 */
function validateService(service: ServiceReference, path: FieldPath, wording: DefinitionWording, errors: FieldError[]): void {
  if (service.namespace === '') errors.push(required(childPath(path, 'name'), wording.missingOfService('name')));
  if (service.name === '') errors.push(required(childPath(path, 'namespace'), wording.missingOfService('namespace')));
  if (service.port < 1 || service.port > 65535) {
    errors.push(invalid(childPath(path, 'port'), service.port, 'port is not valid: must be between 1 and 65535, inclusive'));
  }
  const urlPath = service.path;
  if (urlPath === undefined || urlPath === '' || urlPath === '/') return;
  const at = childPath(path, 'path');
  if (urlPath === '//') {
    errors.push(invalid(at, urlPath, 'segment[0] may not be empty'));
    return;
  }
  if (!urlPath.startsWith('/')) errors.push(invalid(at, urlPath, "must start with a '/'"));
  const segments = urlPath.slice(1).replace(/\/$/, '').split('/');
  segments.forEach((segment, i) => {
    if (segment === '') errors.push(invalid(at, urlPath, `segment[${i}] may not be empty`));
    else for (const text of checkDns1123Subdomain(segment)) errors.push(invalid(at, urlPath, `segment[${i}]: ${text}`));
  });
}
