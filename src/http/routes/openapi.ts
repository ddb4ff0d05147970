/** `GET /openapi.json`: this interface, for programs that make clients and tests of it. */
import { openApiDocument } from '../openapi.js';
import { BASE_PATH, type Route } from './route.js';

const CACHE = { 'Cache-Control': 'public, max-age=300' };

/** @param routes - Every route, this one included; read when somebody asks. */
export function openapi(routes: () => readonly Route[]): Route {
  return {
    operations: {
      GET: {
        id: 'readOpenApi',
        summary: 'This document.',
        caller: 'anyone',
        answers: ['OpenApi'],
      },
    },
    path: `${BASE_PATH}/openapi.json`,
    crossOrigin: 'anyone',
    answer: async (_request, service, { version }) => ({
      kind: 'json',
      status: 200,
      headers: CACHE,
      body: openApiDocument(routes(), service.settings.issuer, version),
    }),
  };
}
