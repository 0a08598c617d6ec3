import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import { asksForIdentity } from '../access/exposure.ts';
import type { ApiConfig } from '../config.ts';
import { isProbe } from '../health/watching.ts';
import { addAnswerExamples } from './answer-examples.ts';
import { componentSchemas } from './component-schemas.ts';
import { ENDPOINT_GROUPS } from './endpoints.ts';

/** Returns the OpenAPI 3.0 document of the API. */
export function describeApi(app: NestFastifyApplication, config: ApiConfig): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Assay')
    .setDescription(
      "The kube-apiserver's verdict on custom resources, at batch scale, with the price of every rule. The answer to every failure is a metav1.Status. If an answer has two forms, JSON and lines of NDJSON, its content is JSON, and `x-also-answered` describes the lines.",
    )
    .setVersion('1')
    .addServer('/', 'The service that sent this document');
  for (const [name, description] of Object.entries(ENDPOINT_GROUPS)) builder.addTag(name, description);
  const isOpen = !asksForIdentity(config);
  const bearer = { type: 'http', scheme: 'bearer', description: 'An access key, or a token of the trusted issuer' } as const;
  builder.addBearerAuth(bearer);
  // Without access keys, the key is optional. Generated clients still have a parameter for it.
  if (isOpen) builder.addSecurityRequirements({});
  builder.addSecurityRequirements('bearer');
  const document = SwaggerModule.createDocument(app, builder.build());
  document.components = { ...document.components, schemas: componentSchemas() };
  addAnswerExamples(document);
  for (const [path, item] of Object.entries(document.paths)) if (isProbe(path) && item.get) item.get.security = [];
  return document;
}
