/** This interface as an OpenAPI document, for who has no service at hand to ask. */
import { type OpenApiDocument, openApiDocument } from './openapi.js';
import { ROUTES } from './routes/catalogue.js';

/**
 * The document that a service of this version, reached at this URL, gives at `/openapi.json`.
 *
 * @param issuer - The service's base URL.
 */
export function describeInterface(issuer: string, version: string): OpenApiDocument {
  return openApiDocument(ROUTES, issuer, version);
}
