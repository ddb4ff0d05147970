/** `GET /openapi.json`: this interface, for programs that make clients and tests of it. */
import { openApiDocument } from '../openapi.js';
import { BASE_PATH, type Route } from './route.js';

const CACHE = { 'Cache-Control': 'public, max-age=300' };

const PATH = `${BASE_PATH}/openapi.json`;

/** @param routes - Returns every route, this one included; called with the first request. */
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
    path: PATH,
    crossOrigin: 'anyone',
    answer: async (_request, service, { version, serializeOnce }) => ({
      kind: 'json',
      status: 200,
      headers: CACHE,
      body: serializeOnce(PATH, () => openApiDocument(routes(), service.settings.issuer, version)),
    }),
  };
}
